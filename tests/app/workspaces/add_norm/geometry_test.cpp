// Tokens of three features as points in space, and what the hand does to them.

#include "app/shell/files/file_commands.h"
#include "app/workspaces/add_norm/panels.h"
#include "tests/app/charts/recording_canvas.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope::testing {
namespace {

Setup in_space(Size window = {1600, 1000}) {
    Setup setup;
    setup.example = "in-space";
    setup.window = window;
    return setup;
}

void open_geometry(Harness& h) {
    h.click("add-norm.view.geometry");
    h.settle();
}

Geometry geometry(Harness& h) {
    return geometry_of(*h.state().derived, 100);
}

SpaceScene scene(Harness& h) {
    return scene_of({h.document(), *h.state().derived, h.state().view, nullptr, h.state().memory});
}

// The view of the picture on the screen.
SpaceView shown(Harness& h) {
    RecordingCanvas canvas;
    const Ui ui(canvas, k_look, h.state().ui);
    const auto& scales = h.state().view.scales;
    return fit_scene(
        h.named("add-norm.geometry.space").rect, h.state().view.of<AddNormView>().space.camera,
        scene(h), SpaceReach{*scales.at("add-norm.across").now, *scales.at("add-norm.high").now});
}

// A point's place on the screen.
Point place_of(Harness& h, const Vec3& v) {
    return shown(h).at(v);
}

bool has_circle_at(const RecordingCanvas& canvas, Point at, Color color) {
    return std::ranges::any_of(canvas.marks, [&](const RecordingCanvas::Mark& m) {
        return m.kind == RecordingCanvas::Kind::circle && m.color == color &&
               std::abs(m.bounds.center().x - at.x) < 0.01f &&
               std::abs(m.bounds.center().y - at.y) < 0.01f;
    });
}

TEST(GeometryView, EveryPointStandsWhereItsNumbersSay) {
    Harness h(in_space());
    for (const NormEntry& norm : k_norms) {
        Document d = h.document();
        d.norm = Norm(norm.kind, 1);
        const auto derived = Derived::of(d);
        const Geometry g = geometry_of(*derived, 100);
        RecordingCanvas canvas;
        UiState state;
        Ui ui(canvas, k_look, state);
        const Rect area{0, 0, 900, 700};
        const SpaceScene scene{g, d, 2};
        const SpaceView view = fit_scene(area, k_tilted, scene);
        draw_scene(ui, area, view, scene);
        for (std::size_t t = 0; t < g.tokens.size(); ++t) {
            const TokenWay& w = g.tokens[t];
            EXPECT_TRUE(has_circle_at(canvas, view.at(w.z), k_look.of(Stage::z))) << norm.id;
            EXPECT_TRUE(has_circle_at(canvas, view.at(w.x_hat), k_look.of(Stage::x_hat)))
                << norm.id;
            EXPECT_TRUE(has_circle_at(canvas, view.at(w.y), k_look.of(Stage::y))) << norm.id;
        }
        EXPECT_FALSE(canvas.overlapping_texts()) << *canvas.overlapping_texts();
        EXPECT_FALSE(canvas.text_outside(area)) << *canvas.text_outside(area);
        for (const auto& mark : canvas.marks)
            EXPECT_TRUE(RecordingCanvas::within(mark.bounds, area, 6)) << norm.id;
    }
}

TEST(GeometryView, APointOnItsWayLiesBetweenTwoSteps) {
    TokenWay w{};
    w.z = {3, 1, 2};
    w.centred = {1, -1, 0};
    w.x_hat = {1.2, -1.2, 0};
    w.scaled = {2.4, -1.2, 0};
    w.y = {2.4, 0, 1};
    EXPECT_EQ(on_the_way(w, 0), w.z);
    EXPECT_EQ(on_the_way(w, 2), w.x_hat);
    EXPECT_EQ(on_the_way(w, 4), w.y);
    EXPECT_NEAR((on_the_way(w, 0.5) - Vec3(2, 0, 1)).norm(), 0, 1e-12);
    EXPECT_NEAR((on_the_way(w, 3.25) - Vec3(2.4, -0.9, 0.25)).norm(), 0, 1e-12);
}

TEST(GeometryView, ADraggedPointIsOneStepToUndoAndMovesItsTokenAlone) {
    Harness h(in_space());
    open_geometry(h);
    const Document before = h.document();
    const Geometry g = geometry(h);
    const Point at = place_of(h, g.tokens[3].z);
    h.drag(at, {at.x + 40, at.y + 25});
    const Geometry moved = geometry(h);
    EXPECT_GT((moved.tokens[3].z - g.tokens[3].z).norm(), 0.1);
    for (const std::size_t t : {0u, 1u, 2u}) EXPECT_EQ(moved.tokens[t].z, g.tokens[t].z);
    EXPECT_EQ(h.state().view.pinned_token, 3);
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo());
}

