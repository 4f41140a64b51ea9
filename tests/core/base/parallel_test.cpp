#include "core/base/parallel.h"

#include <array>
#include <atomic>
#include <gtest/gtest.h>
#include <new>

namespace normscope {
namespace {

TEST(ParallelChunks, CoverTheRangeOnce) {
    std::array<std::atomic<int>, 11> seen{};
    parallel_chunks(3, 11, [&](int, Index begin, Index end) {
        for (Index i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    for (const auto& count : seen) EXPECT_EQ(count, 1);
}

TEST(ParallelChunks, ThrowOnWhatABodyThrowsOnceAllHaveEnded) {
    for (const int chunks : {1, 2, 5}) {
        std::atomic<int> ended = 0;
        EXPECT_THROW(parallel_chunks(chunks, 10,
                                     [&](int chunk, Index, Index) {
                                         ++ended;
                                         if (chunk == chunks - 1) throw std::bad_alloc();
                                     }),
                     std::bad_alloc);
        EXPECT_EQ(ended, chunks);
    }
}

} // namespace
} // namespace normscope
