#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace normscope {
namespace {

Error missing_cell() {
    return error_of("{} {} is missing", "cell", 3);
}

Result<int> number(bool there) {
    if (!there) return tl::unexpected(missing_cell());
    return 7;
}

Result<void> check(bool good) {
    TRY(number(good));
    return {};
}

// A value that can be moved, not copied.
Result<std::unique_ptr<int>> boxed(int value) {
    return std::make_unique<int>(value);
}

template<class T>
Result<T> sum(bool first, bool second) {
    TRY(check(first));
    const std::unique_ptr<T> box = TRY(boxed(TRY(number(second))));
    return *box + TRY(number(true));
}

TEST(Try, GivesTheValue) {
    EXPECT_EQ(sum<int>(true, true), 14);
}

TEST(Try, ReturnsTheErrorUnchanged) {
    for (const auto& result : {sum<int>(false, true), sum<int>(true, false)}) {
        ASSERT_FALSE(result);
        EXPECT_EQ(result.error().message, "cell 3 is missing");
        EXPECT_EQ(result.error().pattern, missing_cell().pattern);
        EXPECT_EQ(result.error().values, missing_cell().values);
        EXPECT_EQ(result.error().values.front().pattern, "cell");
    }
}

TEST(Try, TakesTheResultOfACallAndLeavesThatOfAVariable) {
    Result<std::string> kept = std::string(100, 'x');
    const auto copied = [&]() -> Result<std::string> { return TRY(kept); };
    const auto moved = [&]() -> Result<std::string> { return TRY(std::move(kept)); };
    const char* const at = kept->data();
    EXPECT_NE(copied()->data(), at);
    EXPECT_EQ(kept->size(), 100);
    EXPECT_EQ(moved()->data(), at);
}

TEST(Try, DoesNotGoOnAfterAnError) {
    bool went_on = false;
    const auto run = [&]() -> Result<void> {
        if (!went_on) TRY(check(false));
        went_on = true;
        return {};
    };
    EXPECT_FALSE(run());
    EXPECT_FALSE(went_on);
}

} // namespace
} // namespace normscope