TEST(GeometryView, TheNormForgetsTheMeanAndTheLengthThatAHandlePulls) {
    Harness h(in_space());
    open_geometry(h);
    Document d = h.document();
    d.eps = 0; // the length is forgotten but for ε
    d.precision = Precision::float64;
    h.become(d);
    h.settle();
    const auto handle = [&](bool mean) {
        RecordingCanvas canvas;
        const Ui ui(canvas, k_look, h.state().ui);
        const Handles handles = handles_of(shown(h), scene(h));
        return mean ? *handles.mean : *handles.length;
    };
    for (const bool mean : {true, false}) {
        const TokenWay before = geometry(h).tokens[2];
        const Point at = handle(mean);
        h.drag(at, mean ? Point{at.x, at.y - 60} : Point{at.x + 70, at.y + 10});
        const TokenWay after = geometry(h).tokens[2];
        EXPECT_GT((after.z - before.z).norm(), 0.3) << mean;
        EXPECT_NEAR((after.x_hat - before.x_hat).norm(), 0, 1e-12) << mean;
        if (mean) {
            EXPECT_NEAR((after.centred - before.centred).norm(), 0, 1e-12);
        } else {
            EXPECT_NEAR(after.z.mean(), before.z.mean(), 1e-12);
        }
    }
}

TEST(GeometryView, TurningChangesNothingButTheCamera) {
    Harness h(in_space());
    open_geometry(h);
    const Document before = h.document();
    const Rect space = h.named("add-norm.geometry.space").rect;
    h.drag({space.x + 20, space.bottom() - 20}, {space.x + 90, space.bottom() - 60});
    const Camera turned = h.state().view.of<AddNormView>().space.camera;
    EXPECT_NE(turned, k_tilted);
    h.key(Key::left);
    EXPECT_GT(h.state().view.of<AddNormView>().space.camera.turn, turned.turn);
    h.click("add-norm.geometry.camera.along-d1");
    EXPECT_EQ(h.state().view.of<AddNormView>().space.camera, camera_along(1));
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo());
}

TEST(GeometryView, ATypedNumberIsZOfTheToken) {
    Harness h(in_space());
    open_geometry(h);
    h.click("add-norm.four-steps.d1");
    h.type("0.25");
    h.key(Key::enter);
    h.settle();
    EXPECT_NEAR(geometry(h).tokens[2].z(1), 0.25, 1e-7);
}

TEST(GeometryView, TheFourStepsPlayToTheirEndAndThenNothingMoves) {
    Harness h(in_space());
    open_geometry(h);
    h.click("add-norm.four-steps.play");
    h.frame();
    EXPECT_TRUE(h.app().animating());
    h.settle();
    EXPECT_FALSE(h.app().animating());
    EXPECT_FALSE(h.state().view.of<AddNormView>().space.reached);
    h.click("add-norm.four-steps.back");
    EXPECT_EQ(h.state().view.of<AddNormView>().space.reached, 3);
}

TEST(GeometryView, WithLessMotionPlayWalksStepByStep) {
    Harness h(in_space());
    h.state().view.reduce_motion = true;
    open_geometry(h);
    for (const double reached : {0.0, 1.0, 2.0}) {
        h.click("add-norm.four-steps.play");
        EXPECT_EQ(h.state().view.of<AddNormView>().space.reached, reached);
        EXPECT_FALSE(h.state().view.of<AddNormView>().space.playing);
    }
}

TEST(GeometryView, ThreeFeaturesOfALargerDocumentAreTakenAndGivenBack) {
    Harness h; // six features
    const Document before = h.document();
    h.state().view.pinned_feature = 4;
    open_geometry(h);
    EXPECT_FALSE(h.has("add-norm.geometry.space"));
    h.click("add-norm.geometry.three-features");
    h.settle();
    EXPECT_EQ(*h.document().features, (Names{"d3", "d4", "d5"}));
    EXPECT_EQ((*h.document().x)(2, 1), (*before.x)(2, 4));
    EXPECT_TRUE(h.has("add-norm.geometry.space"));
    h.key(Key::z, true);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo()) << "one press is one step";
    h.click("add-norm.view.cards");
    EXPECT_TRUE(h.has("add-norm.card-x"));
}

