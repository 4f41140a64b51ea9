#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"
#include "core/flow/stack_config.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The stack of residual blocks that a document's gradient flow is shown of, and those it is
// compared with.
namespace normscope {

// A stack that is kept beside the present one: a row of the comparison.
struct PinnedStack {
    std::string name; // as it was typed or a story says; empty: stack_names() makes one
    StackConfig stack;
    bool shown = true;    // its curve is drawn
    std::size_t look = 0; // its colour, dash and marker, as long as it is pinned
    bool operator==(const PinnedStack&) const = default;
};

inline constexpr int k_most_blocks = 96;
inline constexpr Index k_widest_stack = 512;
inline constexpr Index k_most_stack_tokens = 512;
inline constexpr int k_most_flow_seeds = 32;
inline constexpr std::size_t k_most_pinned = 7;
inline constexpr double k_most_stack_bytes = 2e9; // weights and one forward pass, in float32

struct FlowSetup {
    StackConfig stack; // the one that the controls change
    int seeds = 5;     // stack.seed and those after it
    Shared<std::vector<PinnedStack>> pinned;
    // A change of the present stack's γ and β changes those of the pinned ones too: one slider for
    // all that are compared.
    bool linked_affine = false;
    bool operator==(const FlowSetup&) const = default;
};

template<>
std::span<const Field<FlowSetup>> fields(); // of all stacks together

// The settings of one stack, each under the name of its command-line option; without the blocks'
// own γ and β.
template<>
std::span<const Field<StackConfig>> fields();
template<>
std::span<const Field<BlockAffine>> fields();

// The stack of a new document: 12 post-LN encoder blocks, 64 features, 32 tokens.
FlowSetup default_flow();

// The names of a block's sublayer: in a sentence, and where there is little room.
struct SublayerWords {
    std::string_view in_text; // "attention"
    std::string_view in_box;  // "Attn"
};
SublayerWords sublayer_words(SublayerKind kind);

// "Pre-LN", "DeepNorm", "Plain": a stack's norm and where it is.
std::string norm_name(const Norm& norm, Placement placement);

// "Pre-LN FFN, 12 blocks": what a stack is, in a line.
std::string stack_name(const StackConfig& stack);

// The names of the pinned stacks, and last the one that the present stack would be pinned as. A
// name that a person typed stays as it was typed, a story's is said in the language that is spoken,
// and others follow from what makes a stack another than the default stack and than those before
// it.
std::vector<std::string> stack_names(const FlowSetup& setup);

// The names of the pinned stacks in the comparison: with γ and β where all stacks share one slider.
std::vector<std::string> listed_names(const FlowSetup& setup);

// The settings that stack_name() leaves out: "width 64, 32 tokens, weights Xavier normal, seed 0".
std::string stack_details(const StackConfig& stack);

// Whether λ, α or DeepNorm's own factor scales the skip against the sublayer: then there is a
// gradient of theirs to look at.
bool scales_skip(const StackConfig& stack);

// Bytes that the weights of a stack and one forward pass through it take in float32, about.
double stack_bytes(const StackConfig& stack);

// check_config(), the screen's own bounds (blocks, width, tokens, memory), and finite numbers, so
// that a document equals itself.
Result<void> check(const StackConfig& stack);

// check() of every stack, and how many seeds and pinned stacks there may be.
Result<void> check(const FlowSetup& setup);

} // namespace normscope
