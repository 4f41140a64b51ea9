#include "app/model/flow/flow_stories.h"

#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

StackConfig stack_of(SublayerKind sublayer, int blocks, Placement placement,
                     const Norm& norm = {}) {
    StackConfig c = default_flow().stack;
    c.sublayer = sublayer;
    c.blocks = blocks;
    c.placement = placement;
    c.norm = norm;
    return c;
}

FlowSetup compared(StackConfig present, std::vector<PinnedStack> pinned, int seeds = 5) {
    FlowSetup setup = default_flow();
    setup.stack = std::move(present);
    for (const auto i : indices(pinned)) pinned[i].look = i;
    setup.pinned = std::move(pinned);
    setup.seeds = seeds;
    return setup;
}

// The parts of a chain that may keep a gradient alive.
struct Parts {
    bool skip = false, norm = false;
};

// The gain says whether a layer makes a gradient smaller or larger.
StackConfig chain(SublayerKind sublayer, Parts parts, double gain) {
    StackConfig c =
        stack_of(sublayer, 48, Placement::post, parts.norm ? k_usual_norm : k_without_norm);
    c.skip = parts.skip ? Residual::add : Residual::no_skip;
    c.init.gain = gain;
    return c;
}

StackConfig halving(Parts parts) {
    return chain(SublayerKind::tanh, parts, 0.5);
}

FlowSetup residual_and_norm() {
    return compared(halving({}), {{"Skip, no norm", halving({.skip = true})},
                                  {"Norm, no skip", halving({.norm = true})},
                                  {"Skip and norm", halving({.skip = true, .norm = true})}});
}

FlowSetup post_against_pre() {
    return compared(stack_of(SublayerKind::ffn, 24, Placement::pre),
                    {{"Post-LN", stack_of(SublayerKind::ffn, 24, Placement::post)}});
}

FlowSetup same_beta() {
    StackConfig post = stack_of(SublayerKind::ffn, 24, Placement::post);
    post.beta = 2;
    StackConfig pre = post;
    pre.placement = Placement::pre;
    FlowSetup setup = compared(post, {{"Pre-LN", pre}});
    setup.linked_affine = true;
    return setup;
}

// He's weights: a branch that keeps the mean square of what it reads.
StackConfig branch_that_keeps(const Norm& norm) {
    StackConfig c = stack_of(SublayerKind::relu, 24, Placement::pre, norm);
    c.init.init = Init::he_normal;
    c.tokens = 128;
    return c;
}

FlowSetup batch_norm_and_depth() {
    return compared(branch_that_keeps(k_without_norm),
                    {{"Batch norm in the branch", branch_that_keeps(NormKind::batch)}});
}

FlowSetup deepnorm() {
    const auto of = [](Placement placement) {
        return stack_of(SublayerKind::encoder, 24, placement);
    };
    return compared(of(Placement::deepnorm),
                    {{"Post-LN", of(Placement::post)}, {"Pre-LN", of(Placement::pre)}});
}

FlowSetup vanishing() {
    return compared(halving({}), {{"With a skip", halving({.skip = true})}});
}

FlowSetup exploding() {
    const auto growing = [](Parts parts) { return chain(SublayerKind::linear, parts, 2.5); };
    return compared(growing({}), {{"With a skip", growing({.skip = true})},
                                  {"With layer norm", growing({.norm = true})}});
}

constexpr std::string_view k_question =
    "How large is its gradient at the input, against that at the top?";

// Decades: of stacks whose norm is there throughout, and of those that may do without.
constexpr double k_mild = 4;
constexpr double k_wild = 20;

