#pragma once
#include "app/workspaces/shared/frame.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace normscope {

enum class CurveStyle : std::uint8_t { density, histogram, both };
enum class PoolChoice : std::uint8_t { all, token, feature };

// How the five cards, the faders and the steps are looked at, and what is about to be tried.
struct AddNormView {
    PoolChoice pool = PoolChoice::all;
    CurveStyle curves = CurveStyle::density;

    std::optional<int> playing; // the worked step that is lit, 0 to 4

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

    bool operator==(const AddNormView&) const = default;
};

} // namespace normscope
