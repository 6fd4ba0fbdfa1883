#include "sample/geodesic/disc.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/error.hpp"

namespace dapple::geodesic {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Rounding error of lengths, in the unit of the frame.
constexpr double rounding = 1e-12;

double distance(double x, double y) {
  return std::sqrt(x * x + y * y);
}

// Returns the coordinate at which the line from the image to the place crosses the edge.
double crossing(const Entry& entry, const Seen& place) {
  const double rise = entry.off + place.y;
  return rise > 0 ? (entry.x * place.y + place.x * entry.off) / rise : place.x;
}

// Returns the fraction of a side at which the ray through `x` of the edge crosses it. The side runs
// from the first end of the edge to the opposite corner.
double part_of_side(double image_x, double off, double x, const Seen& opposite) {
  const double up = off * x;
  const double whole = off * opposite.x + opposite.y * (image_x - x);
  return up < whole ? std::max(0.0, up / whole) : 1;
}

}  // namespace

SeenBySides seen_by_sides(const Net& net, std::int32_t face, const Vec3& place) {
  return {net.seen(face, 0, place), net.seen(face, 1, place), net.seen(face, 2, place)};
}

double Entry::length_to(const Seen& place) const {
  if (off < 0) return before + geodesic::distance(place.x - x, place.y + off);
  const double at = std::clamp(crossing(*this, place), low, high);
  return before + geodesic::distance(x - at, off) + geodesic::distance(place.x - at, place.y);
}

Disc::Paths Disc::into(std::int32_t face) const {
  const auto at = std::lower_bound(spans_.begin(), spans_.end(), face,
                                   [](const Span& s, std::int32_t f) { return s.face < f; });
  if (at == spans_.end() || at->face != face) return {};
  return {std::span(entries_).subspan(at->first, at->end - at->first), at->holds_all};
}

double Disc::distance(std::int32_t face, const SeenBySides& place) const {
  const Paths paths = into(face);
  double least = paths.holds_all ? 0 : infinity;
  for (const Entry& entry : paths.entries) {
    least = std::min(least, entry.length_to(place[static_cast<std::size_t>(entry.side)]));
  }
  return least;
}

std::vector<std::int32_t> Disc::faces() const {
  std::vector<std::int32_t> found;
  for (const Span& span : spans_) found.push_back(span.face);
  return found;
}

void Disc::lengthen(double by) {
  for (Entry& entry : entries_) entry.before += by;
}

// Puts the nearest on top of the heap, and of equal ones the one found first.
bool PathFinder::Next::operator<(const Next& other) const {
  if (length != other.length) return length > other.length;
  return turns != other.turns ? other.turns : number > other.number;
}

void PathFinder::Lengths::clear() {
  count_ = 0;
  slots_.assign(slots_.size(), {-1, infinity});
}

double& PathFinder::Lengths::of(std::int32_t vertex) {
  if (2 * count_ >= slots_.size()) grow();
  const std::size_t mask = slots_.size() - 1;
  std::size_t i = static_cast<std::size_t>(static_cast<std::uint32_t>(vertex) * 2654435769u);
  for (;; ++i) {
    auto& slot = slots_[i & mask];
    if (slot.first == vertex) return slot.second;
    if (slot.first >= 0) continue;
    slot.first = vertex;
    ++count_;
    return slot.second;
  }
}

void PathFinder::Lengths::grow() {
  std::vector<std::pair<std::int32_t, double>> old(std::max<std::size_t>(64, 2 * slots_.size()),
                                                   {-1, infinity});
  std::swap(old, slots_);
  count_ = 0;
  for (const auto& [vertex, value] : old) {
    if (vertex >= 0) of(vertex) = value;
  }
}