constexpr FlowStory k_stories[] = {
    {"residual-norm", "Residual × norm", "Either saves the gradient",
     "48 blocks of tanh(Wx) whose weights halve what they pass, before any training. Without skip "
     "and norm the gradient vanishes; a skip, a norm or both keep it within a factor of ten. "
     "Learning takes more than a gradient that arrives: of the 24 layers in 6 Train, only those "
     "with both learn.",
     k_question, residual_and_norm, k_wild, true},
    {"post-against-pre", "Post against pre", "Flat, or smallest at the top",
     "24 feed-forward blocks, before any training. Post-LN is flat: its norm divides the skip "
     "too, so that no block adds to the size. Under pre-LN the skip is never divided: activations "
     "grow, and the gradient is smallest at the top. Where blocks have attention, as at the start "
     "of this page, post-LN falls.",
     k_question, post_against_pre, k_mild},
    {"same-beta", "Same β, two fates", "One β parts two stacks",
     "One β slider moves both. Under post-LN what the branch makes of β widens the sum that the "
     "norm divides by, skip included, so that every block takes its part of the gradient. Under "
     "pre-LN β stays in the branch and the skip passes.",
     k_question, same_beta, k_mild, false, true},
    {"batch-norm", "Batch norm and depth", "It slows the growth with depth",
     "A branch that keeps the mean square of what it reads. Without a norm the mean square of the "
     "activations doubles with every block and the gradient explodes towards the input; batch norm "
     "in the branch lets it grow by one a block, so that deep blocks lean on their skip.",
     k_question, batch_norm_and_depth, k_wild},
    {"deepnorm", "DeepNorm", "Alike at input and top",
     "DeepNorm enlarges the skip and starts its branches small, more so in deeper stacks: the "
     "gradient is as large at the input as at the top. Post-LN encoder blocks let it shrink, "
     "pre-LN ones let it grow.",
     k_question, deepnorm, k_mild},
    {"vanishing", "Vanishing", "48 halvings: almost nothing",
     "Each of 48 blocks passes about half of the gradient: next to nothing is left at the input. "
     "With a skip the very same weights let it through.",
     k_question, vanishing, k_wild, true},
    {"exploding", "Exploding", "A norm helps, a skip does not",
     "Each of 48 linear blocks makes the gradient 2.5 times as large. A skip does not help, it "
     "adds to it; a layer norm does, for it divides by what the block has multiplied with.",
     k_question, exploding, k_wild, true},
};

// Whether `a` is a stack of the story, `b`.
bool same_stack(const FlowStory& story, StackConfig a, const StackConfig& b) {
    a.seed = b.seed;
    if (story.moves_affine) {
        a.gamma = b.gamma;
        a.beta = b.beta;
        a.block_affine = b.block_affine;
    }
    return a == b;
}

} // namespace

std::span<const FlowStory> flow_stories() {
    return k_stories;
}

Result<const FlowStory*> find_story(std::string_view id) {
    if (const FlowStory* const story = find_in(k_stories, id, &FlowStory::id)) return story;
    return fail("There is no story “{}”; the stories are {}", std::string(id),
                joined(k_stories, &FlowStory::id));
}

ToldStory tell(const FlowStory& story, const FlowSetup& before) {
    ToldStory out{story.setup(), 0};
    std::vector<PinnedStack> own;
    for (const PinnedStack& pin : *before.pinned)
        if (!is_of_a_story(pin)) own.push_back(pin);
    std::vector<PinnedStack> pins = *out.setup.pinned;
    const std::size_t room = out.setup.linked_affine ? 0 : k_most_pinned - pins.size();
    if (own.size() > room) {
        out.left_out = own.size() - room;
        own.resize(room);
    }
    // The person's own pins keep their looks; the story's take what is left.
    std::vector<PinnedStack> looks = own;
    for (PinnedStack& pin : pins) {
        pin.look = free_look(looks);
        looks.push_back(pin);
    }
    add_all(pins, own);
    out.setup.pinned = std::move(pins);
    return out;
}

bool is_of_a_story(const PinnedStack& pin) {
    for (const FlowStory& story : k_stories) {
        const FlowSetup setup = story.setup();
        for (const PinnedStack& told : *setup.pinned)
            if (pin.name == told.name && same_stack(story, pin.stack, told.stack)) return true;
    }
    return false;
}

const FlowStory* told_story(const FlowSetup& setup) {
    for (const FlowStory& story : k_stories) {
        const FlowSetup told = story.setup();
        // The story's words on γ and β speak of one slider for all.
        if (story.moves_affine && setup.linked_affine != told.linked_affine) continue;
        if (!same_stack(story, setup.stack, told.stack)) continue;
        const auto is_pinned = [&](const PinnedStack& of_story) {
            return std::ranges::any_of(*setup.pinned, [&](const PinnedStack& pin) {
                return same_stack(story, pin.stack, of_story.stack);
            });
        };
        if (std::ranges::all_of(*told.pinned, is_pinned)) return &story;
    }
    return nullptr;
}

} // namespace normscope
