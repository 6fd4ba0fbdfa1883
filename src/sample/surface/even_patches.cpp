#include "sample/surface/even_patches.hpp"

#include <algorithm>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::surface {
namespace {

// Indices in the lattice are 0 or more, apart from rounding.
constexpr int bits = 21;
constexpr std::int32_t lowest = 2;

EvenPieces::Entry entry_of(const Piece& piece) {
  EvenPieces::Entry entry{piece.key, 0};
  for (const std::int32_t place : lattice_place(middle_of(piece), 1)) {
    entry.cube = entry.cube << bits | static_cast<std::uint64_t>(place + lowest);
  }
  return entry;
}

}  // namespace

std::array<std::int32_t, 3> EvenPieces::Entry::at() const {
  const auto along = [&](int axis) {
    const std::uint64_t place = cube >> bits * axis & ((std::uint64_t{1} << bits) - 1);
    return static_cast<std::int32_t>(place) - lowest;
  };
  return {along(2), along(1), along(0)};
}

// Results for a group of triangles.
struct EvenPieces::Group {
  std::vector<Piece> large;
  std::int64_t without_area = 0;
  double squares = 0;
};

void EvenPieces::look_at(std::size_t i, Group& group) {
  const Triangle triangle = canonical(mesh, i, frame);
  if (!has_area(triangle)) {
    ++group.without_area;
    return;
  }
  normals[i] = normal_of(triangle);
  const Piece piece = whole(triangle, i);
  if (stays_whole(piece)) {
    all[i] = entry_of(piece);
    group.squares += triangle.area;
  } else {
    group.large.push_back(piece);
  }
}

EvenPieces::EvenPieces(const Mesh& of, const Frame& seen_from, Context& context)
    : mesh(of), frame(seen_from) {
  const std::size_t count = mesh.triangles.size();
  context.require_memory(
      static_cast<double>(count) * (sizeof(Entry) + sizeof(HashedNumber) + sizeof(Piece)),
      "the mesh");
  all.resize(count);
  normals.resize(count);
  constexpr std::size_t size = 4096;
  std::vector<Group> groups((count + size - 1) / size);
  parallel_for(context, groups.size(), [&](std::size_t g) {
    const std::size_t end = std::min(count, (g + 1) * size);
    for (std::size_t i = g * size; i < end; ++i) look_at(i, groups[g]);
  });
  std::vector<Piece> large;
  auto expected = static_cast<double>(count);
  for (Group& group : groups) {
    without_area += group.without_area;
    squares += group.squares;
    for (const Piece& piece : group.large) expected += expected_pieces(piece);
    large.insert(large.end(), group.large.begin(), group.large.end());
    group.large = {};
  }
  require_pieces(expected, context);
  if (large.empty()) return;
  parts = cut(large, context);
  squares += most_squares(parts);
  all.reserve(count + parts.size());
  for (const Piece& part : parts) all.push_back(entry_of(part));
}

Piece EvenPieces::piece(const HashedNumber& of) const {
  const std::size_t count = mesh.triangles.size();
  if (of.number >= count) return parts[of.number - count];
  Piece made = whole(canonical(mesh, of.number, of.key, frame), of.number);
  made.ball = ball_of(made);
  return made;
}

}  // namespace dapple::surface
