// The searches behind the cell textures: the nearest sites of every pixel and the distance to the
// nearest border between cells.
#pragma once

#include <atomic>
#include <vector>

#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

Cells search_cells(const SiteGrid& grid, const CellQuery& query, RowRange rows, Context& context);

// Fills `found` with every site that can be the nearest of a pixel of the box.
void gather_nearest(const SiteGrid& grid, const PixelBox& box, SiteList& found);
// The nearest site of each pixel of the box, row by row; sites are not lifted. False where these
// are so far that looking for each takes more time than it saves.
bool find_nearest(const SiteGrid& grid, const PixelBox& box, std::vector<std::int32_t>& ids);

// F1, given exactly, becomes smooth (see WorleyOptions::smooth); `over` in pixels.
// Sites farther than F1 by smooth_reach(over) add nothing.
double smooth_reach(double over);
void smooth_nearest(const SiteGrid& grid, const Metric& metric, float over, RowRange rows,
                    Band<float>& f1, Context& context);

// Distance to the nearest border of the cells, Euclidean. On the torus a cell may border on its own
// image. Needs two distinct sites, or a torus.
class EdgeSearch {
 public:
  explicit EdgeSearch(const SiteGrid& grid);
  // The first call for less than all rows looks at all others too: which cells are cut out must not
  // depend on where rows are parted.
  Band<float> search(RowRange rows, Context& context);

 private:
  void fill_blocks(RowRange rows, Band<float>& edges, Context& context);
  void mark_nearest(const PixelBox& box, std::vector<std::atomic<bool>>& marks) const;
  void mark_owners(const PixelBox& box);
  void cut_out(Band<float>& edges, RowRange rows, const std::vector<std::atomic<bool>>* wanted,
               Context& context);

  const SiteGrid& grid_;
  bool blocks_;  // most pixels are found block by block, those of the cells `left_` cell by cell
  bool known_ = false;  // which these are, of all rows
  std::vector<std::atomic<bool>> left_;
};

}  // namespace dapple::cells
