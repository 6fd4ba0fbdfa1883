// Writes images as source code: C, GLSL, HLSL and JSON. Names have a suffix for their meaning, so
// that no file name becomes a keyword of the language.
#include <array>
#include <cctype>
#include <cmath>

#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
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

// Returns the leading comment: name, layout, ownership and recipe of the array.
std::string comment(const Image& image, const std::string& id) {
  std::string text = "/*\n";
  text += "  " + id + ": " + size_text(image) + ", " + range_text(image) + ". Made by dapple " +
          DAPPLE_VERSION + ".\n";
  text += "  The value at column x, row y, slice z, channel c is\n  " + id + "_values[((z * " + id +
          "_height + y) * " + id + "_width + x) * " + id + "_channels + c].\n";
  text += "  " + std::string(freedom) + "\n";
  for (const auto& [key, value] : image.metadata) {
    // A text must not end the comment or begin another one.
    const std::string harmless = replaced(replaced(value, "*/", "* /"), "/*", "/ *");
    text += "\n  " + key + ":\n    " + replaced(harmless, "\n", "\n    ") + "\n";
  }
  return text + "*/\n";
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

// Returns the values in lines of up to 98 characters, separated by commas.
std::string values_text(const Image& image, const Suffixes& suffixes) {
  std::string text;
  const std::size_t pixels = image.channels.front().size();
  text.reserve(pixels * image.channels.size() * 6);
  std::size_t line = 0;
  for (std::size_t i = 0; i < pixels; ++i) {
    for (const Plane<float>& plane : image.channels) {
      if (!text.empty()) text += ',';
      const std::string number = literal_of(plane.values()[i], image, suffixes);
      if (text.size() - line + number.size() > 98) {
        text += '\n';
        line = text.size();
      }
      text += number;
    }
  }
  return text;
}

std::string count_text(const Image& image) {
  return std::to_string(image.channels.front().size() * image.channels.size());
}

std::array<std::pair<std::string, int>, 4> sizes_of(const Image& image) {
  return {{{"width", image.width()},
           {"height", image.slice_height()},
           {"depth", image.slices},
           {"channels", static_cast<int>(image.channels.size())}}};
}

// Returns the sizes as constants, each a declaration that ends in `= N`.
std::string constants(const Image& image, const std::string& id, const std::string& before,
                      const std::string& after) {
  std::string text;
  for (const auto& [name, size] : sizes_of(image)) {
    text += before + id + "_" + name + " = " + std::to_string(size) + after;
  }
  return text;
}

std::string c_array(const Image& image, const std::string& id, const std::string& storage) {
  const std::string type = image.type == PixelType::u8    ? "uint8_t"
                           : image.type == PixelType::u16 ? "uint16_t"
                                                          : "float";
  return "#include <stdint.h>\n\nenum {\n" + constants(image, id, "  ", ",\n") + "};\n\n" +
         storage + "const " + type + " " + id + "_values[" + count_text(image) + "] = {\n" +
         values_text(image, {"", "f"}) + "\n};\n";
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
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

std::string encode_c(const Image& image, const ImageExtras& extras) {
  const std::string id = identifier(extras.name);
  return comment(image, id) + c_array(image, id, "");
}

std::string encode_h(const Image& image, const ImageExtras& extras) {
  const std::string id = identifier(extras.name);
  const std::string guard = upper(id) + "_H_INCLUDED";
  return comment(image, id) + "#ifndef " + guard + "\n#define " + guard + "\n\n" +
         c_array(image, id, "static ") + "\n#endif\n";
}

std::string encode_glsl(const Image& image, const ImageExtras& extras) {
  const std::string id = identifier(extras.name);
  const std::string type = integers(image) ? "uint" : "float";
  return comment(image, id) + constants(image, id, "const int ", ";\n") + "const " + type + " " +
         id + "_values[" + count_text(image) + "] = " + type + "[](\n" +
         values_text(image, {"u", ""}) + "\n);\n";
}

std::string encode_hlsl(const Image& image, const ImageExtras& extras) {
  const std::string id = identifier(extras.name);
  const std::string type = integers(image) ? "uint" : "float";
  return comment(image, id) + constants(image, id, "static const int ", ";\n") + "static const " +
         type + " " + id + "_values[" + count_text(image) + "] = {\n" + values_text(image, {}) +
         "\n};\n";
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
