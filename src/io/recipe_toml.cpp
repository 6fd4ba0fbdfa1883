// Reads and writes recipes as TOML, by toml++. The reader stores the place of every key, so that
// later errors in a value can name file:line:column.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
#include <set>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/recipe.hpp"
#include "dapple/units.hpp"
#include "io/jobs_toml.hpp"
#include "io/utf8.hpp"

namespace dapple {
namespace {

constexpr std::string_view hash_suffix = "_hash";

std::string place(const std::string& file, int line, int column) {
  std::string text = file;
  if (line > 0) {
    if (!text.empty()) text += ":";
    text += std::to_string(line) + ":" + std::to_string(column);
  }
  return text;
}

std::string place(const std::string& file, const toml::source_position& at) {
  return place(file, static_cast<int>(at.line), static_cast<int>(at.column));
}

// Returns the comment at the start of the file, without its # and one space each.
std::string leading_comment(std::string_view toml) {
  std::string comment;
  while (toml.starts_with("#")) {
    const auto end = toml.find('\n');
    std::string_view line = toml.substr(1, end == std::string_view::npos ? end : end - 1);
    if (line.starts_with(" ")) line.remove_prefix(1);
    if (line.ends_with("\r")) line.remove_suffix(1);
    if (!comment.empty()) comment += "\n";
    comment += line;
    if (end == std::string_view::npos) break;
    toml.remove_prefix(end + 1);
  }
  return comment;
}

// Returns a value as text for Option::set; nothing for types that no option has.
std::optional<std::string> text_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return name_of_utf8(text->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (const auto* whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* number = node.as_floating_point()) return shortest(number->get());
  const auto* items = node.as_array();
  if (items == nullptr) return std::nullopt;
  std::string joined;
  for (const toml::node& item : *items) {
    if (item.is_array()) return std::nullopt;
    const auto text = text_of(item);
    if (!text || text->find(',') != std::string::npos) return std::nullopt;
    if (!joined.empty()) joined += ",";
    joined += *text;
  }
  return joined;
}

// Restores the order of the file, as toml++ sorts by key.
template <class Entry>
void sort_as_in_the_file(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::pair(a.line, a.column) < std::pair(b.line, b.column);
  });
}

// Reads one key into the recipe. Returns an error message, or "".
std::string read_key(Recipe& recipe, const toml::key& key, const toml::node& node) {
  const std::string name(key.str());
  if (node.is_table()) return "'" + name + "' is a table, but a recipe is a flat list of options";
  if (name == "seed") {
    const auto* seed = node.as_integer();
    if (seed == nullptr || seed->get() < 0) {
      return "seed: expected a whole number from 0 to 9223372036854775807";
    }
    recipe.seed = static_cast<std::uint64_t>(seed->get());
    recipe.has_seed = true;
    return "";
  }
  std::string* text = nullptr;
  if (name == "command") text = &recipe.command;
  if (name == "version") text = &recipe.version;
  if (name == "input") text = &recipe.input;
  if (name == "input_hash") text = &recipe.input_hash;
  if (text == nullptr && name.ends_with(hash_suffix)) {
    text = &recipe.file_hashes
                .emplace_back(name.substr(0, name.size() - hash_suffix.size()), std::string())
                .second;
  }
  if (text != nullptr) {
    const auto* value = node.as_string();
    if (value == nullptr) return name + ": expected a text in quotes";
    *text = name_of_utf8(value->get());
    return "";
  }
  auto value = text_of(node);
  if (!value) {
    return name + ": expected a text, a number, true, false or a list of texts without commas";
  }
  recipe.settings.push_back({name, std::move(*value), static_cast<int>(key.source().begin.line),
                             static_cast<int>(key.source().begin.column)});
  return "";
}

bool is_key(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                              "XYZ0123456789-_") == std::string_view::npos;
}

// Returns true if TOML reads the text as the same 64-bit integer.
bool is_integer(std::string_view text) {
  const auto whole = parse_number<std::int64_t>(text);
  return whole && std::to_string(*whole) == text;
}

