// Files that options name, together with what was read from them.
#pragma once

#include <memory>
#include <string>

#include "dapple/units.hpp"

namespace dapple {

struct Image;     // dapple/plane.hpp
struct PointSet;  // dapple/points.hpp
struct Mesh;      // dapple/mesh.hpp
struct Outline;   // dapple/drawing.hpp

// A file named by an option. Whoever runs the operation loads it first: algorithms do not read
// files.
struct ImageInput {
  std::string path = {};  // empty: not given
  std::shared_ptr<const Image> image = {};
  bool frames = false;  // all frames of an animation are wanted, as slices; else the first
};
struct PointsInput {
  std::string path = {};
  std::shared_ptr<const PointSet> points = {};
};
struct MeshInput {
  std::string path = {};
  std::shared_ptr<const Mesh> mesh = {};
};
struct TextInput {
  // A value that starts with #, or is a word where the option takes words, is no file but stands
  // for itself: text stays null.
  std::string path = {};
  std::shared_ptr<const std::string> text = {};
};

// One of several maps that one option names, which asks for radii of a range: NAME=MAP:MIN:MAX.
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
