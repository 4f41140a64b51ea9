#include "app/charts/flow_band.h"

#include "tests/app/charts/recording_canvas.h"

#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

struct River {
    std::vector<FlowSlice> slices;
    FlowBand band;
    FlowBandPlot plot;

    explicit River(FlowSlice slice, std::size_t n = 10) : slices(n, slice) {
        RecordingCanvas canvas;
        band = {.slices = slices,
                .top = 1,
                .widths = flow_widths(ScaleKind::linear, slices),
                .sublayer = "FFN"};
        plot = flow_band_plot(canvas, {0, 0, 1000, 360}, band);
    }
};

TEST(FlowParticles, GoFromTheLossToTheInput) {
    const River r({1, 1, 0});
    const auto before = flow_particles(r.plot, r.band, 1, 1.0);
    const auto after = flow_particles(r.plot, r.band, 1, 2.0);
    ASSERT_EQ(before.size(), 1u);
    EXPECT_LT(after[0].at.x, before[0].at.x);
    EXPECT_LE(after[0].block, before[0].block);
    EXPECT_EQ(flow_particles(r.plot, r.band, 1, 1.0)[0].at, before[0].at);
}

TEST(FlowParticles, StayWithinTheWater) {
    const River r({1, 0.8, 0.6});
    for (int moment = 0; moment < 200; ++moment)
        for (const FlowParticle& p : flow_particles(r.plot, r.band, 40, moment * 0.1)) {
            EXPECT_GE(p.at.x, r.plot.river.x - 0.01f);
            EXPECT_LE(p.at.x, r.plot.river.right() + 0.01f);
            EXPECT_GE(p.at.y, r.plot.axis - r.plot.half);
            EXPECT_LE(p.at.y, r.plot.axis + r.plot.half);
        }
}

TEST(FlowParticles, CrossAsOftenAsTheBranchHasAShare) {
    const River r({1, 3, 1});
    int crossing = 0, all = 0;
    for (int moment = 0; moment < 400; ++moment)
        for (const FlowParticle& p : flow_particles(r.plot, r.band, 40, moment * 0.9)) {
            crossing += p.crosses ? 1 : 0;
            ++all;
        }
    EXPECT_NEAR(static_cast<double>(crossing) / all, 0.25, 0.03);
    const River plain({1, 0, 1});
    for (const FlowParticle& p : flow_particles(plain.plot, plain.band, 40, 3))
        EXPECT_TRUE(p.crosses);
}

TEST(FlowParticles, LeaveOutWhatIsNoNumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const River r({nan, nan, nan});
    EXPECT_TRUE(flow_particles(r.plot, r.band, 40, 3).empty());
}

} // namespace
} // namespace normscope
