// The program with a command more.
#include <dapple/extend/program.hpp>

int main(int argc, char** argv) {
  return dapple::app::run_program({argv + 1, argv + argc});
}
