// Distances along a surface from one place: lengths of the shortest paths on the mesh, exactly, as
// far as asked.
//
// Windows of rays that go straight through the same faces (Mitchell, Mount, Papadimitriou 1987),
// nearest first, from the place and from the vertices at which shortest paths turn; those go that
// the edges of their own edge beat (Xin, Wang 2009). Windows are not cut where they overlap: each
// is of paths that are there, and the least of all counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sample/geodesic/face_adjacency.hpp"

namespace dapple::paths {

// A place of a face as its sides see it.
using SeenBySides = std::array<Seen, 3>;
SeenBySides seen_by_sides(const Net& net, std::int32_t face, const Vec3& place);

// Paths into a face by one of its sides: straight from an image of where they turned last, which
// lies at `x` along the edge and `off` behind it (or, if below 0, before it: no edge is crossed),
// by the part of the edge from `low` to `high`.
struct Entry {
  double x, off;
  double low, high;
  double before;  // length of the path as far as the image
  std::int32_t side;

  // Of the shortest of these paths to a place of the face. From beyond the rays it goes by the end
  // of the part, so it is a path wherever the place lies.
  double length_to(const Seen& place) const;
};

class Disc {
 public:
  // Those of a face, or all of its places are nearer than what was asked.
  struct Paths {
    std::span<const Entry> entries;
    bool holds_all = false;
  };
  Paths into(std::int32_t face) const;
  // Infinite where no path that is short enough leads.
  double distance(std::int32_t face, const SeenBySides& place) const;
  std::int32_t part() const { return part_; }  // of the net
  std::vector<std::int32_t> faces() const;     // that paths lead into
  // All paths count so much more; where all of a face was nearer than asked, it still is.
  void lengthen(double by);
  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const {
    return sizeof(Disc) + spans_.size() * sizeof(Span) + entries_.size() * sizeof(Entry);
  }

 private:
  friend class PathFinder;
  struct Span {
    std::int32_t face;
    bool holds_all;
    std::uint32_t first, end;
  };
  std::vector<Span> spans_;  // by face
  std::vector<Entry> entries_;
  std::int32_t part_ = -1;
};

// Kept from place to place for its memory.
class PathFinder {
 public:
  explicit PathFinder(const Net& net) : net_(net) {}

  // Of all places nearer than `reach`. `fold`: of faces all of which are nearer only that is kept.
  // Throws Error(limit) where they are more than most_windows windows.
  Disc disc(std::int32_t face, const Vec3& place, double reach, bool fold);

  static constexpr std::size_t most_windows = 50000;

 private:
  struct Window : Entry {
    std::int32_t face;  // into which
  };
  // The least length known to a vertex, and where the path comes from.
  struct Turn {
    std::int32_t vertex;
    double length;
    double angle;  // round it, of the way back
  };
  struct Next {
    double length;
    std::uint32_t number;  // of the windows, or of turns
    bool turns;
    bool operator<(const Next& other) const;
  };
  // Lengths by vertices.
  class Lengths {
   public:
    void clear();
    double& of(std::int32_t vertex);

   private:
    void grow();
    std::vector<std::pair<std::int32_t, double>> slots_;
    std::size_t count_ = 0;
  };

  void add(std::int32_t face, const Entry& entry);
  void leave(std::int32_t face, std::size_t side, const Entry& entry);
  void cross(const Window& window);
  void turn(const Turn& turn);
  void reach_corner(std::int32_t face, std::size_t corner, double length, const Seen& from);
  void reach_along_edges(const Net::Fan& fan, const Turn& turn);
  void go_on(const Net::Blade& blade, const Turn& turn, double from, double to);
  bool is_beaten(const Net::Edge& edge, const Entry& entry);
  bool holds_all(std::int32_t face, std::span<const Entry> entries, double reach) const;
  Vec3 within(std::int32_t face, const Vec3& place) const;
  Disc collect(double reach, bool fold);

  const Net& net_;
  double reach_ = 0;
  std::vector<Window> windows_;
  std::vector<Turn> turns_;
  std::vector<Next> next_;  // a heap
  Lengths best_;
  std::vector<std::pair<std::int32_t, Entry>> into_;  // faces
};

}  // namespace dapple::paths
