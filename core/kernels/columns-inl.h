// Included once a target by Highway's foreach_target; hence the guard that flips.
#if defined(NORMSCOPE_CORE_KERNELS_COLUMNS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NORMSCOPE_CORE_KERNELS_COLUMNS_INL_H
#undef NORMSCOPE_CORE_KERNELS_COLUMNS_INL_H
#else
#define NORMSCOPE_CORE_KERNELS_COLUMNS_INL_H
#endif

#include "core/kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {

// Columns are summed up and mapped in the order in which a matrix lies in memory: in blocks of
// rows, a block in strips of columns. A walk down a strip through all rows would touch every page
// once a strip; here it is touched once, the processor sees what comes next, and the sums of a
// strip stay in the first-level cache for the rows of a block.
constexpr size_t k_block = 64;   // rows; not by the strip's width, so that threads change nothing
constexpr size_t k_strip = 4096; // bytes of a row's strip

// Of a row that is mapped to another in memory, where it is what comes next that is asked for
// ahead: what the columns need is read from the second-level cache instead.
constexpr size_t k_long_strip = 16384;

// Room for what a strip's columns need. Not a whole page, so that several of them and the rows
// themselves do not meet in the same sets of the cache.
template<class T>
using Strip = T[(k_strip + 5 * k_line) / sizeof(T)];

// Where a strip of a block begins, and its size.
struct Piece {
    size_t row = 0;
    size_t rows = 0;
    size_t column = 0;
    size_t width = 0;
};

enum class Walk : std::uint8_t {
    down,
    up, // from the last block to the first: what a walk down read last is still in the cache
};

// body(piece) for the columns [begin, end) of `rows` rows, in strips of `strip_bytes`
template<class T, class Body>
HWY_INLINE void for_pieces(Walk walk, size_t strip_bytes, size_t rows, size_t begin, size_t end,
                           Body&& body) {
    const size_t strip = strip_bytes / sizeof(T);
    const size_t blocks = (rows + k_block - 1) / k_block;
    for (size_t b = 0; b < blocks; ++b) {
        Piece p;
        p.row = (walk == Walk::down ? b : blocks - 1 - b) * k_block;
        p.rows = HWY_MIN(k_block, rows - p.row);
        for (p.column = begin; p.column < end; p.column += strip) {
            p.width = HWY_MIN(strip, end - p.column);
            body(p);
        }
    }
}

// The vector at p of which `count` lanes count, whole where count is `lanes`.
template<class T>
HWY_INLINE V<T> load_n(const T* p, size_t count) {
    return count == hn::Lanes(Tag<T>()) ? hn::LoadU(Tag<T>(), p) : load_part<T>(p, count);
}
template<class T>
HWY_INLINE void store_n(V<T> v, T* p, size_t count) {
    if (count == hn::Lanes(Tag<T>()))
        hn::StoreU(v, Tag<T>(), p);
    else
        store_part<T>(v, p, count);
}

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif // guard that flips
