// Holds the files that options name, together with their contents.
#pragma once

#include <memory>
#include <string>

#include "dapple/units.hpp"

namespace dapple {

struct Image;    // dapple/plane.hpp
struct Points;   // dapple/points.hpp
struct Mesh;     // dapple/mesh.hpp
struct Outline;  // dapple/drawing.hpp
struct Regions;  // dapple/regions.hpp

// A file named by an option. The caller of an operation loads it first: algorithms do not read
// files.
struct ImageInput {
  std::string path = {};  // empty: not given
  std::shared_ptr<const Image> image = {};
  bool frames = false;  // read all frames of an animation, as slices; otherwise the first
};
struct PointsInput {
  std::string path = {};
  std::shared_ptr<const Points> points = {};
  bool whole_rows = false;  // read as Decoding::whole_rows says
};
struct MeshInput {
  std::string path = {};
  std::shared_ptr<const Mesh> mesh = {};
};
struct RegionsInput {
  std::string path = {};
  std::shared_ptr<const Regions> regions = {};
};
struct TextInput {
  // A value that starts with #, or a word if the option takes words, names no file: text stays
  // null.
  std::string path = {};
  std::shared_ptr<const std::string> text = {};
};

// One of several maps of an option, with a range of radii: NAME=MAP:MIN:MAX.
struct NamedMap {
  std::string name = {};  // letters of any script, digits, - and _
  ImageInput map = {};
  LengthRange radius = {};
};

struct OutlineInput {
  std::string path = {};
  std::shared_ptr<const Outline> outline = {};
};

}  // namespace dapple
