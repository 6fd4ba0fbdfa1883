#include <dapple/version.hpp>

int main() {
  return dapple::version()[0] == '\0' ? 1 : 0;
}