// Returns true if all places of the part of the edge are nearer by one of its ends. Along an edge,
// no path grows faster in length than the path by its end.
bool PathFinder::is_beaten(const Net::Edge& edge, const Entry& entry) {
  const double to_high = entry.before + distance(entry.x - entry.high, entry.off);
  if (to_high > best_.of(edge.ends[0]) + entry.high + rounding) return true;
  const double to_low = entry.before + distance(entry.x - entry.low, entry.off);
  return to_low > best_.of(edge.ends[1]) + (edge.length - entry.low) + rounding;
}

void PathFinder::add(std::int32_t face, const Entry& entry) {
  into_.emplace_back(face, entry);
  if (into_.size() <= most_windows) return;
  throw Error(ErrorKind::limit, "paths along the surface cross more than " +
                                    std::to_string(most_windows) +
                                    " edges within one radius of a point: use a smaller radius, "
                                    "larger faces, or `metric` euclidean");
}

// Continues paths that reach a side of a face from within into all other faces at the side.
void PathFinder::leave(std::int32_t face, std::size_t side, const Entry& entry) {
  const Net::Edge& edge = net_.edge_of(net_.faces[static_cast<std::size_t>(face)], side);
  if (edge.end - edge.first < 2 || !(entry.low < entry.high)) return;
  const double nearest =
      entry.before + distance(entry.x - std::clamp(entry.x, entry.low, entry.high), entry.off);
  if (!(nearest < reach_) || is_beaten(edge, entry)) return;
  for (const Net::Way& way : net_.ways_of(edge)) {
    if (way.face == face) continue;
    next_.push_back({nearest, static_cast<std::uint32_t>(windows_.size()), false});
    std::push_heap(next_.begin(), next_.end());
    windows_.push_back({entry, way.face});
    windows_.back().side = way.side;
  }
}

// Records a path of this length to a corner, by the place `from` relative to the opposite side.
void PathFinder::reach_corner(std::int32_t face, std::size_t corner, double length,
                              const Seen& from) {
  const Net::Face& of = net_.faces[static_cast<std::size_t>(face)];
  const std::int32_t vertex = of.corner[corner];
  double& best = best_.of(vertex);
  if (!(length < best)) return;
  best = length;
  const std::int32_t fan = net_.fan[static_cast<std::size_t>(vertex)];
  if (fan == Net::straight || !(length < reach_)) return;
  const Net::Fan& round = net_.fans[static_cast<std::size_t>(fan)];
  double angle = 0;
  for (std::uint32_t b = round.first; b < round.end && round.ordered; ++b) {
    const Net::Blade& blade = net_.blades[b];
    if (blade.face != face) continue;
    const Net::Edge& edge = net_.edge_of(of, corner);
    const double first = blade.first == edge.ends[0] ? 0 : edge.length;
    const Seen& o = of.opposite[corner];
    const double ax = first - o.x;
    const double bx = from.x - o.x;
    const double by = from.y - o.y;
    angle = blade.angle + portable_angle(std::abs(ax * by + o.y * bx), ax * bx - o.y * by);
  }
  next_.push_back({length, static_cast<std::uint32_t>(turns_.size()), true});
  std::push_heap(next_.begin(), next_.end());
  turns_.push_back({vertex, length, angle});
}