// Returns a number in TOML notation, or "" if `text` is not a number. Options print the shortest
// decimal, which may look like an integer that TOML cannot hold.
std::string number(std::string_view text) {
  if (text.find_first_not_of("0123456789+-.e") != std::string_view::npos) return "";
  if (text.find_first_of("0123456789") == std::string_view::npos) return "";
  const bool looks_whole = text.find_first_of(".e") == std::string_view::npos;
  return looks_whole && !is_integer(text) ? std::string(text) + ".0" : std::string(text);
}

std::string array(std::string_view text) {
  std::string out = "[";
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    if (out.size() > 1) out += ", ";
    out += toml_text(text.substr(0, comma));
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return out + "]";
}

std::string value(const Option* option, const std::string& text) {
  const OptionType type = option == nullptr ? OptionType::text : option->type;
  if (type == OptionType::flag && (text == "true" || text == "false")) return text;
  if (type == OptionType::integer && is_integer(text)) return text;
  if (type == OptionType::number) {
    if (std::string bare = number(text); !bare.empty()) return bare;
  }
  if (type == OptionType::list) return array(text);
  return toml_text(text);
}

// ---- batch files --------------------------------------------------------------------------------

constexpr double most_values = 1e6;
constexpr double most_in_range = 9007199254740992;

// Reads from, from + step, ... up to `to`, as exact decimals without binary rounding errors.
std::string read_range(const toml::table& table, JobKey& key) {
  for (auto&& [name, node] : table) {
    if (name != "from" && name != "to" && name != "step") {
      return key.name + ": a range has from, to and step, not '" + std::string(name.str()) + "'";
    }
    if (!node.is_number()) return key.name + ": " + std::string(name.str()) + " must be a number";
  }
  if (!table.contains("from") || !table.contains("to")) {
    return key.name + ": a range needs from and to, such as { from = 1, to = 300 }";
  }
  // The numbers must be exact as doubles, so that sums of whole numbers do not overflow. toml++
  // returns no double for larger integers.
  const double from = table["from"].value_or(HUGE_VAL);
  const double to = table["to"].value_or(HUGE_VAL);
  const double step = table.contains("step") ? table["step"].value_or(HUGE_VAL) : 1;
  if (!(std::abs(from) <= most_in_range && std::abs(to) <= most_in_range &&
        std::abs(step) <= most_in_range)) {
    return key.name + ": from, to and step must be from -9007199254740992 to 9007199254740992";
  }
  const double count = std::floor((to - from) / step + 1e-9) + 1;
  if (!(count >= 1)) return key.name + ": the range is empty: step must lead from `from` to `to`";
  if (!(count <= most_values)) return key.name + ": the range has more than a million values";
  const bool whole = table["from"].is_integer() && (!table["step"] || table["step"].is_integer());
  for (double i = 0; i < count; ++i) {
    if (whole) {
      const auto first = *table["from"].value<std::int64_t>();
      const auto by = table["step"].value_or(std::int64_t{1});
      key.values.push_back(std::to_string(first + static_cast<std::int64_t>(i) * by));
    } else {
      key.values.push_back(number_text(from + i * step, std::chars_format::general, 12));
    }
  }
  return "";
}

// Reads the value of one key of a job. Returns an error message, or "".
std::string read_job_key(const toml::node& node, JobKey& key) {
  if (const auto* table = node.as_table()) return read_range(*table, key);
  const auto* items = node.as_array();
  if (items == nullptr) {
    const auto text = text_of(node);
    if (!text) return key.name + ": expected a text, a number, true, false, a list or a range";
    key.values.push_back(*text);
    return "";
  }
  key.list = true;
  if (items->empty()) return key.name + ": the list is empty, so there is nothing to do";
  for (const toml::node& item : *items) {
    const auto text = item.is_table() ? std::nullopt : text_of(item);
    if (!text) return key.name + ": expected a list of texts, numbers or lists of texts";
    if (!key.joined.empty()) key.joined += ",";
    key.joined += *text;
    key.values.push_back(*text);
  }
  return "";
}

class JobsReader {
 public:
  explicit JobsReader(const std::string& file) : file_(file) {}

