// stipple_a_photo PHOTO OUT.svg: turns a photo into a drawing for a plotter; reports progress and
// errors.
#include <cstdio>

#include <dapple/dapple.hpp>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: stipple_a_photo PHOTO OUT.svg\n");
    return 2;
  }
  try {
    dapple::Context context;
    context.on_progress = [](std::string_view stage, double fraction) {
      std::fprintf(stderr, "\r%-12.*s %3.0f %%", static_cast<int>(stage.size()), stage.data(),
                   100 * fraction);
    };
    const dapple::Image photo = dapple::read_image(argv[1], context.limits);
    dapple::PictureOptions field;
    dapple::StippleOptions options;
    options.dots = 4000;
    const dapple::Stippling result = dapple::stipple(photo, field, options, context);
    dapple::write_file(argv[2], dapple::encode_svg(result.drawing), dapple::Overwrite::always);
    std::fprintf(stderr, "\r%zu dots\n", result.dots.size());
    return 0;
  } catch (const dapple::Error& error) {
    std::fprintf(stderr, "\n%s\n", error.what());
    return 1;
  }
}
