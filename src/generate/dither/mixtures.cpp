#include "generate/dither/mixtures.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"
#include "generate/dither/picture_rows.hpp"

namespace dapple::dithering {

std::size_t MixtureTable::along(float v) {
  return std::min(side - 1, static_cast<std::size_t>(std::sqrt(v) * static_cast<float>(side)));
}

std::size_t MixtureTable::cell_of(const std::array<float, 3>& rgb) {
  return (along(rgb[0]) * side + along(rgb[1])) * side + along(rgb[2]);
}

// Returns the index of corner `which` (0..7) of a cell.
std::size_t MixtureTable::corner_of(std::size_t cell, std::size_t which) {
  const std::size_t r = cell / (side * side) + (which & 1);
  const std::size_t g = cell / side % side + (which >> 1 & 1);
  const std::size_t b = cell % side + (which >> 2);
  return (r * corners + g) * corners + b;
}

std::vector<bool> MixtureTable::cells_met(const Picture& picture, Context& context) const {
  const auto height = static_cast<std::size_t>(picture.height());
  constexpr std::size_t parts = 64;
  std::vector<std::vector<bool>> met(std::min(parts, height));
  parallel_for(context, met.size(), [&](std::size_t part) {
    met[part].resize(cells_.size());
    PictureRows rows(picture);
    for (std::size_t y = part * height / met.size(); y < (part + 1) * height / met.size(); ++y) {
      rows.read(static_cast<int>(y));
      for (int x = 0; x < picture.width(); ++x) met[part][cell_of(rows.at(x))] = true;
    }
  });
  std::vector<bool> all(cells_.size());
  for (const std::vector<bool>& part : met) {
    for (std::size_t i = 0; i < part.size(); ++i) all[i] = all[i] || part[i];
  }
  return all;
}

MixtureTable::MixtureTable(const Picture& picture, const palette::Mixer& mixer, Context& context)
    : mixer_(mixer), cells_(side * side * side) {
  const std::vector<bool> met = cells_met(picture, context);
  std::vector<palette::Mixture> mixtures(corners * corners * corners);
  std::vector<bool> needed(mixtures.size());
  for (std::size_t i = 0; i < met.size(); ++i) {
    for (std::size_t k = 0; met[i] && k < 8; ++k) needed[corner_of(i, k)] = true;
  }
  const auto value = [](std::size_t cell, double part) {
    const double place = static_cast<double>(cell) + part;
    return place * place / (side * side);
  };
  parallel_for(context, corners * corners, [&](std::size_t row) {
    const std::size_t r = row / corners;
    const std::size_t g = row % corners;
    for (std::size_t b = 0; b < corners; ++b) {
      const std::size_t i = row * corners + b;
      if (!needed[i]) continue;
      mixtures[i] = mixer.mix({value(r, 0), value(g, 0), value(b, 0)});
    }
  });
  parallel_for(context, side * side, [&](std::size_t row) {
    const std::size_t r = row / side;
    const std::size_t g = row % side;
    for (std::size_t i = row * side; i < (row + 1) * side; ++i) {
      if (!met[i]) continue;
      Cell& cell = cells_[i];
      cell.metric = mixer.metric_at({value(r, 0.5), value(g, 0.5), value(i % side, 0.5)});
      for (std::size_t k = 0; k < 8; ++k) {
        const palette::Mixture& mixture = mixtures[corner_of(i, k)];
        for (int p = 0; p < mixture.count; ++p) {
          const auto color =
              static_cast<std::uint8_t>(mixture.parts[static_cast<std::size_t>(p)].color);
          const auto end = cell.colors.begin() + cell.count;
          if (std::find(cell.colors.begin(), end, color) != end) continue;
          if (cell.count < static_cast<int>(most)) {
            cell.colors[static_cast<std::size_t>(cell.count++)] = color;
          }
        }
      }
      std::sort(cell.colors.begin(), cell.colors.begin() + cell.count);
    }
  });
}

palette::Mixture MixtureTable::mix(const std::array<float, 3>& rgb,
                                   const palette::Mixture& guess) const {
  const Cell& cell = cells_[cell_of(rgb)];
  return mixer_.mix_among({cell.colors.data(), static_cast<std::size_t>(cell.count)}, cell.metric,
                          {rgb[0], rgb[1], rgb[2]}, guess);
}

}  // namespace dapple::dithering
