/* Prints the cells around a few points as text. Computes the distance of every pixel to its nearest
 * and second nearest point, on a torus. Both are nearly equal at the border of a cell.
 */
#include <dapple/dapple.h>
#include <stdio.h>

enum { width = 64, height = 24, points = 9 };

int main(void) {
  static const double xy[2 * points] = {5,  4,  20, 9,  33, 3,  47, 8,  60, 14,
                                        12, 18, 29, 20, 44, 19, 55, 22};
  static float f1[width * height];
  static float f2[width * height];
  int i;
  dapple_context* context = dapple_context_new();
  if (context == NULL) return 1;
  if (dapple_cell_distances(context, xy, points, width, height, f1, f2)) {
    fprintf(stderr, "%s\n", dapple_error_message(context));
    dapple_context_free(context);
    return 1;
  }
  for (i = 0; i < width * height; ++i) {
    putchar(f1[i] < 1 ? 'o' : f2[i] - f1[i] < 1 ? '.' : ' ');
    if (i % width == width - 1) putchar('\n');
  }
  dapple_context_free(context);
  return 0;
}
