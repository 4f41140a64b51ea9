#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"
#include "core/transformer/sentence.h"
#include "core/transformer/transformer_config.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The Transformer of a document, its settings, each under the name of its command-line option, and
// the sentences that go through it.
namespace normscope {

inline constexpr int k_most_transformer_layers = 12;
inline constexpr Index k_widest_transformer = 512;

template<>
std::span<const Field<TransformerConfig>> fields();

// "Post-LN encoder–decoder, 6 + 6 layers": what a Transformer is, in a line.
std::string transformer_name(const TransformerConfig& config);

using Words = std::vector<std::string>;
struct FileWeights;

// The parameters of all layers and one table: no Transformer of this config has fewer.
double least_parameters(const TransformerConfig& config);

enum class SentenceSide : std::uint8_t { source, target };

inline constexpr std::size_t k_most_words = 16;             // of a sentence
inline constexpr std::size_t k_longest_word = 40;           // bytes
inline constexpr std::string_view k_start_word = "<s>";     // before the target's first
inline constexpr std::string_view k_padding_word = "<pad>"; // of the source: no word looks at it

enum class StackSide : std::uint8_t { encoder, decoder };
template<>
inline constexpr std::array<Choice<StackSide>, 2> k_choices<StackSide>{{
    {StackSide::encoder, "encoder", "encoder"},
    {StackSide::decoder, "decoder", "decoder"},
}};

// The pieces that can be taken out of a residual block: the sublayer, so that F(X) = 0 as if it had
// learned nothing; the skip; the norm.
enum class BlockPiece : std::uint8_t { sublayer, skip, norm };
template<>
inline constexpr std::array<Choice<BlockPiece>, 3> k_choices<BlockPiece>{{
    {BlockPiece::sublayer, "sublayer", "Sublayer"},
    {BlockPiece::skip, "skip", "Skip"},
    {BlockPiece::norm, "norm", "Norm"},
}};

// A piece that is taken out; layers and blocks count from 0, from the input up.
struct TakenOut {
    StackSide side = StackSide::encoder;
    int layer = 0, block = 0;
    BlockPiece piece = BlockPiece::sublayer;
    bool operator==(const TakenOut&) const = default;
};
template<>
std::span<const Field<TakenOut>> fields();

struct TransformerSetup {
    TransformerConfig config; // its vocabulary is that of the sentences: see config_of()
    Shared<Words> source, target;
    Shared<std::vector<TakenOut>> taken_out; // each once
    // The decoder reads so many words of its own choice; none: it reads the target that it should
    // have written (teacher forcing). How many are looked at changes no document.
    std::optional<int> decoded;
    std::shared_ptr<const FileWeights> weights; // null: drawn from the config's seed
    bool operator==(const TransformerSetup& other) const {
        return config == other.config && source == other.source && target == other.target &&
               taken_out == other.taken_out && weights == other.weights;
    }

    const Shared<Words>& words(SentenceSide side) const {
        return side == SentenceSide::source ? source : target;
    }
};

template<>
inline constexpr bool k_has_fields<TransformerSetup> = false; // its config has

// 3 + 3 layers of width 16 that read a sentence and the same backwards.
TransformerSetup default_transformer();

// Blocks of a layer: three where a decoder reads an encoder.
int blocks_of(const TransformerConfig& config, StackSide side);
bool is_taken_out(const TransformerSetup& setup, const TakenOut& piece);
// Forgets pieces of layers and blocks that the config has no more.
void drop_what_is_gone(TransformerSetup& setup);

// The vocabulary of the file; else every word once: the start, those of the source, those of the
// target.
Words vocabulary_of(const TransformerSetup& setup);

// The config with the vocabulary of the sentences.
TransformerConfig config_of(const TransformerSetup& setup);

// Words that a decoder can choose and read: one fewer than the target has.
int most_decoded(const TransformerSetup& setup);

// The sentences as ids of the vocabulary. The decoder reads the target shifted right, which begins
// with the start, as if it had been given all of it. Labels are the target; an encoder alone has
// labels where source and target are equally long.
Sentence sentence_of(const TransformerSetup& setup);

// Settings and words in range. Errors name what is not, and the way out.
Result<void> check(const TransformerSetup& setup);

} // namespace normscope
