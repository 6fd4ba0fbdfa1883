// Writes images as source code of the languages in a table, and as JSON. Names have a prefix or a
// suffix, so that no file name becomes a keyword of the language.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "dapple/version.hpp"
#include "io/images/formats.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

constexpr const char* freedom =
    "Free to use for any purpose, without attribution: it belongs to whoever made it.";

bool integers(const Image& image) {
  return image.type == PixelType::u8 || image.type == PixelType::u16;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string size_text(const Image& image) {
  std::string text = std::to_string(image.width()) + " x " + std::to_string(image.slice_height());
  if (image.slices > 1) text += " x " + std::to_string(image.slices);
  const std::size_t channels = image.channels.size();
  return text + (channels > 1 ? ", " + std::to_string(channels) + " channels" : "");
}

std::string range_text(const Image& image) {
  if (!integers(image)) return "32-bit floats";
  return image.type == PixelType::u8 ? "integers 0 to 255" : "integers 0 to 65535";
}

// The letter after a number: none, f if a float needs it, u if an unsigned integer needs it.
struct Suffixes {
  const char* integer = "";
  const char* real = "";
};

std::string literal_of(float value, const Image& image, const Suffixes& suffixes) {
  if (integers(image)) return std::to_string(level_of(value, image.type)) + suffixes.integer;
  if (!std::isfinite(value)) {
    throw Error(ErrorKind::output, "source code cannot hold a value that is not finite");
  }
  std::string text = number_text(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + suffixes.real;
}

// Returns the values in lines of up to 98 characters, separated by commas. Above 1, `per_word`
// integers share a word of 32 bits, the first in the lowest bits.
std::string values_text(const Image& image, const Suffixes& suffixes, int per_word = 1) {
  std::string text;
  const std::size_t pixels = image.channels.front().size();
  text.reserve(pixels * image.channels.size() * 6);
  std::size_t line = 0;
  const auto add = [&](const std::string& number) {
    if (!text.empty()) text += ',';
    if (text.size() - line + number.size() > 98) {
      text += '\n';
      line = text.size();
    }
    text += number;
  };
  std::uint32_t word = 0;
  int held = 0;
  const auto add_word = [&] {
    if (held > 0) add(std::to_string(word) + suffixes.integer);
    word = 0;
    held = 0;
  };
  for (std::size_t i = 0; i < pixels; ++i) {
    for (const Plane<float>& plane : image.channels) {
      if (per_word == 1) {
        add(literal_of(plane.values()[i], image, suffixes));
      } else {
        word |= level_of(plane.values()[i], image.type) << (32 / per_word * held);
        if (++held == per_word) add_word();
      }
    }
  }
  add_word();
  return text;
}

std::array<std::pair<std::string, int>, 4> sizes_of(const Image& image) {
  return {{{"width", image.width()},
           {"height", image.slice_height()},
           {"depth", image.slices},
           {"channels", static_cast<int>(image.channels.size())}}};
}

// The parts of a file in a language. filled() replaces the names in braces.
struct Language {
  std::string_view extension;
  std::string_view name;
  std::array<std::string_view, 3> types;  // of integers of 8 and 16 bits, and of floats
  std::string_view size;                  // defines a size
  std::string_view text;
  Suffixes suffixes = {};  // of the values
  std::string_view parameter = "uint {name}";
  std::string_view function = "dapple_{id}";
  std::string_view number = "u";  // the letter after an unsigned number
  bool guarded = false;           // protects against double inclusion
  bool packs = false;             // integers share words of 32 bits
  double most = 0;                // words that a function can index; 0: any number
};

constexpr Language c_language{
    .extension = "c",
    .name = "c99",
    .types = {"uint8_t", "uint16_t", "float"},
    .size = "  {id}_{name} = {size},\n",
    .text =
        "#include <stdint.h>\n\nenum {\n{sizes}};\n\n"
        "{static}const {type} {id}_values[{count}] = {\n{values}\n};\n\n"
        "{inline}{type} {function}({parameters}) {\n  return {id}_values[{index}];\n}\n",
    .suffixes = {"", "f"},
    .parameter = "uint32_t {name}"};

constexpr Language header_of(Language language) {
  language.extension = "h";
  language.guarded = true;
  return language;
}

// The order is that of Source.
constexpr std::array<Language, 7> languages{{
    header_of(c_language),
    c_language,
    {.extension = "wgsl",
     .name = "wgsl",
     .types = {"u32", "u32", "f32"},
     .size = "const {id}_{name} = {size}u;\n",
     .text = "{sizes}const {id}_values = array<{type}, {count}>(\n{values}\n);\n\n"
             "fn {function}({parameters}) -> {type} {\n  let i = {index};\n"
             "  return {element};\n}\n",
     .suffixes = {"u", ""},
     .parameter = "{name}: u32",
     .packs = true,
     .most = 16384},  // 64 KiB
    {.extension = "glsl",
     .name = "glsl",
     .types = {"uint", "uint", "float"},
     .size = "const int {id}_{name} = {size};\n",
     .text = "{sizes}const {type} {id}_values[{count}] = {type}[](\n{values}\n);\n\n"
             "{type} {function}({parameters}) {\n  return {id}_values[{index}];\n}\n",
     .suffixes = {"u", ""},
     .guarded = true},
    {.extension = "hlsl",
     .name = "hlsl",
     .types = {"uint", "uint", "float"},
     .size = "static const int {id}_{name} = {size};\n",
     .text = "{sizes}static const {type} {id}_values[{count}] = {\n{values}\n};\n\n"
             "{type} {function}({parameters}) {\n  return {id}_values[{index}];\n}\n",
     .guarded = true,
     .most = 65536},
    {.extension = "rs",
     .name = "rust",
     .types = {"u8", "u16", "f32"},
     .size = "#[allow(dead_code)]\npub const {ID}_{NAME}: u32 = {size};\n",
     .text = "{sizes}\n#[rustfmt::skip]\n"
             "pub static {ID}_VALUES: [{type}; {count}] = [\n{values}\n];\n\n"
             "#[allow(dead_code)]\npub fn {function}({parameters}) -> {type} {\n"
             "    {ID}_VALUES[({index}) as usize]\n}\n",
     .parameter = "{name}: u32",
     .function = "dapple_{lower}",
     .number = ""},
    {.extension = "cs",
     .name = "csharp",
     .types = {"byte", "ushort", "float"},
     .size = "  public const int {Name} = {size};\n",
     .text = "public static class Dapple{Id} {\n{sizes}\n"
             "  public static readonly {type}[] Values = {\n{values}\n  };\n\n"
             "  public static {type} At({parameters}) {\n"
             "    return Values[{index}];\n  }\n}\n",
     .suffixes = {"", "f"},
     .function = "Dapple{Id}.At"},
}};

const Language* find_language(std::string_view extension) {
  const auto* const found =
      std::find_if(languages.begin(), languages.end(),
                   [&](const Language& language) { return language.extension == extension; });
  return found == languages.end() ? nullptr : found;
}

using Parts = std::vector<std::pair<std::string_view, std::string>>;

// Replaces the names in braces that `parts` holds.
std::string filled(std::string_view text, const Parts& parts) {
  std::string made;
  while (!text.empty()) {
    const auto found = std::find_if(parts.begin(), parts.end(), [&](const auto& part) {
      return text.starts_with('{') && text.substr(1).starts_with(part.first) &&
             text.substr(1 + part.first.size()).starts_with('}');
    });
    made += found == parts.end() ? text.substr(0, 1) : std::string_view(found->second);
    text.remove_prefix(found == parts.end() ? 1 : found->first.size() + 2);
  }
  return made;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Returns the words of an identifier with capitals and without underscores.
std::string pascal(const std::string& id) {
  std::string text;
  bool starts = true;
  for (const char c : id) {
    if (c != '_') text += starts ? upper({c}) : std::string{c};
    starts = c == '_';
  }
  return text;
}

// Returns the number of values per word of 32 bits.
int values_per_word(const Language& language, PixelType type) {
  if (!language.packs) return 1;
  return type == PixelType::u8 ? 4 : type == PixelType::u16 ? 2 : 1;
}

// Returns the shift of a mask per frame: about `share` of a side, and coprime to it, so that every
// position occurs. Shares of 0.755 and 0.570 spread the positions evenly (Roberts 2018).
int shift_of(int side, double share) {
  const int wanted = static_cast<int>(std::lround(side * share));
  int best = 1;
  for (int shift = 1; shift < side; ++shift) {
    const bool nearer = std::abs(shift - wanted) < std::abs(best - wanted);
    if (nearer && std::gcd(shift, side) == 1) best = shift;
  }
  return best;
}

// Returns the place of a value in the array. The frame is a slice, or shifts a single slice.
std::string index_text(const Image& image, const std::string& u) {
  const auto coordinate = [&](const std::string& name, int side, double share) {
    const std::string wraps = " % " + std::to_string(side) + u;
    if (image.slices > 1) return name + wraps;
    return "(" + name + wraps + " + frame" + wraps + " * " + std::to_string(shift_of(side, share)) +
           u + ")" + wraps;
  };
  std::string row = coordinate("y", image.slice_height(), 0.5698402909980532);
  if (image.slices > 1) {
    row = "(frame % " + std::to_string(image.slices) + u + " * " +
          std::to_string(image.slice_height()) + u + " + " + row + ")";
  }
  std::string text = row + " * " + std::to_string(image.width()) + u + " + " +
                     coordinate("x", image.width(), 0.7548776662466927);
  const std::size_t channels = image.channels.size();
  if (channels > 1) {
    const std::string count = std::to_string(channels) + u;
    text = "(" + text + ") * " + count + " + channel % " + count;
  }
  return text;
}

// Returns the value of `i` from an array of words.
std::string element_text(const std::string& id, PixelType type, int per_word) {
  if (per_word == 1) return id + "_values[i]";
  const std::string bits = type == PixelType::u8 ? "8u" : "16u";
  const std::string count = std::to_string(per_word) + "u";
  return "(" + id + "_values[i / " + count + "] >> (i % " + count + " * " + bits + ")) & " +
         (type == PixelType::u8 ? "0xffu" : "0xffffu");
}

// Returns how to use the function of an array.
std::string use_of_array(const Image& image, const std::string& function, std::size_t per_word) {
  std::string text = "  " + function + " returns a value; all arguments wrap.\n";
  if (image.slices > 1) {
    text += "  Count the frame up by 1 per picture; frame " + std::to_string(image.slices) +
            " is frame 0 again.\n";
  } else {
    text +=
        "  Use frame 0 for still pictures, otherwise count it up: each frame shifts the array.\n";
  }
  text += "  Order: ((frame * height + y) * width + x) * channels + channel.\n";
  if (per_word > 1) {
    text += "  Each u32 holds " + std::to_string(per_word) +
            " values, because WGSL has no smaller integers: the first in the lowest bits.\n";
  }
  return text;
}

// Returns the leading comment: name, use, ownership and recipe.
std::string comment(const Image& image, const std::string& id, const std::string& use) {
  std::string text = "/*\n  " + id + ": " + size_text(image) + ", " + range_text(image) +
                     ". Made by dapple " + DAPPLE_VERSION + ".\n" + use;
  text += "  " + std::string(freedom) + "\n";
  for (const auto& [key, value] : image.metadata) {
    if (key == generator_key) continue;
    // A text must not end the comment or begin another one.
    const std::string harmless = replaced(replaced(value, "*/", "* /"), "/*", "/ *");
    text += "\n  " + key + ":\n    " + replaced(harmless, "\n", "\n    ") + "\n";
  }
  return text + "*/\n";
}

}  // namespace

// Keeps letters, digits and single underscores; GLSL reserves gl_ and double underscores.
std::string identifier(const std::string& name) {
  std::string id;
  for (const char c : name) {
    const bool fits =
        std::isalnum(static_cast<unsigned char>(c)) != 0 && static_cast<unsigned char>(c) < 128;
    if (fits) id += c;
    if (!fits && !id.empty() && id.back() != '_') id += '_';
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  if (id.empty()) id = "image";
  if (std::isdigit(static_cast<unsigned char>(id.front())) != 0 || id.starts_with("gl_")) {
    id.insert(0, "a_");
  }
  return id;
}

std::vector<std::string> source_languages() {
  std::vector<std::string> names;
  for (const Language& language : languages) {
    if (names.empty() || names.back() != language.name) names.emplace_back(language.name);
  }
  return names;
}

std::string_view source_language(std::string_view extension) {
  const Language* const language = find_language(extension);
  return language == nullptr ? "" : language->name;
}

std::string_view source_extension(std::string_view language) {
  return std::find_if(languages.begin(), languages.end(),
                      [&](const Language& row) { return row.name == language; })
      ->extension;
}

void require_array(std::string_view extension, PixelType type, double values) {
  const Language* const language = find_language(extension);
  if (language == nullptr || language->most == 0) return;
  const double most = language->most * values_per_word(*language, type);
  if (values <= most) return;
  throw Error(ErrorKind::usage, "an array in ." + std::string(extension) + " holds at most " +
                                    plain_number(most) + " values of this depth, not " +
                                    plain_number(values) +
                                    "; write .ktx2 or .png and read it as a texture");
}

std::string encode_source(const Image& image, const ImageExtras& extras, Source source) {
  const Language& language = languages.at(static_cast<std::size_t>(source));
  const std::size_t values = image.channels.front().size() * image.channels.size();
  require_array(language.extension, image.type, static_cast<double>(values));
  const auto per_word = static_cast<std::size_t>(values_per_word(language, image.type));
  const std::string id = identifier(extras.name);
  const std::size_t type = image.type == PixelType::u8 ? 0 : image.type == PixelType::u16 ? 1 : 2;
  Parts parts{{"id", id},
              {"ID", upper(id)},
              {"Id", pascal(id)},
              {"lower", lower(id)},
              {"static", source == Source::h ? "static " : ""},
              {"inline", source == Source::h ? "static inline " : ""},
              {"type", std::string(language.types.at(type))},
              {"count", std::to_string((values + per_word - 1) / per_word)},
              {"index", index_text(image, std::string(language.number))},
              {"element", element_text(id, image.type, static_cast<int>(per_word))}};
  std::string sizes;
  for (const auto& [name, size] : sizes_of(image)) {
    Parts of_size = parts;
    of_size.insert(of_size.end(), {{"name", name},
                                   {"NAME", upper(name)},
                                   {"Name", pascal(name)},
                                   {"size", std::to_string(size)}});
    sizes += filled(language.size, of_size);
  }
  parts.emplace_back("sizes", std::move(sizes));
  parts.emplace_back("values", values_text(image, language.suffixes, static_cast<int>(per_word)));
  std::string arguments;
  std::string parameters;
  for (const std::string_view name : {"x", "y", "frame", "channel"}) {
    if (name == "channel" && image.channels.size() == 1) break;
    const std::string_view between = arguments.empty() ? "" : ", ";
    arguments.append(between).append(name);
    parameters.append(between).append(filled(language.parameter, {{"name", std::string(name)}}));
  }
  parts.emplace_back("parameters", std::move(parameters));
  const std::string function = filled(language.function, parts);
  parts.emplace_back("function", function);
  const std::string guard = upper(id + "_" + std::string(language.extension)) + "_INCLUDED";
  const auto made = std::find_if(image.metadata.begin(), image.metadata.end(),
                                 [](const auto& entry) { return entry.first == generator_key; });
  const bool is_array = made == image.metadata.end();
  const std::string text = filled(is_array ? language.text : std::string_view(made->second), parts);
  return comment(image, id,
                 is_array ? use_of_array(image, function + "(" + arguments + ")", per_word)
                          : "  " + function + "_generate(values) makes the values.\n") +
         (language.guarded
              ? "#ifndef " + guard + "\n#define " + guard + "\n\n" + text + "\n#endif\n"
              : text);
}

std::string encode_json_image(const Image& image, const ImageExtras& extras) {
  std::string text = "{\n\"name\": " + json_quoted(identifier(extras.name)) + ",\n";
  text += "\"made_by\": " + json_quoted(std::string("dapple ") + DAPPLE_VERSION) + ",\n";
  text += "\"license\": " + json_quoted(freedom) + ",\n";
  for (const auto& [name, size] : sizes_of(image)) {
    text += "\"" + name + "\": " + std::to_string(size) + ",\n";
  }
  text += std::string("\"type\": \"") +
          (image.type == PixelType::u8    ? "uint8"
           : image.type == PixelType::u16 ? "uint16"
                                          : "float32") +
          "\",\n\"order\": \"((z * height + y) * width + x) * channels + c\",\n";
  for (const auto& [key, value] : image.metadata) {
    if (key.starts_with("dapple:")) text += json_quoted(key) + ": " + json_quoted(value) + ",\n";
  }
  return text + "\"values\": [\n" + values_text(image, {}) + "\n]\n}\n";
}

}  // namespace dapple
