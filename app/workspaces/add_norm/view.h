#pragma once
#include "app/charts/space.h"
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "app/widgets/matrix_editor.h"
#include "app/workspaces/shared/look.h"
#include "core/base/lists.h"

#include <array>
#include <cstdint>
#include <optional>

namespace normscope {

enum class CurveStyle : std::uint8_t { dots, density, histogram, both };

inline constexpr Camera k_tilted{.turn = 0.35, .rise = 0.5};

// The thing that the mouse holds in the picture of space, as it stood when it was taken.
struct SpaceGrab {
    enum class Of : std::uint8_t { camera, token, mean, length };
    Of of;
    Index token;
    Point from;
    Camera camera;
    Vec3 z;
    bool operator==(const SpaceGrab&) const = default;
};

// How tokens of three features are looked at as points.
struct SpaceLook {
    bool shown = false; // in place of the cards
    Camera camera = k_tilted;
    std::optional<SpaceGrab> grab;
    std::optional<double> reached; // of the four steps, while they are played or walked through
    bool playing = false;
    bool gradient = false; // its arrows are drawn
    bool operator==(const SpaceLook&) const = default;
};

// How the five cards, the faders and the steps are looked at, and what is about to be tried.
struct AddNormView {
    Pool::Kind pool = Pool::Kind::all;
    std::optional<CurveStyle> curves; // none: dots where values are few
    std::optional<double> sent;       // when the dots went from Z to Y, by ImGui's clock

    std::optional<int> playing; // the worked step that is lit, 0 to 4
    double played = 1;          // of that step, 0 to 1
    bool play_runs = false;     // and goes on by itself

    std::array<bool, 5> opened{}; // worked steps whose long line shows all its terms

    MatrixEditorState editor_x, editor_f; // selection and what is being typed

    float fader_scroll = 0;              // in faders, of the strip for many features
    std::optional<Index> fader_followed; // the pinned one that the strip was scrolled to last
    int brush = 1;                       // faders set at once by a stroke

    std::size_t prediction = 0; // the question that is asked
    bool revealed = false;

    Distribution distribution = Distribution::normal;
    std::uint64_t seed = 1;
    bool seed_used = false; // to randomize with: the next time it is the next one
    double shift = 1;
    double factor = 10;

    bool more = false;  // what is seldom changed is there
    bool tries = false; // what can be tried is there

    SpaceLook space;

    // The time of played_frame(), in steps.
    double played_time() const { return playing ? *playing + played : 0; }

    void keep(Look& look) {
        look("curves", curves, CurveStyle::both);
        look("pool", pool, Pool::Kind::feature);
        look("step", playing, 4);
        for (const auto i : indices(opened)) look("opened-" + std::to_string(i), opened[i]);
        look("more", more);
        look("tries", tries);
        look("geometry", space.shown);
        look("turn", space.camera.turn, -100, 100);
        look("rise", space.camera.rise, -2, 2);
    }
    bool operator==(const AddNormView&) const = default;
};

} // namespace normscope
