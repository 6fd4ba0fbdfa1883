// Writes the failed jobs as a batch file that runs only these jobs.
#include "app/batch/batch.hpp"
#include "io/jobs_toml.hpp"
#include "io/utf8_names.hpp"

namespace dapple::app {
namespace {

// Removes control characters except line ends, which the writer turns into comment lines.
std::string comment_of(const BatchFailure& failure) {
  std::string text = failure.message;
  for (char& c : text) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) c = ' ';
  }
  return utf8_of_name(text);
}

std::string table_of(const BatchFailure& failure) {
  const BatchJob& job = *failure.job;
  Recipe recipe = job.recipe;
  recipe.version.clear();
  recipe.comment = comment_of(failure);
  std::string text = "\n[[job]]\n" + to_toml(recipe, make_run(job).options);
  if (job.overwrite != Overwrite::always) {
    text += "overwrite = " + toml_text(word_of(job.overwrite)) + "\n";
  }
  if (job.no_recipe) text += "no-recipe = true\n";
  std::string names;
  for (const std::string& name : job.templates()) {
    names += (names.empty() ? "" : ", ") + toml_text(name);
  }
  return text + "output = [" + names + "]\n";
}

}  // namespace

std::string failures_text(const std::vector<BatchFailure>& failures) {
  std::string text = "# " + std::to_string(failures.size()) + " jobs that failed, and why\n";
  for (const BatchFailure& failure : failures) text += table_of(failure);
  return text;
}

}  // namespace dapple::app
