/* The header is C99, and may be included twice. */
#include "dapple/dapple.h"
#include "dapple/dapple.h"

int dapple_test_number_of_the_header(void) {
  return DAPPLE_VERSION_NUMBER;
}
