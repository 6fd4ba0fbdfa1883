/* even_points [SEED]: prints points at least 2 apart in a box of 100 x 60, for trees, lamps or
 * samples. The library writes them into an array of the caller.
 */
#include <dapple/dapple.h>
#include <stdio.h>

enum { room = 4000 };

int main(int argc, char** argv) {
  static double xy[2 * room];
  size_t count = 0;
  size_t i;
  dapple_context* context = dapple_context_new();
  if (context == NULL) return 1;
  if ((argc > 1 && dapple_context_set(context, "seed", argv[1])) ||
      dapple_even_points(context, 100, 60, 2, 0, xy, room, &count)) {
    fprintf(stderr, "%s\n", dapple_error_message(context));
    dapple_context_free(context);
    return 1;
  }
  for (i = 0; i < count; ++i) printf("%.17g,%.17g\n", xy[2 * i], xy[2 * i + 1]);
  dapple_context_free(context);
  return 0;
}
