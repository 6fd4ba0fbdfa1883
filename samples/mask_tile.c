/* Makes a blue-noise mask in the caller's memory, as a renderer does at its start. Dithers a gray
 * ramp by the mask and prints it as text.
 */
#include <dapple/dapple.h>
#include <stdio.h>

enum { side = 32, width = 64, height = 12 };

int main(void) {
  static int32_t ranks[side * side];
  int x;
  int y;
  dapple_context* context = dapple_context_new();
  if (context == NULL) return 1;
  if (dapple_mask_ranks(context, side, side, ranks, side * sizeof ranks[0])) {
    fprintf(stderr, "%s\n", dapple_error_message(context));
    dapple_context_free(context);
    return 1;
  }
  for (y = 0; y < height; ++y) {
    for (x = 0; x < width; ++x) {
      const double threshold = (ranks[y % side * side + x % side] + 0.5) / (side * side);
      putchar((x + 0.5) / width > threshold ? '#' : ' ');
    }
    putchar('\n');
  }
  dapple_context_free(context);
  return 0;
}
