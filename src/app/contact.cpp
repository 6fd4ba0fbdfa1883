#include "app/contact.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <optional>

#include "app/error_text.hpp"
#include "app/run/outputs.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "field/resample.hpp"
#include "generate/split_list.hpp"

namespace dapple::app {
namespace {

constexpr int picture_side = 560;  // pixels
constexpr std::size_t most_ways = 100;

struct Axis {
  std::string option;
  std::vector<std::string> values;
};

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::usage, Problem{"variants", why});
}

// Returns `number` values from lowest to highest. One value is the option's own or the middle.
Axis axis_of(const VariedOption& varied, const Run& base, int number) {
  Axis axis{std::string(varied.option), {}};
  const Option* option = base.options.find(varied.option);
  const double own = option == nullptr ? 0 : std::strtod(option->get().c_str(), nullptr);
  const bool by_factors = varied.base != 0;
  const double unit = own > 0 ? own : varied.base;
  for (int i = 0; i < number; ++i) {
    const double t = number == 1 ? 0.5 : static_cast<double>(i) / (number - 1);
    double value = own;
    if (by_factors) {
      value = std::round(unit * varied.lowest * portable_pow(varied.highest / varied.lowest, t));
    } else if (number > 1) {
      value = varied.lowest + t * (varied.highest - varied.lowest);
      value = std::round(100 * value) / 100;
    }
    axis.values.push_back(shortest(value));
  }
  return axis;
}

std::vector<Axis> grid_of(const std::string& text, const Run& base) {
  const auto& varied = base.operation->varied;
  const auto cross = text.find('x');
  const auto side = [&](const std::string& digits) {
    const bool number = !digits.empty() && digits.size() < 3 &&
                        digits.find_first_not_of("0123456789") == std::string::npos;
    return number ? std::stoi(digits) : 0;
  };
  const int columns = cross == std::string::npos ? 0 : side(text.substr(0, cross));
  const int rows = cross == std::string::npos ? 0 : side(text.substr(cross + 1));
  if (columns < 1 || rows < 1 || varied.size() < 2) {
    fail("expected an option with its values, such as seed=1,2,3" +
         std::string(varied.size() < 2 ? "" : ", or columns by rows, such as 3x3") + ", not '" +
         text + "'");
  }
  return {axis_of(varied[0], base, columns), axis_of(varied[1], base, rows)};
}

Axis named_axis(const std::string& text, const Run& base) {
  const auto equals = text.find('=');
  Axis axis{text.substr(0, equals), {}};
  if (axis.option.starts_with("--")) axis.option.erase(0, 2);
  if (axis.option != "seed" && base.options.find(axis.option) == nullptr) {
    const std::string near = base.options.nearest(axis.option);
    fail(std::string(base.operation->name) + " has no option '" + axis.option + "'" +
         (near.empty() ? "" : "; did you mean '" + near + "'?"));
  }
  const std::string values = text.substr(equals + 1);
  axis.values = split(values, values.find(';') == std::string::npos ? "," : ";");
  for (const std::string& value : axis.values) {
    if (value.empty()) fail("a value of '" + axis.option + "' is empty in '" + text + "'");
  }
  return axis;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  OptionList list;
  list.add("seed", seed, "").set(text);
  return seed;
}

Run copy_of(const Run& base) {
  Run run(*base.operation);
  apply(make_recipe(base.operation->name, base.options, false), run.options, "");
  run.input = base.input;
  return run;
}

}  // namespace

Variants variants_of(const Run& base, const std::vector<std::string>& texts, std::uint64_t seed) {
  std::vector<Axis> axes;
  for (const std::string& text : texts) {
    const auto more = text.find('=') == std::string::npos ? grid_of(text, base)
                                                          : std::vector{named_axis(text, base)};
    axes.insert(axes.end(), more.begin(), more.end());
  }
  if (axes.size() > 2) fail("a sheet has columns and rows: vary at most two options");
  if (axes.size() == 2 && axes[0].option == axes[1].option) {
    fail("'" + axes[0].option + "' sets both the columns and the rows: list all its values once");
  }
  if (axes.size() == 1) axes.push_back({"", {""}});
  const std::size_t number = axes[0].values.size() * axes[1].values.size();
  if (number > most_ways) {
    fail("a sheet holds at most " + std::to_string(most_ways) + " pictures, not " +
         std::to_string(number));
  }
  Variants made;
  made.columns = static_cast<int>(axes[0].values.size());
  for (const std::string& row : axes[1].values) {
    for (const std::string& column : axes[0].values) {
      Way way{"", copy_of(base), seed};
      const auto set = [&way](const Axis& axis, const std::string& value) {
        if (axis.option.empty()) return;
        way.label += (way.label.empty() ? "" : ", ") + axis.option + " " + value;
        if (Option* option = way.run.options.find(axis.option)) {
          option->set(value);
        } else {
          way.seed = seed_of(value);
        }
      };
      set(axes[0], column);
      set(axes[1], row);
      made.ways.push_back(std::move(way));
    }
  }
  return made;
}

Record write_contact_sheet(const SheetHead& head, std::vector<Way> ways, int columns,
                           const std::vector<std::string>& names, const RunOptions& options,
                           Context& context) {
  const auto start = std::chrono::steady_clock::now();
  const std::string input = ways.empty() ? "" : ways.front().run.input;
  const auto planned =
      plan_sheets(head.command, input, names, options.json, options.overwrite, context);
  for (const Way& way : ways) check_targets(planned, options.overwrite, other_files(way.run));
  Record record;
  record.command = head.command;
  record.seed = context.seed;
  // All variants have one input, which is read again only if its profile is used in another way.
  std::optional<Image> image;
  std::optional<Image> small;
  EmbeddedProfile profile{};
  const auto input_of = [&](const Way& way) -> const Image* {
    if (input.empty()) return nullptr;
    const Run& run = way.run;
    if (!image || profile != profile_in(run.options)) {
      const auto stage = context.stage("read");
      profile = profile_in(run.options);
      image = read_picture(input, run.operation->takes_frames, run.options, context);
      small.reset();
    }
    if (!way.of_small_input) return &*image;
    if (!small) small = reduced(*image, 2 * picture_side, context);
    return &*small;
  };
  if (!ways.empty()) input_of(ways.front());  // an input that is wrong ends all of them
  std::vector<Labeled> pictures;
  std::exception_ptr last;
  std::vector<std::string> labels(context.warnings().size());  // of the warnings
  for (Way& way : ways) {
    const auto number = static_cast<double>(&way - ways.data());
    const auto all = static_cast<double>(ways.size());
    const auto part = context.part(number / all, (number + 1) / all);
    try {
      context.seed = way.seed;
      load_files(way.run.options, context);
      Result result = way.run.job->run(input_of(way), context);
      context.check();
      pictures.push_back({way.label, picture_of_side(result, picture_side, context)});
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) throw;
      last = std::current_exception();
      record.warnings.push_back(way.label + " is left out: " + text_of(error));
    }
    labels.resize(context.warnings().size(), way.label);
  }
  context.seed = record.seed;
  if (pictures.empty()) std::rethrow_exception(last);
  const auto stage = context.stage("write");
  FileGroup files(options.overwrite);
  write_sheets(contact_sheet(pictures, columns, head.title, head.made_by, context), planned, files,
               context, record);
  commit(files, context);
  const std::size_t first = record.warnings.size();
  close_record(record, context, start);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (!labels[i].empty()) record.warnings[first + i].insert(0, labels[i] + ": ");
  }
  return record;
}

}  // namespace dapple::app
