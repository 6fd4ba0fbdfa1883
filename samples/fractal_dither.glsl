// Dither that sticks to surfaces: dots keep their places on the object and their size on the screen,
// and stay evenly spread while the camera comes near, since each level of the texture holds the
// coarser one. For GLSL 3.30; fractal_plane.cpp draws a plane with the same lines on the processor.
//
//     dapple mask --size 128x128x24 --kind fractal -o dots.ktx2
//
// `dots`: repeats in all three directions, linear filter, no mipmaps. The 128x128 texels of its first
// layer hold 64 dots (the file's metadata say so: side^2 / 256, to a multiple of 8).
const float first_dots = 64.0;
const float layers = 24.0;
const float pi = 3.14159265;

// `uv`: of the texture on the surface. `light`: 0..1, linear. `radius`: of a dot, in pixels.
float fractal_dither(sampler3D dots, vec2 uv, float light, float radius) {
  vec2 across = dFdx(uv);
  vec2 down = dFdy(uv);
  float tiles = max(abs(across.x * down.y - across.y * down.x), 1e-12);  // a pixel covers

  // So many dots a tile make this light out of dots of this size.
  float b = clamp(light, 0.001, 1.0);
  float wanted = b / (pi * radius * radius * tiles);
  float level = floor(log2(wanted / first_dots) / 2.0);
  float scale = exp2(level);
  float shown = wanted / (first_dots * scale * scale);  // 1..4, of the first layer's dots
  float layer = (shown - 1.0) / 3.0 * (layers - 1.0);

  // Layers are at the middles of their slices: the last must not blend with the first.
  float near = texture(dots, vec3(uv * scale, (layer + 0.5) / layers)).r;
  // The dot's radius over the spacing; more where dots grow into each other.
  float part = 0.525 * sqrt(b) * (1.0 + 0.5 * pow(b, 6.0));
  float spacing = radius / (0.525 * sqrt(b));  // in pixels
  return clamp((near - 1.0 + part) * spacing + 0.5, 0.0, 1.0);
}
