// Implements options that name files.
#include <algorithm>
#include <utility>

#include "core/options/file_names.hpp"
#include "core/options/named_maps.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple {

namespace {

std::string key_of(const Option& option, const NamedMap& one) {
  return option.name + "-" + one.name;
}

std::string text_of(const std::vector<NamedMap>& maps) {
  std::string text;
  for (const NamedMap& one : maps) {
    if (!text.empty()) text += ",";
    text += one.name + "=" + one.map.path + ":" + to_text(one.radius);
  }
  return text;
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    // Bytes above ASCII belong to letters of other scripts.
    return is_letter || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           static_cast<unsigned char>(c) > 127;
  });
}

bool is_length(std::string_view text) {
  try {
    Length length;
    from_text(text, length);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// Returns the start of the radii in NAME=MAP:MIN:MAX or NAME=MAP:RADIUS, or npos if there are none.
std::size_t start_of_range(std::string_view item) {
  const std::size_t last = item.rfind(':');
  if (last == std::string_view::npos || !is_length(item.substr(last + 1))) return item.npos;
  const std::size_t before = last == 0 ? item.npos : item.rfind(':', last - 1);
  const bool is_range =
      before != item.npos && is_length(item.substr(before + 1, last - before - 1));
  return (is_range ? before : last) + 1;
}

void require_radii(const LengthRange& radius) {
  if (!radius.empty()) {
    // This throws for a range that from_text() would not accept.
    LengthRange again;
    from_text(to_text(radius), again);
    if (radius.min.value > 0) return;
  }
  throw Error(ErrorKind::usage, "must have radii above 0, not '" + to_text(radius) + "'");
}

NamedMap named_map_of(std::string_view item) {
  const auto fail = [&](const std::string& why) {
    return Error(ErrorKind::usage, why + ", not '" + std::string(item) + "'");
  };
  const std::size_t equals = item.find('=');
  const std::size_t range = start_of_range(item);
  if (equals == item.npos || range == item.npos || range <= equals + 1) {
    throw fail("must be NAME=MAP:MIN:MAX, such as oak=oaks.png:6:24");
  }
  NamedMap map;
  map.name = item.substr(0, equals);
  if (!is_name(map.name)) {
    throw fail("must begin with a name of letters, digits, - and _, such as oak=oaks.png:6:24");
  }
  map.map.path = item.substr(equals + 1, range - equals - 2);
  map.map.frames = true;
  if (map.map.path == "-")
    throw fail("must name a file, because standard input can be read only once");
  from_text(item.substr(range), map.radius);
  require_radii(map.radius);
  return map;
}

// Reads a list of maps. A path may hold commas: an item ends where a name follows a range.
std::vector<NamedMap> named_maps_of(std::string_view text) {
  std::vector<NamedMap> maps;
  while (!text.empty()) {
    std::size_t end = text.find(',');
    for (; end != text.npos; end = text.find(',', end + 1)) {
      const std::string_view rest = text.substr(end + 1);
      const std::size_t equals = rest.find('=');
      if (equals != rest.npos && is_name(rest.substr(0, equals)) &&
          start_of_range(text.substr(0, end)) != text.npos) {
        break;
      }
    }
    maps.push_back(named_map_of(text.substr(0, end)));
    text = end == text.npos ? "" : text.substr(end + 1);
  }
  return maps;
}

}  // namespace

Option& OptionList::add(std::string_view name, ImageInput& field, std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::image, doc, [&field] { return field.path; },
                       [&field](std::string_view text) {
                         field.path = std::string(text);
                         field.image = nullptr;
                       },
                       {&field, Option::see<ImageInput>, nullptr})
                       .metavar("IMAGE");
  option.image_input = &field;
  return option;
}

Option& OptionList::add(std::string_view name, PointsInput& field, std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::points, doc, [&field] { return field.path; },
                       [&field](std::string_view text) {
                         field = {std::string(text), nullptr, field.whole_rows};
                       },
                       {&field, Option::see<PointsInput>, nullptr})
                       .metavar("FILE");
  option.points_input = &field;
  return option;
}

Option& OptionList::add(std::string_view name, MeshInput& field, std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::mesh, doc, [&field] { return field.path; },
                       [&field](std::string_view text) {
                         field = {std::string(text), nullptr};
                       },
                       {&field, Option::see<MeshInput>, nullptr})
                       .metavar("MESH");
  option.mesh_input = &field;
  return option;
}

Option& OptionList::add(std::string_view name, RegionsInput& field, std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::text_file, doc, [&field] { return field.path; },
                       [&field](std::string_view text) {
                         field = {std::string(text), nullptr};
                       },
                       {&field, Option::see<RegionsInput>, nullptr})
                       .metavar("FILE");
  option.regions_input = &field;
  return option;
}

Option& Option::or_words() {
  takes_words_ = true;
  return *this;
}

