// Stands in for command.cpp in builds that cannot serve a page.
#include "app/command.hpp"
#include "dapple/error.hpp"

namespace dapple::app {
namespace {

class NoStudio : public Invocation {
 public:
  int run(const std::vector<std::string>&) override {
    throw Error(ErrorKind::usage,
                "this build cannot serve the studio: open its page, index.html, in a browser");
  }
};

}  // namespace

Command studio_command() {
  Command row;
  row.name = "studio";
  row.summary = "Opens a browser page that shows each change at once (not in this build)";
  row.details = "Open index.html, which lies beside this program, in a browser.";
  row.operands = "[IMAGE...]";
  row.max_operands = 1000;
  row.make = [] { return std::make_unique<NoStudio>(); };
  return row;
}

}  // namespace dapple::app
