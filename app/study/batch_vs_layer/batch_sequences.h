#pragma once
#include "app/model/document.h"
#include "core/norm/norm.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Sentences of different lengths as one padded batch: row s·L + w is word w of sentence s, L is
// k_longest_sentence, and padding is 0. Batch norm normalizes each feature over all rows that
// count, layer norm every row by itself. No γ, no β, in double.
struct Sequences {
    Matrix<double> z;                          // (S·L)×D
    Matrix<double> batch, layer;               // x̂; padding stays 0 where it is left out
    Matrix<double> batch_change, layer_change; // what raising the leak cell by 1 moves in x̂

    // Batch norm's statistics of every feature, both ways of counting.
    Vector<double> mean_counted, mean_left_out;
    Vector<double> variance_counted, variance_left_out;

    SentenceCell leak;
    // The largest |change| in words of the same sentence before the raised one and after it, in
    // other sentences, and in the raised word itself. Nothing where there are no such words.
    struct Moved {
        std::optional<double> earlier, later;
        double others = 0, itself = 0;
    };
    Moved batch_moved, layer_moved;
    std::string problem; // why batch norm has no x̂: fewer than two rows count
};

Sequences sequences(const BatchSetup& setup, double eps);

// Row of a word.
inline Index sequence_row(Index sentence, Index word) {
    return sentence * k_longest_sentence + word;
}

// The words of the sentences, k_longest_sentence each.
std::string_view sentence_word(Index sentence, Index word);

} // namespace normscope