void PathFinder::cross(const Window& window) {
  const Net::Face& face = net_.faces[static_cast<std::size_t>(window.face)];
  const auto side = static_cast<std::size_t>(window.side);
  const Net::Edge& edge = net_.edge_of(face, side);
  if (is_beaten(edge, window)) return;
  add(window.face, window);
  const Seen& o = face.opposite[side];
  const double middle = crossing(window, o);
  reach_corner(window.face, side, window.length_to(o),
               {std::clamp(middle, window.low, window.high), 0});
  const Entry& from = window;
  // Continues to the side that begins at one end of the edge, in coordinates from that end.
  const auto go_to = [&](int end, double image_x, double low, double high, bool to_corner,
                         const Seen& corner) {
    const std::int32_t start = edge.ends[static_cast<std::size_t>(end)];
    std::size_t out = 0;  // the side opposite the other end
    while (face.corner[out] != edge.ends[static_cast<std::size_t>(1 - end)]) ++out;
    const Net::Edge& to = net_.edge_of(face, out);
    const double ux = corner.x / to.length;
    const double uy = corner.y / to.length;
    Entry entry = from;
    entry.x = image_x * ux - from.off * uy;
    entry.off = std::max(0.0, image_x * uy + from.off * ux);
    entry.low = part_of_side(image_x, from.off, low, corner) * to.length;
    entry.high = to_corner ? to.length : part_of_side(image_x, from.off, high, corner) * to.length;
    if (to.ends[0] != start) {
      entry.x = to.length - entry.x;
      entry.low = to.length - entry.low;
      entry.high = to.length - entry.high;
      std::swap(entry.low, entry.high);
    }
    leave(window.face, out, entry);
  };
  if (from.low < middle) {
    go_to(0, from.x, from.low, from.high, from.high >= middle, o);
  }
  if (from.high > middle) {
    const double length = edge.length;
    go_to(1, length - from.x, length - from.high, length - from.low, from.low <= middle,
          {length - o.x, o.y});
  }
}

// Continues along the edges at a vertex, which paths may follow.
void PathFinder::reach_along_edges(const Net::Fan& fan, const Turn& turn) {
  for (std::uint32_t b = fan.first; b < fan.end; ++b) {
    const Net::Blade& blade = net_.blades[b];
    const Net::Face& face = net_.faces[static_cast<std::size_t>(blade.face)];
    const auto own = static_cast<std::size_t>(blade.corner);
    for (const std::size_t corner : {(own + 1) % 3, (own + 2) % 3}) {
      const Net::Edge& edge = net_.edge_of(face, 3 - own - corner);
      const Net::Edge& opposite = net_.edge_of(face, corner);
      const double at = opposite.ends[0] == turn.vertex ? 0 : opposite.length;
      reach_corner(blade.face, corner, turn.length + edge.length, {at, 0});
    }
  }
}

// Continues straight from the corner of a face, from one angle within it to another.
void PathFinder::go_on(const Net::Blade& blade, const Turn& turn, double from, double to) {
  from = std::max(0.0, from);
  to = std::min(blade.width, to);
  if (!(from < to)) return;
  const auto corner = static_cast<std::size_t>(blade.corner);
  const Net::Face& face = net_.faces[static_cast<std::size_t>(blade.face)];
  const Net::Edge& edge = net_.edge_of(face, corner);
  const Seen& o = face.opposite[corner];
  Entry entry{o.x, -o.y, 0, edge.length, turn.length, blade.corner};
  add(blade.face, entry);
  const bool from_low = blade.first == edge.ends[0];
  const double start = from_low ? 0 : edge.length;
  const double away = from_low ? 1 : -1;
  const double d = distance(start - o.x, o.y);
  const auto hit = [&](double angle) {
    const Vec2 turned = direction(away * angle / full_circle);
    const double x = ((start - o.x) * turned.x + o.y * turned.y) / d;
    const double y = ((start - o.x) * turned.y - o.y * turned.x) / d;
    return y < 0 ? std::clamp(o.x - x * (o.y / y), 0.0, edge.length) : edge.length - start;
  };
  const double one = from > 0 ? hit(from) : start;
  const double two = to < blade.width ? hit(to) : edge.length - start;
  entry.off = o.y;
  entry.low = std::min(one, two);
  entry.high = std::max(one, two);
  leave(blade.face, corner, entry);
}

void PathFinder::turn(const Turn& turn) {
  if (turn.length > best_.of(turn.vertex)) return;
  const Net::Fan& fan =
      net_.fans[static_cast<std::size_t>(net_.fan[static_cast<std::size_t>(turn.vertex)])];
  reach_along_edges(fan, turn);
  constexpr double half = full_circle / 2;
  for (std::uint32_t b = fan.first; b < fan.end; ++b) {
    const Net::Blade& blade = net_.blades[b];
    // A shortest path has at least half a circle on each side.
    double back = turn.angle - blade.angle;  // angle of the path back, within the face
    if (!fan.ordered) {
      go_on(blade, turn, 0, blade.width);
    } else if (fan.closed) {
      if (back > 0) back -= fan.whole;
      go_on(blade, turn, back + half, back + fan.whole - half);
    } else {
      go_on(blade, turn, back + half, infinity);
      go_on(blade, turn, 0, back - half);
    }
  }
}

