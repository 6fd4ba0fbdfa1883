#include "sample/geodesic/cover.hpp"

#include <bit>

namespace dapple::geodesic {

Parts::Parts(const Net& net, const surface::Piece& piece, const surface::Block& block)
    : net_(net), face_(piece.triangle) {
  const double scale = surface::scale_of(block);
  corner_ = piece.a + piece.e1 * (block.i * scale) + piece.e2 * (block.j * scale);
  u_ = piece.e1 * (block.sign * scale);
  v_ = piece.e2 * (block.sign * scale);
  around_ = static_cast<double>(piece.ball) * scale / surface::parts_a_side;
}

Seen Parts::seen(std::int32_t side, int bit) {
  const auto s = static_cast<std::size_t>(side);
  const auto b = static_cast<std::size_t>(bit);
  if ((known_[s] >> b & 1) == 0) {
    known_[s] |= std::uint64_t{1} << b;
    double i = 1.0 / 3;
    double j = 1.0 / 3;
    if (bit != whole) {
      const surface::Part part = surface::part_of(bit);
      const double off = part.turned ? 2.0 / 3 : 1.0 / 3;
      i = (part.i + off) / surface::parts_a_side;
      j = (part.j + off) / surface::parts_a_side;
    }
    seen_[s][b] = net_.seen(face_, s, corner_ + u_ * i + v_ * j);
  }
  return seen_[s][b];
}

std::uint32_t Parts::uncovered(std::uint32_t live, const Disc& disc, double reach) {
  const Disc::Paths paths = disc.into(face_);
  if (paths.holds_all) return 0;
  const double around_block = around_ * surface::parts_a_side;
  for (const Entry& entry : paths.entries) {
    const double length = entry.length_to(seen(entry.side, whole));
    if (length + around_block < reach) return 0;
    if (length - around_block > reach) continue;
    for (std::uint32_t rest = live; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      if (entry.length_to(seen(entry.side, bit)) + around_ < reach) live &= ~(1u << bit);
    }
  }
  return live;
}

}  // namespace dapple::geodesic
