// On which monitor the teacher's notes stand.
#include "app/platform/monitor.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr MonitorPlace k_laptop{0, 0, 1920, 1080}, k_projector{1920, 0, 1280, 800};

TEST(Monitor, TheNotesStandWhereTheClassDoesNotLook) {
    const MonitorPlace both[] = {k_laptop, k_projector};
    EXPECT_EQ(notes_monitor(both, {1920, 0, 1280, 800}), 0u) << "the window is on the projector";
    EXPECT_EQ(notes_monitor(both, {1000, 100, 900, 700}), 1u);
    EXPECT_EQ(notes_monitor(both, {1700, 0, 1000, 700}), 0u) << "most of it is on the projector";
}

TEST(Monitor, WithOneMonitorOrTwoThatShowTheSameThereIsNoPlaceForThem) {
    const MonitorPlace one[] = {k_laptop};
    EXPECT_EQ(notes_monitor(one, {0, 0, 800, 600}), std::nullopt);
    EXPECT_EQ(notes_monitor({}, {0, 0, 800, 600}), std::nullopt);
    const MonitorPlace mirrored[] = {k_laptop, {0, 0, 1280, 800}};
    EXPECT_EQ(notes_monitor(mirrored, {0, 0, 1280, 800}), std::nullopt);
}

TEST(Monitor, AWindowThatIsOnNoneCountsForTheFirst) {
    const MonitorPlace both[] = {k_laptop, k_projector};
    EXPECT_EQ(best_monitor(both, {-5000, -5000, 100, 100}), 0u);
    EXPECT_EQ(best_monitor({}, {0, 0, 100, 100}), std::nullopt);
}

} // namespace
} // namespace normscope
