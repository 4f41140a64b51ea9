#pragma once
#include "app/model/field.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

// The settings of a document for the comparison of batch norm and layer norm.
namespace normscope {

// Whether the rows that only fill a sentence up count in batch norm's statistics.
enum class Padding : std::uint8_t { counted, left_out };
template<>
inline constexpr std::array<Choice<Padding>, 2> k_choices<Padding>{{
    {Padding::counted, "counted", "Padding counted"},
    {Padding::left_out, "left-out", "Padding left out"},
}};

inline constexpr std::size_t k_sentences = 4;
inline constexpr Index k_longest_sentence = 5; // words; shorter ones are padded to it
inline constexpr Index k_sentence_features = 3;

// A value of a sentence.
struct SentenceCell {
    Index sentence = 1, word = 4, feature = 0;
    bool operator==(const SentenceCell&) const = default;
};
FieldValue to_value(const SentenceCell& cell);
void from_value(const FieldValue& value, SentenceCell& cell);

inline constexpr double k_least_momentum = 1e-3;
inline constexpr double k_most_momentum = 1;
inline constexpr int k_most_updates = 5000; // the least momentum takes 4603 to 99 %

struct BatchSetup {
    Index batch = 0; // the first so many tokens are the batch; 0: all of them
    double momentum = 0.1;
    int updates = 44;       // how often the running statistics have seen the batch
    int nan_update = 0;     // the update at which the batch was NaN; 0: at none
    std::uint64_t seed = 1; // of the small batches and the sentences
    std::array<Index, k_sentences> lengths{3, 5, 2, 4};
    Padding padding = Padding::counted;
    SentenceCell leak; // the value that is raised by 1

    bool operator==(const BatchSetup&) const = default;
};

template<>
std::span<const Field<BatchSetup>> fields();

// The size of the batch in a document of so many tokens.
Index batch_size(const BatchSetup& setup, Index tokens);

// The raised value, in the last word where the sentence has become too short for it.
SentenceCell leak_cell(const BatchSetup& setup);

// Numbers are in their ranges.
Result<void> check(const BatchSetup& setup);

} // namespace normscope