TEST(GeometryView, AnotherDocumentOpensWithItsCards) {
    Harness h(in_space());
    open_geometry(h);
    open_example(h.state(), 0);
    h.settle();
    EXPECT_TRUE(h.has("add-norm.card-x"));
    EXPECT_FALSE(h.has("add-norm.geometry"));
}

TEST(GeometryView, NothingOverlapsOrIsCut) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}})
        for (const float scale : {1.0f, 1.5f}) {
            auto setup = in_space(window);
            setup.scale = scale;
            Harness h(setup);
            h.click("add-norm.view.geometry");
            h.settle();
            for (const NormEntry& entry : k_norms) {
                const std::string norm(entry.id);
                Document d = h.document();
                d.norm = entry.kind;
                h.become(d);
                h.settle();
                const auto& log = h.log();
                EXPECT_EQ(overlapping_widgets(log), std::nullopt) << norm << window.w << scale;
                EXPECT_EQ(overlapping_texts(log), std::nullopt) << norm << window.w << scale;
                EXPECT_EQ(clipped_text(log, window, scale), std::nullopt)
                    << norm << window.w << scale;
                EXPECT_EQ(wrong_name(log), std::nullopt);
            }
        }
}

bool has_word(const Harness& h, const std::string& word) {
    const Rect space = h.named("add-norm.geometry.space").rect;
    return std::ranges::any_of(h.log().texts, [&](const LoggedText& t) {
        return t.text == word && space.contains(t.rect.center());
    });
}

TEST(GeometryView, IsWhatItsExampleOpens) {
    Harness h(in_space());
    EXPECT_TRUE(h.has("add-norm.geometry.space"));
}

TEST(GeometryView, CirclesThatCoincideHaveOneName) {
    Harness h({.example = "three-features"});
    open_geometry(h);
    EXPECT_TRUE(has_word(h, "circle of radius √3"));
    EXPECT_FALSE(has_word(h, "γ ⊙ circle"));
    EXPECT_FALSE(has_word(h, "γ ⊙ circle + β"));
    ASSERT_TRUE(h.state().apply_edits({SetParam{Param::gamma, 0, 0, 2}}));
    h.settle();
    EXPECT_TRUE(has_word(h, "γ ⊙ circle"));
    EXPECT_FALSE(has_word(h, "γ ⊙ circle + β")) << "β = 0 moves nothing";
}

TEST(GeometryView, DrawsArrowsOfTheGradientWhenAsked) {
    Harness h(in_space());
    EXPECT_FALSE(has_word(h, "dz"));
    h.click_and_settle("add-norm.geometry.gradient");
    EXPECT_TRUE(has_word(h, "dz"));
}

TEST(GeometryView, ATokenFarAwayStandsAtTheEdgeAndTheCircleStaysLarge) {
    Harness h({.example = "three-features"});
    open_geometry(h);
    ASSERT_TRUE(h.state().apply_edits({ShiftInput{30}}));
    h.settle();
    const SpaceView view = shown(h);
    const Rect space = h.named("add-norm.geometry.space").rect;
    const double circle = 2 * std::sqrt(3.0) * std::sin(k_tilted.rise) * view.unit;
    EXPECT_GE(circle, static_cast<double>(space.h) / 3 - 1);
    const TokenWay way = geometry(h).tokens[0];
    EXPECT_FALSE(space.contains(view.at(way.z)));
    EXPECT_TRUE(space.contains(place_on_way(view, way, 0)));
    RecordingCanvas canvas;
    const Ui ui(canvas, k_look, h.state().ui);
    EXPECT_TRUE(handles_of(view, scene(h)).mean.has_value());
}

TEST(GeometryView, HoldsItsSizeWhileATokenIsDragged) {
    Harness h(in_space());
    const double unit = shown(h).unit;
    const Point at = place_of(h, geometry(h).tokens[2].z);
    h.move(at);
    h.frame();
    h.press();
    h.frame();
    for (int i = 1; i < 10; ++i) {
        h.move({at.x + static_cast<float>(i * 20), at.y - static_cast<float>(i * 4)});
        h.frame();
    }
    EXPECT_EQ(shown(h).unit, unit);
    h.release();
    h.settle();
}

} // namespace
} // namespace normscope::testing
