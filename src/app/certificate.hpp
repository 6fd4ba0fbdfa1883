// Certificates of masks: a file of JSON beside a mask that says what it is, measured and checked,
// and whose.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/result.hpp"

namespace dapple::app {

// `mask.png.certificate.json`, beside the file.
std::string certificate_path(const std::string& file);
bool is_certificate(const std::string& path);

// Throws Error(verification) unless every rank of each channel occurs once: of the whole, or of
// every slice.
void check_ranks(const ImageMade& made);

// What a certificate is made from.
struct Certified {
  std::string file;       // that is written
  std::string bytes_at;   // where its bytes are
  const ImageMade* made;  // what it holds
  int frame = -1;         // the slice that it holds; -1: all
  std::string recipe;     // of the run, as TOML
  bool goals = false;     // Job::has_goals()
};
// Reads the file again where that is possible, measures it, and returns the certificate.
std::string make_certificate(const Certified& certified, Context& context);

// What a certificate says that others need.
struct CertificateFacts {
  std::string file, sha256, recipe;
  std::int64_t bytes = 0;
  int frame = -1;
  bool measured_from_file = false;
  std::vector<std::pair<std::string, double>> figures;
};
// Throws Error(input).
CertificateFacts read_certificate(const std::string& path);
// Throws Error(verification) where the file is not the one certified, or, where there is a report
// of it, measures otherwise.
void check_certificate(const CertificateFacts& facts, const std::string& file,
                       const std::optional<QualityReport>& report);

}  // namespace dapple::app
