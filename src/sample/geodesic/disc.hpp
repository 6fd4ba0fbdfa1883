// Computes distances along a surface from one place: exact lengths of the shortest paths on the
// mesh, up to a given length.
//
// Windows are bundles of rays that go straight through the same faces (Mitchell, Mount,
// Papadimitriou 1987). They start at the place and at the vertices at which shortest paths turn,
// and the nearest goes first. A window is dropped if paths along its edge beat it (Xin, Wang 2009).
// Windows are not cut where they overlap: each has real paths, and the least length counts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "sample/geodesic/face_adjacency.hpp"

namespace dapple::geodesic {

// A place of a face, relative to each side of the face.
using SeenBySides = std::array<Seen, 3>;
SeenBySides seen_by_sides(const Net& net, std::int32_t face, const Vec3& place);

// Paths into a face through one of its sides, by the part of the edge from `low` to `high`. They
// are straight from an image of their last turn, at `x` along the edge and `off` behind it. If
// `off` is below 0, the image is before the edge, and paths cross no edge.
struct Entry {
  double x, off;
  double low, high;
  double before;  // length of the path up to the image
  std::int32_t side;

  // Returns the length of the shortest of these paths to a place of the face. Beyond the rays, the
  // path goes by the end of the part, so that it exists for every place.
  double length_to(const Seen& place) const;
};

class Disc {
 public:
  // The paths into a face; or `holds_all` if all its places are nearer than the reach of the disc.
  struct Paths {
    std::span<const Entry> entries;
    bool holds_all = false;
  };
  Paths into(std::int32_t face) const;
  // Returns the distance of a place, or infinity if no path within the reach leads there.
  double distance(std::int32_t face, const SeenBySides& place) const;
  std::int32_t part() const { return part_; }  // part of the net
  std::vector<std::int32_t> faces() const;     // faces that paths enter
  // Adds `by` to the length of all paths. A face that was completely within reach stays so.
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
  std::vector<Span> spans_;  // sorted by face
  std::vector<Entry> entries_;
  std::int32_t part_ = -1;
};

// Finds discs. One finder serves many places, so that it reuses its memory.
class PathFinder {
 public:
  explicit PathFinder(const Net& net) : net_(net) {}

  // Returns the paths to all places nearer than `reach`. `fold`: stores only holds_all of a face
  // that is completely nearer. Throws Error(limit) for more than most_windows windows.
  Disc disc(std::int32_t face, const Vec3& place, double reach, bool fold);

  static constexpr std::size_t most_windows = 50000;

 private:
  struct Window : Entry {
    std::int32_t face;  // the face that paths enter
  };
  // The least known length to a vertex, and the direction from which the path comes.
  struct Turn {
    std::int32_t vertex;
    double length;
    double angle;  // direction of the path back, around the vertex
  };
  struct Next {
    double length;
    std::uint32_t number;  // index in the windows or in the turns
    bool turns;
    bool operator<(const Next& other) const;
  };
  // A hash table of lengths by vertex.
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
  std::vector<std::pair<std::int32_t, Entry>> into_;  // faces, and paths into them
};

}  // namespace dapple::geodesic
