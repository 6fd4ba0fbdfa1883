// Searches the nearest sites of every pixel, and the distance to the nearest border between cells.
#pragma once

#include <atomic>
#include <vector>

#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

Cells search_cells(const SiteGrid& grid, const CellQuery& query, RowRange rows, Context& context);

// Fills `found` with every site that can be the nearest of a pixel of the box.
void gather_nearest(const SiteGrid& grid, const PixelBox& box, SiteList& found);
// Finds the nearest site of each pixel of the box, row by row; sites must not be lifted. Returns
// false if sites are so far that the search takes more time than it saves.
bool find_nearest(const SiteGrid& grid, const PixelBox& box, std::vector<std::int32_t>& ids);

// smooth_nearest() turns exact F1 into smooth F1 (see WorleyOptions::smooth); `over` is in pixels.
// Sites farther than F1 + smooth_reach(over) add nothing.
double smooth_reach(double over);
void smooth_nearest(const SiteGrid& grid, const Metric& metric, float over, RowRange rows,
                    Band<float>& f1, Context& context);

// Finds the Euclidean distance to the nearest border of the cells. On the torus a cell may border
// on its own image. Needs two distinct sites, or a torus.
class EdgeSearch {
 public:
  explicit EdgeSearch(const SiteGrid& grid);
  // The first call for less than all rows looks at all other rows too: the choice of cells to cut
  // out must not depend on how rows are divided.
  Band<float> search(RowRange rows, Context& context);

 private:
  void fill_blocks(RowRange rows, Band<float>& edges, Context& context);
  void mark_nearest(const PixelBox& box, std::vector<std::atomic<bool>>& marks) const;
  void mark_owners(const PixelBox& box);
  void cut_out(Band<float>& edges, RowRange rows, const std::vector<std::atomic<bool>>* wanted,
               Context& context);

  const SiteGrid& grid_;
  bool blocks_;         // blocks solve most pixels; the cells in `left_` are cut out
  bool known_ = false;  // `left_` is complete for all rows
  std::vector<std::atomic<bool>> left_;
};

}  // namespace dapple::cells
