// Writes sheets and completes the record of a run.
#include "app/run/record.hpp"

#include <algorithm>
#include <sys/resource.h>

#include "app/error_text.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple::app {

std::vector<PlannedOutput> plan_sheets(const std::string& command, const std::string& input,
                                       const std::vector<std::string>& names, bool json,
                                       Overwrite overwrite, const Context& context) {
  Operation sheet;
  sheet.name = command;
  sheet.makes_image = true;
  sheet.default_extension = "png";
  if (json && std::count(names.begin(), names.end(), "-")) {
    throw Error(ErrorKind::usage, "--json and -o - both write to standard output: choose one");
  }
  auto planned = plan_outputs(sheet, 0, names, {command, input, "", context.seed});
  check_targets(planned, overwrite, {{input, "the input", false}});
  return planned;
}

void write_all(Result& result, const std::vector<PlannedOutput>& planned, const std::string& toml,
               FileGroup& files, Context& context, Record& record, bool keep) {
  const ImageMade* const made = result.image();
  if (made != nullptr && made->bits > 0 &&
      std::none_of(planned.begin(), planned.end(),
                   [](const PlannedOutput& output) { return is_array_format(output.extension); })) {
    throw Error(ErrorKind::usage,
                "`pack` packs arrays: write one of them, such as panel.raw, panel.h or panel.npy");
  }
  for (const PlannedOutput& output : planned) {
    for (WrittenOutput& written :
         write_output(result, output, !keep && &output == &planned.back(), toml, files, context)) {
      record.outputs.push_back(std::move(written));
    }
  }
}

void write_sheets(Image sheet, const std::vector<PlannedOutput>& planned, FileGroup& files,
                  Context& context, Record& record) {
  Result result{std::nullopt, ImageMade{std::move(sheet)}};
  write_all(result, planned, "", files, context, record);
}

void commit(FileGroup& files, const Context& context, std::set<std::string>* folders) {
  const HeldSignals held;
  files.commit(context, folders);
}

void close_record(Record& record, const Context& context,
                  std::chrono::steady_clock::time_point start) {
  for (const std::string& warning : context.warnings())
    record.warnings.push_back(as_flags(warning));
  for (const std::string& choice : context.notes()) record.notes.push_back(as_flags(choice));
  record.seconds = context.seconds();
  record.seconds.emplace_back("total", seconds_since(start));
  record.peak_memory_mb = peak_memory_mb();
}

Record recorded(const std::string& command, const RunOptions& options, Context& context,
                const std::function<void(Record&)>& work) {
  const auto start = std::chrono::steady_clock::now();
  Record record;
  record.command = command;
  record.seed = context.seed;
  {
    const Interrupt interrupt(context);
    const Progress progress(context, options.progress, options.quiet);
    work(record);
  }
  close_record(record, context, start);
  return record;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

double peak_memory_mb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace dapple::app
