// Makes and checks certificates of masks. A certificate is a JSON file beside a mask with its
// measurements, checks, hash and recipe.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/extend/result.hpp"

namespace dapple::app {

// Returns the path beside `file`, such as `mask.png.certificate.json`.
std::string certificate_path(const std::string& file);
bool is_certificate(const std::string& path);

// Throws Error(verification) unless every rank of each channel occurs once, either in the whole
// mask or in every slice.
void check_ranks(const ImageMade& made);

// The input of make_certificate().
struct Certified {
  std::string file;       // the file that the certificate describes
  std::string bytes_at;   // the path that holds its bytes now
  const ImageMade* made;  // the content of the file
  int frame = -1;         // the slice that the file holds; -1: all slices
  std::string recipe;     // of the run, as TOML
  bool goals = false;     // Job::has_goals()
};
// Measures the file, reading it again if its format can be read, and returns the certificate.
std::string make_certificate(const Certified& certified, Context& context);

// The facts in a certificate that other code needs.
struct CertificateFacts {
  std::string file, sha256, recipe;
  std::int64_t bytes = 0;
  int frame = -1;
  bool measured_from_file = false;
  std::vector<std::pair<std::string, double>> figures;
};
// Reads a certificate; throws Error(input).
CertificateFacts read_certificate(const std::string& path);
// Throws Error(verification) if `file` is not the certified file. If `report` is given, also throws
// if its measurements differ.
void check_certificate(const CertificateFacts& facts, const std::string& file,
                       const std::optional<QualityReport>& report);

}  // namespace dapple::app
