// Dither that sticks to surfaces: dots keep their places on the object and their size on screen.
// They stay evenly spread while the camera approaches, since each level of the texture contains the
// coarser one. For GLSL 3.30; fractal_plane.cpp computes the same on the processor.
//
//     dapple mask --size 128x128x24 --kind fractal -o dots.ktx2
//
// Set `dots` to repeat in all three directions, with a linear filter and no mipmaps. Its first
// layer of 128x128 texels has 64 dots, as the metadata record: side^2 / 256, to a multiple of 8.
const float first_dots = 64.0;
const float layers = 24.0;
const float pi = 3.14159265;

// `uv`: texture coordinates. `light`: 0..1, linear. `radius`: radius of a dot, in pixels.
float fractal_dither(sampler3D dots, vec2 uv, float light, float radius) {
  vec2 across = dFdx(uv);
  vec2 down = dFdy(uv);
  float tiles = max(abs(across.x * down.y - across.y * down.x), 1e-12);  // under one pixel

  // Number of dots of this size per tile that give this light.
  float b = clamp(light, 0.001, 1.0);
  float wanted = b / (pi * radius * radius * tiles);
  float level = floor(log2(wanted / first_dots) / 2.0);
  float scale = exp2(level);
  float shown = wanted / (first_dots * scale * scale);  // 1..4, relative to the first layer
  float layer = (shown - 1.0) / 3.0 * (layers - 1.0);

  // Samples the middle of the layer, so that the last layer does not blend with the first.
  float near = texture(dots, vec3(uv * scale, (layer + 0.5) / layers)).r;
  // Radius of a dot over the spacing, enlarged for bright tones, in which dots merge.
  float part = 0.525 * sqrt(b) * (1.0 + 0.5 * pow(b, 6.0));
  float spacing = radius / (0.525 * sqrt(b));  // in pixels
  return clamp((near - 1.0 + part) * spacing + 0.5, 0.0, 1.0);
}
