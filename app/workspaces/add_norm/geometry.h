#pragma once
#include "app/charts/space.h"
#include "app/study/add_norm/geometry.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <optional>

// "Geometry", in place of the cards: tokens of three features as points in space.
namespace normscope {

// a = γ⊙dY of a token, the parts of it that the norm takes off, and dz.
struct GradientParts {
    Vec3 a, along_one, along_x_hat, dz;
};

// What is drawn of a document in one picture of space.
struct SpaceScene {
    Geometry geometry;
    const Document& document;
    Index focus = 0; // the token whose steps are numbered
    std::optional<GradientParts> gradient = std::nullopt;
    double reached = 4; // of the four steps; a part of one is that far on the way
    bool words = true;  // names at points and lines

    const TokenWay& way() const { return geometry.tokens[static_cast<std::size_t>(focus)]; }
};

// The first tokens of many.
inline constexpr Index k_most_points = 200;
SpaceScene scene_of(const Frame& frame);

// Everything of the scene fits into `area`, however it is turned about the direction 1.
SpaceView fit_scene(const Ui& ui, Rect area, const Camera& camera, const SpaceScene& scene);
void draw_scene(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene);

// A point on the way of `way`, so many steps after Z.
Vec3 on_the_way(const TokenWay& way, double steps);

// What the hand does to points and camera in `area`.
void take_space(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene,
                const Frame& frame, Actions& actions);

// Where the two handles of the token in focus are: what the norm forgets, to be pulled.
struct Handles {
    std::optional<Point> mean, length; // none: the norm does not forget it
};
Handles handles_of(const Ui& ui, const SpaceView& view, const SpaceScene& scene);

PanelFn space_panel, four_steps_panel, space_norm_panel, forgotten_panel, side_panel, above_panel,
    x_hat_length_panel;

// Plays the four steps while they run.
void play_on(const Frame& frame, Actions& actions);

PanelFn view_choice; // "Cards | Geometry"

// In place of the page.
float geometry_page(Ui& ui, Rect area, const Frame& frame, Actions& actions);

} // namespace normscope