// Returns true if the whole face is nearer than `reach`, by the distance of its center.
bool PathFinder::holds_all(std::int32_t face, std::span<const Entry> entries, double reach) const {
  const Vec3 middle = net_.middle_of(face);
  double around = 0;
  for (const std::int32_t v : net_.faces[static_cast<std::size_t>(face)].corner) {
    around = std::max(around, length(net_.places[static_cast<std::size_t>(v)] - middle));
  }
  if (around >= reach) return false;
  const SeenBySides seen = seen_by_sides(net_, face, middle);
  return std::any_of(entries.begin(), entries.end(), [&](const Entry& entry) {
    return entry.length_to(seen[static_cast<std::size_t>(entry.side)]) + around < reach;
  });
}

// Moves a place off the edges of its face by less than matters: rays from an edge have no side.
Vec3 PathFinder::within(std::int32_t face, const Vec3& place) const {
  constexpr double off = 1e-9;
  const SeenBySides seen = seen_by_sides(net_, face, place);
  if (std::min({seen[0].y, seen[1].y, seen[2].y}) >= off) return place;
  const Vec3 middle = net_.middle_of(face);
  const double away = length(middle - place);
  return away > off ? place + (middle - place) * (off / away) : middle;
}

Disc PathFinder::collect(double reach, bool fold) {
  std::stable_sort(into_.begin(), into_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Disc disc;
  disc.part_ = net_.part_of(into_.front().first);
  std::vector<Entry> of_face;
  for (std::size_t i = 0; i < into_.size();) {
    const std::int32_t face = into_[i].first;
    of_face.clear();
    for (; i < into_.size() && into_[i].first == face; ++i) of_face.push_back(into_[i].second);
    const bool all = fold && holds_all(face, of_face, reach);
    const auto first = static_cast<std::uint32_t>(disc.entries_.size());
    if (!all) disc.entries_.insert(disc.entries_.end(), of_face.begin(), of_face.end());
    disc.spans_.push_back({face, all, first, static_cast<std::uint32_t>(disc.entries_.size())});
  }
  disc.spans_.shrink_to_fit();
  disc.entries_.shrink_to_fit();
  return disc;
}

Disc PathFinder::disc(std::int32_t face, const Vec3& given, double reach, bool fold) {
  const Vec3 place = within(face, given);
  reach_ = reach;
  windows_.clear();
  turns_.clear();
  next_.clear();
  into_.clear();
  best_.clear();
  const SeenBySides seen = seen_by_sides(net_, face, place);
  const Net::Face& own = net_.faces[static_cast<std::size_t>(face)];
  add(face, {seen[0].x, -seen[0].y, 0, net_.edge_of(own, 0).length, 0, 0});
  for (std::size_t k = 0; k < 3; ++k) {
    const Seen& o = own.opposite[k];
    reach_corner(face, k, distance(seen[k].x - o.x, seen[k].y - o.y), seen[k]);
  }
  for (std::size_t k = 0; k < 3; ++k) {
    leave(face, k, {seen[k].x, seen[k].y, 0, net_.edge_of(own, k).length, 0, 0});
  }
  while (!next_.empty()) {
    std::pop_heap(next_.begin(), next_.end());
    const Next next = next_.back();
    next_.pop_back();
    if (next.turns) {
      turn(Turn(turns_[next.number]));
    } else {
      cross(Window(windows_[next.number]));
    }
  }
  return collect(reach, fold);
}

}  // namespace dapple::geodesic
