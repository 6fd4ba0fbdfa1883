// Writes JSON Schemas (2020-12) of recipes and batch files from the options of the commands, for
// editors that complete and check TOML.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/help/help.hpp"
#include "app/help/schema.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

Json text() {
  return {{"type", "string"}};
}

Json or_list(const Json& item) {
  return {{"anyOf", {item, {{"type", "array"}, {"items", item}, {"minItems", 1}}}}};
}

// Returns the schema of the words of an option. TOML may also hold words such as 16 as numbers.
Json words_of(const Option& option) {
  Json words = Json::array();
  for (const std::string& word : option.choices) {
    words.push_back(word);
    if (const auto number = parse_number<std::int64_t>(word)) words.push_back(*number);
  }
  const Json listed{{"enum", std::move(words)}};
  if (option.other_form.empty() && option.outline_input == nullptr) return listed;
  return {{"anyOf", {listed, text()}}};
}

// Returns the schema of a number. Texts are accepted too, such as "10k" and "none".
Json number_of(const Option& option) {
  Json number{{"type", option.type == OptionType::integer ? "integer" : "number"}};
  if (option.minimum && *option.minimum > -1e300) number["minimum"] = *option.minimum;
  if (option.maximum) number["maximum"] = *option.maximum;
  const bool has_none = option.meta.ends_with("|none");
  return {{"anyOf",
           {number,
            {{"type", "string"},
             {"pattern", std::string("^([-+]?[0-9.][0-9,.]*(e[-+]?[0-9]+)?[kKM]?") +
                             (has_none ? "|none" : "") + ")$"}}}}};
}

Json value_of(const Option& option) {
  const Json scalar{{"type", {"string", "number"}}};
  switch (option.type) {
    case OptionType::flag:
      return {{"type", "boolean"}};
    case OptionType::integer:
    case OptionType::number:
      return number_of(option);
    case OptionType::list:
      // A text may hold several words between commas.
      return {{"anyOf",
               {{{"type", "array"}, {"items", option.choices.empty() ? scalar : words_of(option)}},
                text()}}};
    case OptionType::text:
      if (!option.choices.empty()) return words_of(option);
      return option.meta.find(',') == std::string::npos ? scalar : or_list(scalar);
    case OptionType::text_file:
      return or_list(text());
    default:
      return text();
  }
}

Json property_of(const Option& option, bool in_jobs) {
  Json schema = value_of(option);
  if (option.name == "seed") schema = {{"type", "integer"}, {"minimum", 0}};
  if (in_jobs) {
    schema = or_list(schema);
    if (option.type == OptionType::integer || option.type == OptionType::number ||
        (option.type == OptionType::text && option.choices.empty())) {
      schema["anyOf"].push_back({{"$ref", "#/$defs/range"}});
    }
  }
  schema["description"] = meaning_of(option);
  return schema;
}

// Returns the keys of an operation's recipes or jobs.
Json keys_of(const Operation& operation, bool in_jobs) {
  Json keys{{"command", {{"const", operation.name}}}};
  keys["input"] = in_jobs ? or_list(text()) : text();
  keys["input"]["description"] = "File that the command reads";
  if (in_jobs) {
    keys["output"] = or_list(text());
    keys["output"]["description"] = "Files to write; names may contain {stem}, {seed} and {OPTION}";
  } else {
    keys["version"] = text();
  }
  const auto add = [&](const Option& option) {
    keys[option.name] = property_of(option, in_jobs);
    if (option.other_name.empty()) return;
    keys[option.other_name] = keys[option.name];
    keys[option.other_name]["deprecated"] = true;
  };
  const auto invocation = find_command(operation.name)->make();
  for (const auto& option : invocation->options()) add(*option);
  for (const char* name : {"seed", "machine", "preset", "overwrite", "no-recipe", "material"}) {
    const Option* const option = invocation->common.find(name);
    const bool is_of_recipe =
        std::string_view(name) == "seed" || std::string_view(name) == "machine";
    if (option != nullptr && (in_jobs || is_of_recipe)) add(*option);
  }
  return keys;
}

// Returns an object without other keys. Recipes also hold hashes of files.
Json closed(Json keys, bool in_jobs) {
  Json object{{"type", "object"}, {"properties", std::move(keys)}};
  if (!in_jobs) object["patternProperties"] = {{"_hash$", text()}};
  object["additionalProperties"] = false;
  return object;
}

// Returns an object with the keys of any command, which a command restricts to its own. `defs`
// receives the objects of the commands.
Json any_of(const std::vector<const Operation*>& rows, bool in_jobs, Json& defs) {
  Json keys = Json::object();
  Json names = Json::array();
  Json rules = Json::array();
  for (const Operation* operation : rows) {
    const std::string name(operation->name);
    const Json own = keys_of(*operation, in_jobs);
    names.push_back(name);
    for (const auto& item : own.items()) {
      Json& known = keys[item.key()]["anyOf"];
      const auto is_same = [&](const Json& reference) {
        const Json::json_pointer at(reference["$ref"].get<std::string>().substr(7));  // #/$defs
        return defs.at(at) == item.value();
      };
      if (known.is_null()) known = Json::array();
      if (std::any_of(known.begin(), known.end(), is_same)) continue;
      known.push_back({{"$ref", "#/$defs/" + name + "/properties/" + item.key()}});
    }
    defs[name] = closed(own, in_jobs);
    rules.push_back(
        {{"if", {{"properties", {{"command", {{"const", name}}}}}, {"required", {"command"}}}},
         {"then", {{"$ref", "#/$defs/" + name}}}});
  }
  keys["command"] = {{"enum", std::move(names)}, {"description", "Command of dapple"}};
  Json object = closed(std::move(keys), in_jobs);
  object["allOf"] = std::move(rules);
  return object;
}

}  // namespace

std::string json_schema_text(const std::string& kind, const std::string& command) {
  std::vector<const Operation*> rows;
  for (const Operation& operation : operations()) {
    const bool is_meant = command.empty() || command == operation.name;
    if (operation.make != nullptr && is_meant) rows.push_back(&operation);
  }
  if (rows.empty()) {
    throw Error(ErrorKind::usage, "`dapple " + command + "` has no recipes: leave the command out");
  }
  const bool in_jobs = kind == "batch";
  Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
              {"title", in_jobs ? "Batch file of dapple" : "Recipe of dapple"}};
  Json defs = Json::object();
  Json object = any_of(rows, in_jobs, defs);
  if (in_jobs) {
    const Json number{{"type", "number"}};
    defs["range"] = closed({{"from", number}, {"to", number}, {"step", number}}, true);
    defs["range"]["required"] = {"from", "to"};
    defs["job"] = object;
    // Keys above the first job hold for all jobs, whatever their commands.
    object.erase("allOf");
    object["properties"]["job"] = or_list({{"$ref", "#/$defs/job"}});
  }
  schema.update(object);
  schema["$defs"] = std::move(defs);
  return text_of(schema);
}

}  // namespace dapple::app
