#include "app/charts/bars.h"
#include "app/charts/distribution_chart.h"
#include "app/charts/flow_band.h"
#include "app/charts/heatmap.h"
#include "app/charts/line_chart.h"
#include "app/charts/space.h"
#include "tests/app/charts/bell.h"
#include "tests/app/charts/recording_canvas.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr float k_sides[] = {-3, 0, 1, 3, 200};

// Draws in areas that have next to no room, and in one that has some; what is drawn has a place.
template<class Draw>
void expect_drawn_in_any_area(const Draw& draw) {
    for (const float w : k_sides)
        for (const float h : k_sides)
            for (const float scale : {0.75f, 2.5f}) {
                RecordingCanvas canvas(scale);
                draw(canvas, Rect{20, 30, w, h});
                EXPECT_EQ(canvas.open_clips(), 0u);
                for (const auto& mark : canvas.marks)
                    EXPECT_TRUE(std::isfinite(mark.bounds.x) && std::isfinite(mark.bounds.y) &&
                                std::isfinite(mark.bounds.w) && std::isfinite(mark.bounds.h))
                        << w << "×" << h << ", kind " << static_cast<int>(mark.kind);
            }
}

const std::vector<double> k_values{1, -2, 3, k_nan, k_inf};
const std::vector<std::string> k_names{"a", "bb", "a long name", "d", "e"};

TEST(TinyCharts, Bars) {
    expect_drawn_in_any_area([](Canvas& canvas, Rect area) {
        draw_signed_bars(canvas, k_look, area,
                         {k_values, k_values, k_values, bar_range(k_values), k_blue, 2});
        const std::vector<double> shares{0.1, 0.5, 1};
        draw_paired_bars(
            canvas, k_look, area,
            {shares, shares, std::span(k_names).first(3), 1, k_blue, k_blue, "length", 1, 2});
        (void)bar_at(area, 5, area.center());
    });
}

TEST(TinyCharts, Lines) {
    const std::vector<DataPoint> points{{1, 1e-3}, {2, 1}, {3, k_nan}, {4, 100}};
    const std::vector<DataRange> band{{1, 1e-4, 1e-2}, {2, 0.5, 2}, {4, 10, 1000}};
    for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log})
        expect_drawn_in_any_area([&](Canvas& canvas, Rect area) {
            LineChart chart;
            chart.series = {{points, {k_blue, Dash::dashed, Marker::circle}, 2, band},
                            {points, {k_blue}}};
            chart.marks = {{2, 1, "here", k_blue}};
            chart.levels = {{10, "a level", k_blue}};
            chart.x_kind = chart.y_kind = kind;
            chart.x_lo = 1;
            chart.x_hi = 4;
            chart.y_lo = 1e-3;
            chart.y_hi = 100;
            chart.x_title = "step";
            chart.y_title = "loss";
            draw_line_chart(canvas, k_look, area, chart);
        });
}

TEST(TinyCharts, Distributions) {
    const std::vector<double> density{0.1, 0.5, 0.9, 0.5, 0.1};
    const std::vector<double> edges{-2, -1, 0, 1, 2, 3};
    for (const bool dots : {false, true})
        expect_drawn_in_any_area([&](Canvas& canvas, Rect area) {
            DistributionCurve curve{.color = k_blue,
                                    .label = "Z",
                                    .density = density,
                                    .density_lo = -2,
                                    .density_hi = 3,
                                    .dots = k_values,
                                    .bin_edges = edges,
                                    .bin_density = density,
                                    .mean = 0.5,
                                    .std = 1,
                                    .min = -9,
                                    .max = 9,
                                    .marker = 1.5};
            DistributionChart chart;
            chart.curves = {curve, curve};
            chart.dots = dots;
            chart.cursor = 0.3;
            draw_distributions(canvas, k_look, area, chart);
            (void)distribution_x_at(canvas, area, chart, area.center());
        });
}

TEST(TinyCharts, Rivers) {
    const std::vector<FlowSlice> slices{{1, 0.5, 0.7}, {0.5, 0.1, 0.4}, {k_nan, k_nan, k_nan}};
    const std::vector<std::uint8_t> route{1, 0, 1};
    for (const ScaleKind kind : {ScaleKind::linear, ScaleKind::log})
        expect_drawn_in_any_area([&](Canvas& canvas, Rect area) {
            const FlowBand band{.slices = slices,
                                .top = 1,
                                .widths = flow_widths(kind, slices),
                                .sublayer = "FFN",
                                .route = route,
                                .lit = 1,
                                .chosen = 2};
            draw_flow_band(canvas, k_look, area, band);
            const FlowBandPlot plot = flow_band_plot(canvas, area, band);
            draw_flow_route(canvas, k_look, plot, band);
            draw_flow_particles(canvas, k_look, plot, band, 1.5);
            (void)plot.block_at(area.center());
        });
}

TEST(TinyCharts, HeatMaps) {
    const Matrix<double> few = Matrix<double>::Random(3, 5);
    const Matrix<double> many = Matrix<double>::Random(100, 90);
    for (const Matrix<double>* values : {&few, &many})
        expect_drawn_in_any_area([&](Canvas& canvas, Rect area) {
            Heatmap map;
            map.values = *values;
            map.port = fit_port(area, values->rows(), values->cols(), {60, 40});
            map.format = choose_cell_format(canvas, area, map.port, *values);
            map.row_names = map.col_names = k_names;
            map.row_names_w = map.col_names_h = 15;
            HeatmapPicture picture, small;
            map.limit = own_limit(map.values);
            draw_heatmap(canvas, k_look, area, map, picture);
            draw_overview(canvas, k_look, overview_place(area, {40, 30}, 4, map.port, {}, {}), map,
                          area, small);
            (void)cell_at(area, map.port, values->rows(), values->cols(), area.center());
        });
}

TEST(TinyCharts, Spaces) {
    expect_drawn_in_any_area([](Canvas& canvas, Rect area) {
        const SpaceView view{{0.3, 0.4}, area.center(), std::min(area.w, area.h) / 2.0};
        draw_ellipse(canvas, view, SpaceEllipse::circle(1), {k_blue}, k_blue);
        draw_box(canvas, view, {0, 0, 0}, {1, 2, 3}, {k_blue});
        draw_arrow(canvas, view.at({0, 0, 0}), view.at({1, 0, 0}), {k_blue});
        PointLabels labels(canvas, area);
        labels.put(area.center(), "a", TextRole::small, k_blue, 3);
        labels.draw(Color());
    });
}

} // namespace
} // namespace normscope
