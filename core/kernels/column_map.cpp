#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "core/kernels/column_map.cpp"
#include <hwy/foreach_target.h>

#include "core/base/parallel.h"
#include "core/kernels/columns-inl.h"
#include "core/kernels/norms.h"
#include "core/kernels/precision.h"
#include "core/kernels/simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace normscope::kernels::HWY_NAMESPACE {
namespace {

// What maps x to y = (x − shift)·scale + offset, for the columns of a strip. Without a shift: 0.
template<class T>
struct Line {
    const T* HWY_RESTRICT shift;
    const T* HWY_RESTRICT scale;
    const T* HWY_RESTRICT offset;
};

// The same for a vector of columns; rows mapped together share what is read for them.
template<class T>
struct LineAt {
    LineAt() = default;
    template<class Load>
    HWY_INLINE LineAt(const Line<T>& line, size_t i, Load&& load)
        : shift(line.shift ? load(line.shift + i) : hn::Zero(Tag<T>())),
          scale(load(line.scale + i)), offset(load(line.offset + i)) {}

    HWY_INLINE V<T> y(V<T> x) const { return hn::MulAdd(hn::Sub(x, shift), scale, offset); }

    V<T> shift, scale, offset;
};

// k_rows rows of a strip.
template<class T, int k_rows>
HWY_INLINE void map_together(const T* x, const Line<T>& line, T* y, size_t stride, size_t begin,
                             size_t end) {
    const auto step = [&](size_t i, size_t count) HWY_ATTR {
        const auto load = [&](const T* p) HWY_ATTR { return load_n<T>(p, count); };
        const LineAt<T> at(line, i, load);
        for (size_t r = 0; r < k_rows; ++r)
            store_n<T>(at.y(load(x + r * stride + i)), y + r * stride + i, count);
    };
    for_vectors<T>(
        begin, end, [&](size_t i) HWY_ATTR { step(i, hn::Lanes(Tag<T>())); }, step);
}

// k_rows rows of a strip, whose length is whole cache lines, past the cache. What is asked for
// ahead is a little further on in the same rows for the first level, for the second the rows `next`
// values on, unless that is 0.
template<class T, int k_rows>
HWY_INLINE void map_around(const T* x, const Line<T>& line, T* y, size_t stride, size_t width,
                           size_t next, Memory memory) {
    const Tag<T> d;
    const size_t lanes = hn::Lanes(d);
    constexpr size_t step = 2 * k_line / sizeof(T);
    constexpr size_t most = step / HWY_MIN(step, hn::MaxLanes(Tag<T>())); // vectors
    const auto load = [&](const T* p) HWY_ATTR { return hn::LoadU(d, p); };
    const size_t ahead = memory.fetches_into_first() ? ahead_of<T>(memory, 1, k_rows) : next;
    const size_t head = values_to_line(y, width);
    map_together<T, k_rows>(x, line, y, stride, 0, head);
    size_t i = head;
    for (; i + step <= width; i += step) {
        if (ahead > 0)
            for (size_t r = 0; r < k_rows; ++r)
                prefetch(x + r * stride + i + ahead, step, memory.rows);
        LineAt<T> at[most];
        for (size_t k = 0; k * lanes < step; ++k) at[k] = LineAt<T>(line, i + k * lanes, load);
        for (size_t r = 0; r < k_rows; ++r)
            for (size_t k = 0; k * lanes < step; ++k) {
                const size_t v = r * stride + i + k * lanes;
                hn::Stream(at[k].y(load(x + v)), d, y + v);
            }
    }
    map_together<T, k_rows>(x, line, y, stride, i, width);
}

// The rows [begin, end) of a strip.
template<class T>
HWY_INLINE void map_rows(const T* x, const Line<T>& line, T* y, size_t stride, size_t width,
                         size_t begin, size_t end, Memory memory) {
    size_t row = begin;
    const auto rows = [&](size_t at_once, auto&& map) HWY_ATTR {
        for (; row + at_once <= end; row += at_once)
            map(x + row * stride, y + row * stride,
                row + 2 * at_once <= end ? at_once * stride : 0);
    };
    if (!memory.around) {
        rows(2, [&](const T* from, T* to, size_t)
                    HWY_ATTR { map_together<T, 2>(from, line, to, stride, 0, width); });
        rows(1, [&](const T* from, T* to, size_t)
                    HWY_ATTR { map_together<T, 1>(from, line, to, stride, 0, width); });
        return;
    }
    // Several rows at once read what the columns need once. Where that stays in the first level
    // beside a row, memory serves one after the other faster (measured with 48 kB, rows of 4 to
    // 8 kB: by a tenth to a quarter; with 32 kB it is slower).
    const bool stays = memory.fetches_into_first() && width * sizeof(T) <= k_long_strip / 2;
    if (!stays && stride * sizeof(T) % k_line == 0)
        rows(4, [&](const T* from, T* to, size_t next)
                    HWY_ATTR { map_around<T, 4>(from, line, to, stride, width, next, memory); });
    rows(1, [&](const T* from, T* to, size_t next)
                HWY_ATTR { map_around<T, 1>(from, line, to, stride, width, next, memory); });
}

template<class T>
void map_row_range(const ColumnMap<T>& a, Index begin, Index end, Memory memory) {
    const size_t cols = static_cast<size_t>(a.cols);
    const size_t first = static_cast<size_t>(begin);
    for_pieces<T>(Walk::up, memory.fetches_into_first() ? k_long_strip : k_strip,
                  static_cast<size_t>(end - begin), 0, cols, [&](const Piece& p) HWY_ATTR {
                      const size_t c = p.column;
                      map_rows<T>(
                          a.x + c,
                          Line<T>{a.shift ? a.shift + c : nullptr, a.scale + c, a.offset + c},
                          a.y + c, cols, p.width, first + p.row, first + p.row + p.rows, memory);
                  });
    if (memory.around) hwy::FlushStream();
}

auto column_maps() {
    return std::make_pair(map_row_range<float>, map_row_range<double>);
}

} // namespace

} // namespace normscope::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace normscope::kernels {

HWY_EXPORT(column_maps);

constexpr Index k_grain = 24 * 1024; // values: fewer a thread are not worth waking it

template<class S>
void column_map(const ColumnMap<S>& a, int threads) {
    const auto kernel = in_precision<S>(HWY_DYNAMIC_DISPATCH(column_maps)());
    const int chunks = static_cast<int>(
        std::min<Index>(useful_threads(threads, a.rows * a.cols, k_grain), a.rows));
    const Memory memory =
        a.memory.value_or(memory_for(2 * a.rows * a.cols * static_cast<Index>(sizeof(S)) / chunks));
    parallel_chunks(chunks, a.rows,
                    [&](int, Index begin, Index end) { kernel(a, begin, end, memory); });
}

template decltype(column_map<float>) column_map<float>;
template decltype(column_map<double>) column_map<double>;

} // namespace normscope::kernels
#endif
