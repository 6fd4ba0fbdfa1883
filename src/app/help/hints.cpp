#include "app/help/hints.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/command.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::app {
namespace {

struct Hint {
  std::string_view word;
  std::string_view command;  // "": every command that has these options
  std::string_view text;
};

constexpr std::string_view is_size = "--size is the size of the result, such as 800 or 800x600";
constexpr std::string_view is_paper =
    "--size is the size of a picture, --paper the size of a drawing, --pen the width of its lines";

constexpr std::array hints{
    Hint{"color", "stipple", "--ink is the color of the dots, --background the color of the paper"},
    Hint{"color", "worley",
         "--gradient sets the colors of cells, --line-color the color of their borders"},
    Hint{"color", "dither", "--palette sets the colors"},
    Hint{"color", "sample", "points have no color; `dapple stipple` draws dots, with --ink"},
    Hint{"color", "mask",
         "a mask has no colors; --channels 3 makes a mask for each of three channels"},
    Hint{"width", "stipple", is_paper},
    Hint{"width", "", is_size},
    Hint{"height", "stipple", is_paper},
    Hint{"height", "", is_size},
    Hint{"n", "stipple", "--dots is the number of dots"},
    Hint{"count", "stipple", "--dots is the number of dots"},
    Hint{"radius", "stipple", "--dot-size is the diameter of the dots, --dots their number"},
    Hint{"edges", "stipple", "use --sharpen, which makes edges crisper"},
    Hint{"n", "sample", "--count is the number of points"},
    Hint{"n", "worley", "--count is the number of cells"},
    Hint{"n", "dither", "--levels is the number of tones"},
    Hint{"n", "mask", "--size is the number of pixels on each side, such as 128"},
    Hint{"n", "compare", "--count is the number of points"},
    Hint{"jitter", "stipple", "--regularity 0 is the most organic, 1 nearly a lattice"},
    Hint{"jitter", "sample", "--method jittered moves points off a grid"},
    Hint{"jitter", "worley", "--randomness moves cells off a grid, from 0 to 1"},
    Hint{"jitter", "mask", "--method white is plain noise; --sigma 1 is noisier, 2 smoother"},
    Hint{"jitter", "dither", "--strength scales the dither; --noise triangular is noisier"},
    Hint{"scale", "stipple",
         "--dot-size is the diameter of the dots, --size the size of the picture"},
    Hint{"scale", "sample", "--radius is the distance between points, --count their number"},
    Hint{"scale", "worley", "--count is the number of cells, --radius the distance between them"},
    Hint{"scale", "mask", "--size is the size of the mask, --sigma the size of its grain"},
    Hint{"scale", "dither", "the result has the size of the input; --size is the size of the mask"},
    Hint{"seamless", "stipple",
         "a drawing has borders; `dapple sample` --wrap makes points that tile"},
    Hint{"seamless", "dither",
         "the mask always tiles, so a texture that tiles still tiles after dithering"},
    Hint{"seamless", "sample", "--wrap makes points that tile"},
    Hint{"seamless", "worley", "textures tile by default; --no-wrap turns this off"},
    Hint{"seamless", "mask", "masks always tile"},
};

// Returns the word that stands for `word` and its synonyms.
std::string_view synonym_of(std::string_view word) {
  constexpr std::array same{std::pair{"colour", "color"},      std::pair{"colors", "color"},
                            std::pair{"colours", "color"},     std::pair{"num", "n"},
                            std::pair{"number", "n"},          std::pair{"points", "n"},
                            std::pair{"randomness", "jitter"}, std::pair{"zoom", "scale"},
                            std::pair{"tile", "seamless"},     std::pair{"tileable", "seamless"},
                            std::pair{"tiling", "seamless"},   std::pair{"repeat", "seamless"}};
  for (const auto& [other, meaning] : same) {
    if (word == other) return meaning;
  }
  return word;
}

}  // namespace

std::string option_hint(std::string_view command, std::string_view word) {
  if (command == "batch" && !word.starts_with("no-")) {
    for (const Command& other : commands()) {
      if (other.make()->options().find(word) == nullptr) continue;
      return "the batch file sets the options of jobs, such as " + std::string(word) + " = ...";
    }
  }
  const std::string_view meaning = synonym_of(word);
  const Command* const row = find_command(command);
  for (const Hint& hint : hints) {
    if (hint.word != meaning || (!hint.command.empty() && hint.command != command)) continue;
    if (hint.command.empty() && row->make()->options().find("size") == nullptr) continue;
    return std::string(hint.text);
  }
  return "";
}

std::string file_hint(const std::string& word) {
  const std::filesystem::path path = word;
  std::string extension = path.extension().string();
  std::error_code failure;
  if (extension.empty() || !std::filesystem::is_regular_file(path, failure)) return "";
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::string file = "expected a command before the file: dapple ";
  if (extension == ".toml") return file + "batch " + word;
  for (const char* points : {".csv", ".ply", ".json", ".npy"}) {
    if (extension == points) return file + "analyze " + word;
  }
  return file + "stipple " + word + ", or `dither`, `sample` or `analyze` instead";
}

}  // namespace dapple::app
