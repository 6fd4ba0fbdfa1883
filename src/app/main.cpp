// The program `dapple`.
#include "dapple/program.hpp"

int main(int argc, char** argv) {
  return dapple::app::run_program({argv + 1, argv + argc});
}
