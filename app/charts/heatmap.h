#pragma once
#include "app/charts/canvas.h"
#include "core/base/matrix_view.h"
#include "core/base/memo.h"
#include "core/norm/sets.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// The visible part of a matrix: the place (row, col) at the top left, in cells and fractions of a
// cell, and the size of a cell.
struct HeatmapPort {
    float row = 0, col = 0;
    float cell_w = 1, cell_h = 1;
    float scale = 1; // of the surface: cells lie on its whole pixels

    bool operator==(const HeatmapPort&) const = default;
};

// How a card's digits are written: the same for all its cells, so that columns align.
struct CellFormat {
    TextRole role = TextRole::number;
    int decimals = 2;        // −1: no digits, the cells are too small
    bool scientific = false; // 3e-7: all values are so small that they would read 0.00
    bool exact_zero = false; // what is 0 reads "0", to tell it from what is rounded to 0.00
};

struct HeatmapMarks {
    std::vector<CellBlock> outlined;         // thin outline: what shares μ and σ, what takes part
    std::optional<CellBlock> strong;         // heavy outline: the hovered cell
    std::optional<CellBlock> selected;       // the selection of an editor
    std::optional<CellBlock> lit;            // everything outside is faded
    std::optional<Index> row_name, col_name; // set in heavier ink: hovered or pinned
};

// The body of a matrix card. `area` is where cells may be; names are drawn left of and above it,
// into the given strips.
struct Heatmap {
    MatrixView values;
    std::uint64_t version = 0; // names the content (with `id`), for the texture cache
    std::uint64_t id = 0;      // which of several heat maps this is
    double limit = 1;          // the value with the full colour
    HeatmapPort port;
    CellFormat format;
    HeatmapMarks marks;
    std::span<const std::string> row_names; // may be empty: none are drawn
    std::span<const std::string> col_names;
    float row_names_w = 0; // width of the strip left of `area`
    float col_names_h = 0; // height of the strip above `area`
    Rect covered = {};     // what will lie over some cells: digits it would cut are left out
};

// Memory for the picture of a large heat map: made anew only when its version, port or theme
// changes. Owned by whoever draws the same heat map again.
struct HeatmapPicture {
    std::uint64_t key = 0;
    int w = 0, h = 0;
    std::vector<std::uint32_t> rgba;
};

// Cells as large as fit into `area`, at most `most` wide and high.
HeatmapPort fit_port(Rect area, Index rows, Index cols, Size most, float scale = 1);

// The place of an overview of `size` over a map: at its lower right corner, or at the lower left
// one where the overview would be in the way of the mouse or of `cell`.
Rect overview_place(Rect area, Size size, float margin, const HeatmapPort& port,
                    const std::optional<CellBlock>& cell, Point mouse);

// The cell's rectangle, gap included, and the cell at a point (none outside the matrix or `area`).
Rect cell_rect(Rect area, const HeatmapPort& port, Index row, Index col);
Rect cells_rect(Rect area, const HeatmapPort& port, const CellBlock& block); // of all of them
struct HeatmapCell {
    Index row, col;
    bool operator==(const HeatmapCell&) const = default;
};
std::optional<HeatmapCell> cell_at(Rect area, const HeatmapPort& port, Index rows, Index cols,
                                   Point p);

// The largest role and the most decimals (2, 1, and 0 where whole numbers say enough) with which
// the visible values fit into cells of this size, but for a few far larger ones, which are drawn
// with fewer digits; decimals −1 where none does. `finest`: of values that are all small, so many
// decimals where there is room, up to 4.
CellFormat choose_cell_format(const Canvas& canvas, Rect area, const HeatmapPort& port,
                              const MatrixView& values, int finest = 2);

// choose_cell_format() of a matrix with a version, kept until something it depends on changes.
struct CellFormatKey {
    std::uint64_t version = 0;
    float area_w = 0, area_h = 0, digit_w = 0;
    HeatmapPort port;
    bool operator==(const CellFormatKey&) const = default;
};
using CellFormatMemo = Memo<CellFormatKey, CellFormat>;
const CellFormat& cell_format(CellFormatMemo& memo, const Canvas& canvas, Rect area,
                              const HeatmapPort& port, const MatrixView& values,
                              std::uint64_t version);

// The narrower of two roles that choose_cell_format() may choose.
TextRole narrower(TextRole a, TextRole b);

// One format for two maps that are read together; a's where one is in powers of ten.
CellFormat coarser(const CellFormat& a, const CellFormat& b);

// The text of a cell in that format: "-0.45", "NaN", "∞", "1e20".
std::string cell_text(double value, const CellFormat& format);

// Draws names, cells, digits and marks. Up to ~4000 visible cells are rectangles, more are one
// picture in which every pixel shows the value of the largest magnitude it stands for, so that an
// outlier never vanishes.
void draw_heatmap(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                  HeatmapPicture& picture);

// Parts of draw_heatmap(). The cells [first, end) of one axis that can be seen.
struct VisibleSpan {
    Index first = 0, end = 0;
};

// One axis of the cells: `length` pixels from `start`, which lies `first` cells into the matrix.
struct CellAxis {
    float start, length, first, cell;

    float middle(Index i) const { return start + (static_cast<float>(i) + 0.5f - first) * cell; }
    Index cell_at(float pixel) const {
        return static_cast<Index>(std::floor((pixel - start) / cell + first));
    }
    VisibleSpan seen(Index count) const; // of so many cells
};
CellAxis down_axis(Rect area, const HeatmapPort& port);
CellAxis across_axis(Rect area, const HeatmapPort& port);

// The first cell with its gap, wherever it is scrolled to: the next ones follow at its width and
// height.
Rect first_cell(Rect area, const HeatmapPort& port);

// The names left of the cells and above them. Where they would crowd, every 2nd, 5th, 10th, … is
// written; the marked one is always. No name lies over another or leaves the strip.
void draw_row_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan rows);
void draw_col_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan cols);

// The cells that fall into `area` as one picture, a pixel a cell where cells are larger than a
// pixel, a pixel for several cells (the one of the largest magnitude) where they are smaller.
void draw_heatmap_picture(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                          HeatmapPicture& picture);

// All of the matrix small, with the part that is seen framed.
void draw_overview(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map, Rect map_area,
                   HeatmapPicture& picture);

// A value for `limit`, what the full colour stands for when these matrices are compared: the
// largest of them, rounded up to 1, 1.5, 2, 3, 4, 5 or 7 · 10^k so that it does not flicker while a
// value is dragged. Magnitudes that are not finite are left out; 1 if none above 0 is left.
double common_limit(std::span<const double> largest_magnitudes);

// common_limit() for a norm's inputs and outputs: one limit for both, or one each where the smaller
// values would hardly have a colour beside the larger.
struct NormLimits {
    double in, out;
};
NormLimits norm_limits(std::span<const double> largest_in, std::span<const double> largest_out);

// The limit of one matrix on its own.
double own_limit(const MatrixView& values);

} // namespace normscope
