#pragma once
#include "app/study/add_norm/derived.h"

#include <vector>

// "Play the five steps": the picture at a time, a function of the document and the time alone.
namespace normscope {

inline constexpr int k_played_steps = 5;
inline constexpr Index k_most_played = 60; // of a set's values that are drawn

// The place that a number flies from or to: a matrix's cell, or the line on which the values stand.
enum class PlayedAt : std::uint8_t { x, f, z, x_hat, y, line };

struct Flight {
    Index place; // along the set
    PlayedAt from, to;
    double way;   // between 0 and 1
    double value; // the number that flies
};

// A value on the line.
struct PlayedValue {
    Index place;
    double at;       // its number now
    double area = 0; // of its square
};

struct PlayedFrame {
    int step = 0;    // 0 to 4
    double part = 0; // of the step, 0 to 1
    std::vector<PlayedValue> values;
    std::vector<Flight> flights;
    // So many of the set's values, from the first on, stand in their cells.
    Index z_made = 0, x_hat_made = 0, y_made = 0;
    Index summed = 0; // values that are in the sum
    double sum = 0;
    // The mean of the values on the line, and how much of its mark is drawn (0 to 1).
    double mean = 0, mean_drawn = 0;
    double stick = 0;     // how far the deviations reach from the mean to their values, 0 to 1
    double square = 0;    // how high their squares are, 0 to 1; 0 of a spread that takes none
    double levelled = 0;  // 0: each square has its own area; 1: all have the average one
    double statistic = 0; // σ², or what else the norm's spread is made of
    double moved = 0;     // Normalize: − μ, Scale and shift: · γ, from 0 to 1
    double scaled = 0;    // Normalize: ÷ s, Scale and shift: + β
};

// `time`: in steps, from 0 to 5; 1 is the end of Add.
PlayedFrame played_frame(const Derived& derived, Index set, double time);

// The least and the largest number that stands on the line at any time; 0 is among them.
struct PlayedRange {
    double lo, hi;
    double farthest; // from the mean, before it is divided
};
PlayedRange played_range(const Derived& derived, Index set);

} // namespace normscope