bool Option::names_file() const {
  if (named_maps != nullptr) {
    return std::any_of(named_maps->begin(), named_maps->end(),
                       [](const NamedMap& one) { return !one.map.path.empty(); });
  }
  // For most options no text is needed.
  if (outline_input != nullptr) return !outline_input->path.empty();
  if (image_input != nullptr) return !image_input->path.empty();
  if (points_input != nullptr) return !points_input->path.empty();
  if (mesh_input != nullptr) return !mesh_input->path.empty();
  if (regions_input != nullptr) return !regions_input->path.empty();
  if (text_input == nullptr) return false;
  const std::string& value = text_input->path;
  if (value.empty() || value.starts_with("#")) return false;
  return !takes_words_ || is_file_name(value);
}

std::vector<Option::File> Option::files() const {
  std::vector<File> files;
  if (named_maps == nullptr) {
    if (names_file()) files.push_back({name, get()});
    return files;
  }
  for (const NamedMap& one : *named_maps) {
    if (!one.map.path.empty()) files.push_back({key_of(*this, one), one.map.path});
  }
  return files;
}

std::string Option::text_with(const Path& path_of) const {
  if (!names_file()) return get();
  if (named_maps == nullptr) return path_of({name, get()});
  std::vector<NamedMap> others = *named_maps;
  for (NamedMap& one : others) {
    if (!one.map.path.empty()) one.map.path = path_of({key_of(*this, one), one.map.path});
  }
  return text_of(others);
}

void Option::name_files(const Path& path_of) {
  set(text_with(path_of));
}

void check_named_maps(const Option& option) {
  const auto fail = [&](const std::string& why) {
    return Error(ErrorKind::usage, Problem{option.name, why});
  };
  std::vector<std::string> names;
  for (const NamedMap& one : *option.named_maps) {
    if (!is_name(one.name)) {
      throw fail("must have names of letters, digits, - and _, not '" + one.name + "'");
    }
    if (std::find(names.begin(), names.end(), one.name) != names.end()) {
      throw fail("has the name '" + one.name + "' twice");
    }
    names.push_back(one.name);
    try {
      require_radii(one.radius);
    } catch (const Error& error) {
      throw fail(error.problems().front().message);
    }
    if (one.map.image == nullptr && !one.map.path.empty()) {
      throw fail("its file '" + one.map.path + "' was not read");
    }
  }
}

bool Option::is_loaded() const {
  if (named_maps != nullptr) {
    return !named_maps->empty() &&
           std::all_of(named_maps->begin(), named_maps->end(),
                       [](const NamedMap& one) { return one.map.image != nullptr; });
  }
  return (image_input != nullptr && image_input->image != nullptr) ||
         (points_input != nullptr && points_input->points != nullptr) ||
         (mesh_input != nullptr && mesh_input->mesh != nullptr) ||
         (regions_input != nullptr && regions_input->regions != nullptr) ||
         (text_input != nullptr && text_input->text != nullptr) ||
         (outline_input != nullptr && outline_input->outline != nullptr);
}

Option& OptionList::add(std::string_view name, TextInput& field, std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::text_file, doc, [&field] { return field.path; },
                       [&field](std::string_view text) {
                         field = {std::string(text), nullptr};
                       },
                       {&field, Option::see<TextInput>, nullptr})
                       .metavar("FILE");
  option.text_input = &field;
  return option;
}

Option& OptionList::add_each(std::string_view name, std::vector<NamedMap>& field,
                             std::string_view doc) {
  Option& option = add_bound(
                       name, OptionType::list, doc, [&field] { return text_of(field); },
                       [&field](std::string_view text) {
                         for (NamedMap& one : named_maps_of(text)) {
                           const auto same = std::find_if(
                               field.begin(), field.end(),
                               [&](const NamedMap& other) { return other.name == one.name; });
                           if (same == field.end()) {
                             field.push_back(std::move(one));
                           } else {
                             *same = std::move(one);
                           }
                         }
                       },
                       {&field, Option::see<std::vector<NamedMap>>, nullptr})
                       .metavar("NAME=MAP:MIN:MAX");
  option.repeats = true;
  option.named_maps = &field;
  return option;
}

Option& OptionList::or_outline(Option& option, std::size_t after, OutlineInput& file,
                               std::function<void(std::size_t)> set) {
  const auto is_file = [](std::string_view text) {
    return text.find_first_of("./") != std::string_view::npos;
  };
  option.get_ = [&file, word = std::move(option.get_)] {
    if (!file.path.empty()) return file.path;
    return file.outline == nullptr ? word() : "";
  };
  option.set_ = [&file, is_file, after, set = std::move(set),
                 set_word = std::move(option.set_)](std::string_view text) {
    file = {};
    if (!is_file(text)) return set_word(text);
    file.path = text;
    set(after);
  };
  option.outline_input = &file;
  option.bits_ = nullptr;
  if (file.path.empty() && file.outline == nullptr && option.see_ != nullptr) return option;
  option.see_ = nullptr;
  return option.or_form("FILE.svg", is_file).metavar(option.meta + "|FILE.svg");
}

}  // namespace dapple
