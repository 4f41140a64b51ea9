// On which monitor the teacher's notes stand.
#include "app/platform/monitor.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr DesktopRect k_laptop{0, 0, 1920, 1080}, k_projector{1920, 0, 3200, 800};

TEST(Monitor, TheNotesStandWhereTheClassDoesNotLook) {
    const DesktopRect both[] = {k_laptop, k_projector};
    EXPECT_EQ(notes_monitor(both, {1920, 0, 3200, 800}), 0u) << "the window is on the projector";
    EXPECT_EQ(notes_monitor(both, {1000, 100, 1900, 800}), 1u);
    EXPECT_EQ(notes_monitor(both, {1700, 0, 2700, 700}), 0u) << "most of it is on the projector";
}

TEST(Monitor, WithOneMonitorOrTwoThatShowTheSameThereIsNoPlaceForThem) {
    const DesktopRect one[] = {k_laptop};
    EXPECT_EQ(notes_monitor(one, {0, 0, 800, 600}), std::nullopt);
    EXPECT_EQ(notes_monitor({}, {0, 0, 800, 600}), std::nullopt);
    const DesktopRect mirrored[] = {k_laptop, {0, 0, 1280, 800}};
    EXPECT_EQ(notes_monitor(mirrored, {0, 0, 1280, 800}), std::nullopt);
}

TEST(Monitor, AWindowThatIsOnNoneCountsForTheFirst) {
    const DesktopRect both[] = {k_laptop, k_projector};
    EXPECT_EQ(best_monitor(both, {-5000, -5000, -4900, -4900}), 0u);
    EXPECT_EQ(best_monitor({}, {0, 0, 100, 100}), std::nullopt);
}

} // namespace
} // namespace normscope