  std::vector<JobTable> read(const toml::table& root) {
    JobTable defaults;
    std::vector<JobTable> jobs;
    for (auto&& [key, node] : root) {
      if (key != "job") {
        add_key(key, node, defaults);
      } else if (node.is_table()) {
        jobs.push_back(table_of(*node.as_table()));
      } else if (node.is_array_of_tables()) {
        for (const toml::node& table : *node.as_array())
          jobs.push_back(table_of(*table.as_table()));
      } else {
        problem(key, "expected [[job]] tables");
      }
    }
    if (!problems_.empty()) throw Error(ErrorKind::usage, problems_);
    sort_as_in_the_file(defaults.keys);
    for (JobTable& job : jobs) add_defaults(job, defaults);
    return jobs;
  }

 private:
  void problem(const toml::key& key, const std::string& what) {
    problems_.push_back({"", what, place(file_, key.source().begin)});
  }

  JobTable table_of(const toml::table& table) {
    JobTable job;
    job.line = static_cast<int>(table.source().begin.line);
    for (auto&& [key, node] : table) add_key(key, node, job);
    sort_as_in_the_file(job.keys);
    return job;
  }

  void add_key(const toml::key& key, const toml::node& node, JobTable& job) {
    JobKey read;
    read.name = key.str();
    read.line = static_cast<int>(key.source().begin.line);
    read.column = static_cast<int>(key.source().begin.column);
    const std::string wrong = read_job_key(node, read);
    if (!wrong.empty()) problem(key, wrong);
    job.keys.push_back(std::move(read));
  }

  static void add_defaults(JobTable& job, const JobTable& defaults) {
    std::set<std::string> own;
    for (const JobKey& key : job.keys) own.insert(key.name);
    std::vector<JobKey> keys;
    for (const JobKey& key : defaults.keys) {
      if (!own.contains(key.name)) keys.push_back(key);
    }
    job.keys.insert(job.keys.begin(), keys.begin(), keys.end());
  }

  const std::string& file_;
  std::vector<Problem> problems_;
};

// Returns a text with a NUL character, which would end a name early, or null.
const toml::node* find_nul(const toml::node& node) {
  const toml::node* found = nullptr;
  if (const auto* text = node.as_string()) {
    return text->get().find('\0') == std::string::npos ? nullptr : &node;
  }
  if (const auto* items = node.as_array()) {
    for (const toml::node& item : *items) found = found != nullptr ? found : find_nul(item);
  }
  if (const auto* table = node.as_table()) {
    for (auto&& [key, item] : *table) found = found != nullptr ? found : find_nul(item);
  }
  return found;
}

// Returns the length of the string that `toml` begins with.
std::size_t length_of_string(std::string_view toml) {
  const char quote = toml.front();
  const std::string_view mark = toml.substr(0, toml.starts_with(std::string(3, quote)) ? 3 : 1);
  for (std::size_t i = mark.size(); i < toml.size(); ++i) {
    if (quote == '"' && toml[i] == '\\') {
      ++i;
    } else if (toml.substr(i).starts_with(mark)) {
      return i + mark.size();
    } else if (mark.size() == 1 && toml[i] == '\n') {
      return i;
    }
  }
  return toml.size();
}

// Throws Error(usage) for a dotted key such as a.b.c with very many parts. toml++ makes a table of
// each part and deletes them by recursion, which overflows the stack.
void require_short_keys(std::string_view toml, const std::string& file) {
  constexpr int most_dots = 100;
  int dots = 0;
  int line = 1;
  while (!toml.empty()) {
    const char c = toml.front();
    std::size_t length = 1;
    if (c == '#') {
      length = std::min(toml.find('\n'), toml.size());
    } else if (c == '"' || c == '\'') {
      length = length_of_string(toml);
    } else if (c == '.') {
      ++dots;
    } else if (c != ' ' && c != '\t' && !is_key(toml.substr(0, 1))) {
      dots = 0;
    }
    if (dots > most_dots) {
      throw Error(ErrorKind::usage,
                  Problem{"", "a key has more than " + std::to_string(most_dots) + " dots",
                          place(file, line, 1)});
    }
    line += static_cast<int>(
        std::count(toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(length), '\n'));
    toml.remove_prefix(length);
  }
}

toml::table parse_toml(std::string_view toml, const std::string& file) {
  require_short_keys(toml, file);
  try {
    toml::table table = toml::parse(toml, file);
    if (const toml::node* nul = find_nul(table)) {
      throw Error(ErrorKind::usage, Problem{"", "the text contains a NUL character: leave it out",
                                            place(file, nul->source().begin)});
    }
    return table;
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::usage,
                Problem{"", std::string(error.description()), place(file, error.source().begin)});
  }
}

}  // namespace

