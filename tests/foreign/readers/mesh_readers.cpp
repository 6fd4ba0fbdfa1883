// Reads a mesh by one reader, or by Dapple's and another that must agree. Usage:
//   mesh_readers READER FILE   (dapple, or one of others.hpp): what it read, or why not, with exit
//   code 3 mesh_readers same READER FILE ...   exit code 1 where a corner or a place in a texture
//   differs
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "others.hpp"
#ifdef FUZZED
#include <unistd.h>
#endif
#ifndef WITHOUT_DAPPLE
#include "dapple/context.hpp"
#include "dapple/mesh.hpp"
#include "dapple/point_files.hpp"
#endif

namespace {

using readers::Read;
using readers::Triangles;

Read read_with(const std::string& reader, const std::filesystem::path& file, Triangles* wanted) {
#ifndef WITHOUT_DAPPLE
  if (reader == "dapple") {
    dapple::Context context;
    const dapple::Mesh mesh = dapple::read_mesh(file.string(), context);
    if (wanted != nullptr) {
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        for (std::size_t c = 0; c < 3; ++c) {
          const dapple::Vec3& p = mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][c])];
          wanted->places.push_back({p.x, p.y, p.z});
          if (!mesh.uv.empty()) wanted->uv.push_back({mesh.uv[t][c].x, mesh.uv[t][c].y});
        }
      }
    }
    return {"", "", mesh.vertices.size(), mesh.triangles.size()};
  }
#endif
  return readers::read_by(reader, file, wanted);
}

template <class Rows>
bool same(const Rows& a, const Rows& b, const char* what) {
  if (a.size() != b.size()) {
    std::printf("%zu and %zu %s\n", a.size(), b.size(), what);
    return false;
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < a[i].size(); ++k) {
      if (std::abs(a[i][k] - b[i][k]) <= 1e-12 * std::max(1.0, std::abs(a[i][k]))) continue;
      std::printf("%s %zu: %.17g and %.17g\n", what, i, a[i][k], b[i][k]);
      return false;
    }
  }
  return true;
}

int compare(const std::string& other, const std::filesystem::path& file) {
  Triangles ours;
  Triangles theirs;
  read_with("dapple", file, &ours);
  const Read read = read_with(other, file, &theirs);
  if (!read.refused.empty()) std::printf("%s: %s\n", file.c_str(), read.refused.c_str());
  const bool good = read.refused.empty() && !ours.places.empty() &&
                    same(ours.places, theirs.places, "corners") &&
                    same(ours.uv, theirs.uv, "places in a texture");
  std::printf("%s: %zu triangles, %zu places in a texture %s\n", file.filename().c_str(),
              ours.places.size() / 3, ours.uv.size(), good ? "are the same" : "DIFFER");
  return good ? 0 : 1;
}

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), std::size_t{160}));
}

}  // namespace

#ifdef FUZZED
extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  const std::filesystem::path file = "input." + std::to_string(getpid());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes), static_cast<std::streamsize>(size));
  try {
    readers::read_by(FUZZED, file, nullptr);
  } catch (const std::exception&) {
  }
  return 0;
}
#else
int main(int count, char** words) {
  if (count < 3) return 2;
  const std::string reader = words[1];
  try {
    if (reader == "same") {
      int code = 0;
      for (int i = 3; i < count; ++i) code |= compare(words[2], words[i]);
      return code;
    }
    if (reader == "instances") {
      for (const auto& p : readers::instances_of(words[2]))
        std::printf("%.4f,%.4f,%.4f\n", p[0], p[1], p[2]);
      return 0;
    }
    const Read read = read_with(reader, words[2], nullptr);
    if (!read.refused.empty()) {
      std::printf("refused: %s\n", first_line(read.refused).c_str());
      return 3;
    }
    std::printf("%zu vertices, %zu triangles%s%s\n", read.vertices, read.triangles,
                read.warned.empty() ? "" : "; warns: ", first_line(read.warned).c_str());
    return 0;
  } catch (const std::exception& error) {
    std::printf("refused by an exception: %s\n", first_line(error.what()).c_str());
    return 3;
  }
}
#endif
