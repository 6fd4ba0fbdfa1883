// what_is_refused: errors as a program meets them: their kind, the options at fault all at once,
// and the sentence for a user. Nothing that is asked of the library ends the program that asks.
#include <cstdio>
#include <functional>
#include <limits>

#include <dapple/error.hpp>
#include <dapple/mask.hpp>
#include <dapple/recipe.hpp>
#include <dapple/sample.hpp>

namespace {

// Whether that was refused, by an error of this kind.
bool refuses(dapple::ErrorKind kind, const std::function<void()>& asked) {
  try {
    asked();
  } catch (const dapple::Error& error) {
    for (const dapple::Problem& problem : error.problems()) {
      std::printf("%s: %s\n", problem.option.empty() ? "(no option)" : problem.option.c_str(),
                  problem.message.c_str());
    }
    return error.kind() == kind;
  }
  std::printf("nothing was said\n");
  return false;
}

}  // namespace

int main() {
  using dapple::ErrorKind;
  dapple::Context context;
  bool all = refuses(ErrorKind::usage, [&] {
    dapple::MaskOptions options;
    options.channels = 9;
    options.sigma = -1;
    dapple::make_mask(options, context);
  });
  all &= refuses(ErrorKind::usage, [] { dapple::parse_recipe("dots = [", "mine.toml"); });
  all &= refuses(ErrorKind::usage, [] {
    dapple::DensityField::constant({10, 10, true}, std::numeric_limits<double>::quiet_NaN());
  });
  all &= refuses(ErrorKind::input, [] {
    dapple::PointSet points;
    points.domain = {10, 10, false};
    points.add({5, 11}, 1);
    dapple::validate(points);
  });
  all &= refuses(ErrorKind::limit, [&] {
    context.limits.max_pixels = 1000;
    dapple::MaskOptions options;
    options.size = {64, 64};
    dapple::make_mask(options, context);
  });
  return all ? 0 : 1;
}
