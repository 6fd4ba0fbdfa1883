// what_is_refused: shows errors as a program catches them: the kind, all options at fault at once,
// and the message for a user. No wrong request to the library ends the program.
#include <cstdio>
#include <functional>
#include <limits>

#include <dapple/error.hpp>
#include <dapple/mask.hpp>
#include <dapple/recipe.hpp>
#include <dapple/sample.hpp>

namespace {

// Returns true if `asked` throws an Error of this kind; prints its problems.
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
  std::printf("no error was thrown\n");
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
    dapple::Points points;
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
