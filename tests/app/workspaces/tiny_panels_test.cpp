#include "app/model/flow/flow_setup.h"
#include "app/session/examples.h"
#include "app/shell/files/figure.h"
#include "app/workspaces/train/view.h"
#include "tests/app/charts/recording_canvas.h"
#include "tests/app/shell/harness.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr float k_sides[] = {-3, 0, 1, 3, 40, 400};

class TinyPanels : public ::testing::TestWithParam<std::size_t> {};

Document small_document() {
    auto examples = load_examples(std::filesystem::path(NORMSCOPE_ASSET_DIR) / "examples");
    Document d = *open_example(*find_example(*examples, "studying"));
    d.flow.stack.blocks = 4;
    d.flow.stack.width = 8;
    d.flow.seeds = 1;
    d.train.common.layers = 3;
    d.train.common.width = 8;
    d.train.common.points = 30;
    d.train.common.steps = 60;
    d.train.step = 40;
    return d;
}

// Each panel where it gets next to no room: what it draws has a place.
TEST_P(TinyPanels, AreDrawnInAnyArea) {
    FigureRequest request;
    request.document = small_document();
    request.view.workspace = GetParam();
    const auto numbers = figure_numbers(request);
    for (const FigureEntry& figure : workspace_table()[GetParam()].figures) {
        request.figure = figure.id;
        for (const float w : k_sides)
            for (const float h : k_sides) {
                RecordingCanvas canvas;
                draw_figure_at(canvas, {20, 30, w, h}, request, *numbers);
                EXPECT_EQ(canvas.open_clips(), 0u) << figure.id << ", " << w << "×" << h;
                for (const auto& mark : canvas.marks)
                    ASSERT_TRUE(std::isfinite(mark.bounds.x) && std::isfinite(mark.bounds.y) &&
                                std::isfinite(mark.bounds.w) && std::isfinite(mark.bounds.h))
                        << figure.id << ", " << w << "×" << h;
            }
    }
}

INSTANTIATE_TEST_SUITE_P(All, TinyPanels, ::testing::Range<std::size_t>(0, 6));

} // namespace
} // namespace normscope