Recipe parse_recipe(std::string_view toml, const std::string& file) {
  const toml::table table = parse_toml(toml, file);
  Recipe recipe;
  recipe.comment = leading_comment(toml);
  std::vector<Problem> problems;
  for (auto&& [key, node] : table) {
    const std::string problem = read_key(recipe, key, node);
    if (!problem.empty()) problems.push_back({"", problem, place(file, key.source().begin)});
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  sort_as_in_the_file(recipe.settings);
  return recipe;
}

std::string toml_text(std::string_view text) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "\"";
  for (const char character : utf8_of_name(text)) {
    const auto c = static_cast<unsigned char>(character);
    if (c < 0x20 || c == 0x7f) {
      out += "\\u00";
      out += hex[c >> 4];
      out += hex[c & 15];
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += character;
    }
  }
  return out + "\"";
}

std::vector<JobTable> parse_jobs(std::string_view toml, const std::string& file) {
  return JobsReader(file).read(parse_toml(toml, file));
}

namespace {

// Returns true if 0 means that the option was not set. Recipes of earlier versions hold this 0 for
// options that must be above 0.
bool is_former_none(const Option& option, std::string_view text) {
  return text == "0" && option.default_text == "none" && option.minimum && *option.minimum > 0;
}

// Returns the message for a setting that no option has.
std::string about_unknown(const std::string& name, const OptionList& options) {
  const std::string none = "there is no option '" + name + "'";
  // Earlier versions of `stipple` had this option.
  if (name == "edges" && options.find("sharpen") != nullptr) return none + ": use 'sharpen'";
  const std::string near = options.nearest(name);
  return none + (near.empty() ? "" : "; did you mean '" + near + "'?");
}

}  // namespace

void apply(const Recipe& recipe, OptionList& options, const std::string& file) {
  std::vector<Problem> problems;
  for (const Recipe::Setting& setting : recipe.settings) {
    const std::string where = place(file, setting.line, setting.column);
    Option* option = options.find(setting.name);
    if (option == nullptr) {
      problems.push_back({"", about_unknown(setting.name, options), where});
      continue;
    }
    try {
      option->set(is_former_none(*option, setting.text) ? "none" : setting.text);
    } catch (const Error& error) {
      problems.push_back({error.option(), error.problems().front().message, where});
    }
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
}

Recipe make_recipe(std::string_view command, const OptionList& options, bool all) {
  Recipe recipe;
  recipe.command = command;
  for (const auto& option : options) {
    const bool is_default = option->is_default();
    if (is_default && !all) continue;
    const std::string text = option->get();
    // A text that was emptied on purpose is a setting too; a text that is empty by default is not.
    if (is_default && text.empty()) continue;
    recipe.settings.push_back({option->name, text, 0, 0});
  }
  return recipe;
}

std::string to_toml(const Recipe& recipe, const OptionList& options) {
  std::string out;
  const auto line = [&](const std::string& key, const std::string& text) {
    out += (is_key(key) ? key : toml_text(key)) + " = " + text + "\n";
  };
  if (!recipe.comment.empty()) {
    std::size_t end = 0;
    for (std::size_t at = 0; end != std::string::npos; at = end + 1) {
      end = recipe.comment.find('\n', at);
      const std::string text = recipe.comment.substr(at, end - at);
      out += text.empty() ? "#\n" : "# " + text + "\n";
    }
  }
  if (!recipe.command.empty()) line("command", toml_text(recipe.command));
  if (!recipe.version.empty()) line("version", toml_text(recipe.version));
  if (!recipe.input.empty()) line("input", toml_text(recipe.input));
  if (!recipe.input_hash.empty()) line("input_hash", toml_text(recipe.input_hash));
  if (recipe.has_seed) line("seed", std::to_string(recipe.seed));
  for (const Recipe::Setting& setting : recipe.settings) {
    line(setting.name, value(options.find(setting.name), setting.text));
  }
  for (const auto& [name, hash] : recipe.file_hashes) {
    line(name + std::string(hash_suffix), toml_text(hash));
  }
  return out;
}

}  // namespace dapple
