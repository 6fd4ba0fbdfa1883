#include "io/images/read/openimageio_reader.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/context.hpp"
#include "dapple/limits.hpp"
#include "io/images/sandbox/sandbox.hpp"

namespace dapple {
namespace {

// Decoders hold the file, and up to two copies of the unpacked picture.
protocol::Task task_of(const InputFile& file, const std::string& format, const HeaderProbe& probe,
                       const Context& context) {
  const auto limit = static_cast<double>(memory_limit(context.limits));
  const double pixels = probe.width * probe.height;
  const auto size = static_cast<double>(file.size());
  const double memory = (128 << 20) + 2 * size + 16 * pixels * (probe.channels + 1);
  const double pages = std::max(1, count_pages(file, probe.format, most_frames));
  protocol::Task task;
  task.memory = std::llround(std::min(pixels > 0 ? memory : limit, limit));
  task.seconds = pixels > 0 ? std::llround(20 + (size + 16 * pixels * pages) / 1e6) : 600;
  if (format == "pdf") {  // objects take several times the bytes of their text
    task.memory = std::llround(std::min((512 << 20) + 16 * size, limit));
    task.seconds = std::llround(20 + size / 1e6);
  }
  task.common = format == "pdf" || is_common(format);
  task.profile = context.limits.decoding.profile;
  task.must = context.limits.decoding.sandbox == Sandbox::always;
  return task;
}

}  // namespace

ModuleError open_foreign(const InputFile& file, const std::string& format, const HeaderProbe& probe,
                         const Context& context, std::unique_ptr<BandReader>& reader,
                         ImageHeader& header) {
  if (context.limits.decoding.sandbox == Sandbox::never) {
    return image_module(format).open(file.descriptor(), format, context.limits.decoding.profile,
                                     reader, header);
  }
  const auto stopped = [&context] { return context.cancelled(); };
  return open_sandboxed(file.descriptor(), format, task_of(file, format, probe, context), stopped,
                        reader, header);
}

}  // namespace dapple
