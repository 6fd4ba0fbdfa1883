#include "golden/compare.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>

namespace dapple::golden {

namespace {

Plane<double> blurred(const Plane<float>& plane, double sigma) {
  const int reach = static_cast<int>(std::ceil(4 * sigma));
  std::vector<double> bell;
  double sum = 0;
  for (int i = -reach; i <= reach; ++i) {
    bell.push_back(std::exp(-0.5 * i * i / (sigma * sigma)));
    sum += bell.back();
  }
  const auto mirrored = [](int i, int n) {
    i = (i % (2 * n) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  };
  const int width = plane.width();
  const int height = plane.height();
  Plane<double> across(width, height);
  Plane<double> result(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int i = -reach; i <= reach; ++i) {
        across(x, y) += bell[static_cast<std::size_t>(i + reach)] / sum *
                        static_cast<double>(plane(mirrored(x + i, width), y));
      }
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int i = -reach; i <= reach; ++i) {
      const double weight = bell[static_cast<std::size_t>(i + reach)] / sum;
      const int from = mirrored(y + i, height);
      for (int x = 0; x < width; ++x) result(x, y) += weight * across(x, from);
    }
  }
  return result;
}

}  // namespace

double blurred_difference(const Image& a, const Image& b, double sigma) {
  if (a.width() != b.width() || a.height() != b.height() ||
      a.channels.size() != b.channels.size()) {
    return 1;
  }
  double worst = 0;
  for (std::size_t c = 0; c < a.channels.size(); ++c) {
    const Plane<double> left = blurred(a.channels[c], sigma);
    const Plane<double> right = blurred(b.channels[c], sigma);
    for (std::size_t i = 0; i < left.size(); ++i) {
      worst = std::max(worst, std::abs(left.values()[i] - right.values()[i]));
    }
  }
  return worst;
}

Image thumbnail(const Image& image, int side) {
  const double scale = std::max(1.0, std::max(image.width(), image.height()) / double(side));
  const int width = std::max(1, static_cast<int>(std::lround(image.width() / scale)));
  const int height = std::max(1, static_cast<int>(std::lround(image.height() / scale)));
  Image result;
  result.names = image.names;
  result.encoding = image.encoding;
  result.type = PixelType::u8;
  for (const Plane<float>& from : image.channels) {
    Plane<float> to(width, height);
    const double sx = static_cast<double>(from.width()) / width;
    const double sy = static_cast<double>(from.height()) / height;
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        double area = 0;
        for (int j = static_cast<int>(y * sy); j < from.height() && j < (y + 1) * sy - 1e-9; ++j) {
          for (int i = static_cast<int>(x * sx); i < from.width() && i < (x + 1) * sx - 1e-9; ++i) {
            const double share = (std::min(i + 1.0, (x + 1) * sx) - std::max<double>(i, x * sx)) *
                                 (std::min(j + 1.0, (y + 1) * sy) - std::max<double>(j, y * sy));
            sum += share * static_cast<double>(from(i, j));
            area += share;
          }
        }
        to(x, y) = static_cast<float>(std::clamp(sum / area, 0.0, 1.0));
      }
    }
    result.channels.push_back(std::move(to));
  }
  return result;
}

std::string fingerprint(const Image& image) {
  // FNV-1a, 64 bits.
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  const auto add = [&](std::uint32_t value) {
    for (int i = 0; i < 4; ++i) {
      hash = (hash ^ (value & 255u)) * 0x100000001b3ULL;
      value >>= 8;
    }
  };
  add(static_cast<std::uint32_t>(image.width()));
  add(static_cast<std::uint32_t>(image.height()));
  for (const std::string& name : image.names) {
    for (const char c : name) add(static_cast<unsigned char>(c));
  }
  for (const Plane<float>& plane : image.channels) {
    for (const float v : plane.values()) add(std::bit_cast<std::uint32_t>(v));
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace dapple::golden
