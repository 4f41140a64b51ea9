#include "app/model/edit.h"
#include "app/model/flow/flow_setup.h"
#include "app/model/flow/flow_stories.h"
#include "app/session/session_file.h"
#include "tests/app/model/edited.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

using testing::edited;
using testing::refusal;

template<class Change>
StackConfig changed(const Document& d, Change&& change) {
    StackConfig stack = d.flow.stack;
    change(stack);
    return stack;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

TEST(FlowEdit, PinsAreKeptRestoredRenamedHiddenAndRemoved) {
    Document d = blank_document(2, 3);
    EXPECT_EQ(d.flow.stack.tokens, 32);
    d = edited(d, PinStack{});
    d = edited(d, SetStack{changed(d, [](StackConfig& c) { c.placement = Placement::pre; })});
    d = edited(d, PinStack{"Mine"});
    ASSERT_EQ(d.flow.pinned->size(), 2u);
    EXPECT_EQ(stack_names(d.flow)[0], "Post-LN encoder, 12 blocks");
    EXPECT_EQ(stack_names(d.flow)[1], "Mine");
    d = edited(d, RestorePin{0});
    EXPECT_EQ(d.flow.stack.placement, Placement::post);
    EXPECT_EQ(d.flow.pinned->size(), 2u);
    d = edited(d, RenamePin{0, "First"});
    d = edited(d, ShowPin{1, false});
    EXPECT_FALSE((*d.flow.pinned)[1].shown);
    d = edited(d, RemovePin{0});
    ASSERT_EQ(d.flow.pinned->size(), 1u);
    EXPECT_EQ(d.flow.pinned->front().name, "Mine");
    EXPECT_TRUE(has(refusal(d, RestorePin{1}), "no pinned stack 2"));
    EXPECT_TRUE(has(refusal(d, RenamePin{0, ""}), "name"));
}

TEST(FlowEdit, APinKeepsItsLookWhenOthersGo) {
    Document d = blank_document(2, 3);
    for (int i = 0; i < 3; ++i) d = edited(d, PinStack{});
    d = edited(d, RemovePin{0});
    EXPECT_EQ((*d.flow.pinned)[0].look, 1u);
    EXPECT_EQ((*d.flow.pinned)[1].look, 2u);
    d = edited(d, PinStack{});
    EXPECT_EQ(d.flow.pinned->back().look, 0u) << "the first that is free";
    d = edited(d, PinStack{});
    EXPECT_EQ(d.flow.pinned->back().look, 3u);
}

TEST(FlowEdit, AStoryKeepsWhatOneHasPinned) {
    Document d = blank_document(2, 3);
    for (int i = 0; i < 2; ++i) d = edited(d, PinStack{});
    const std::vector<PinnedStack> own = *d.flow.pinned;
    const auto names = [](const Document& of) {
        std::vector<std::string> out;
        for (const PinnedStack& pin : *of.flow.pinned) out.push_back(pin.name);
        return out;
    };
    d = edited(d, TellStory{"vanishing"});
    EXPECT_EQ(names(d), (std::vector<std::string>{"With a skip", own[0].name, own[1].name}));
    EXPECT_EQ((*d.flow.pinned)[1], own[0]) << "with its look";
    EXPECT_EQ((*d.flow.pinned)[0].look, 2u);
    EXPECT_EQ(told_story(d.flow)->id, "vanishing");
    // The next story takes the last one's away, not theirs; a new name makes one theirs.
    d = edited(edited(d, RenamePin{0, "Mine"}), TellStory{"residual-norm"});
    EXPECT_EQ(names(d), (std::vector<std::string>{"Skip, no norm", "Norm, no skip", "Skip and norm",
                                                  "Mine", own[0].name, own[1].name}));
    EXPECT_EQ(told_story(d.flow)->id, "residual-norm");
    for (std::size_t i = 0; i < d.flow.pinned->size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            EXPECT_NE((*d.flow.pinned)[i].look, (*d.flow.pinned)[j].look);
    EXPECT_EQ(edited(d, TellStory{"residual-norm"}), d);
    // The user's own pins stay as far as there is room, but not where one slider would move them.
    d = edited(d, PinStack{"One more"});
    const ToldStory full = tell(**find_story("residual-norm"), d.flow);
    EXPECT_EQ(full.left_out, 0u);
    EXPECT_EQ(full.setup.pinned->size(), k_most_pinned);
    const ToldStory linked = tell(**find_story("same-beta"), d.flow);
    EXPECT_EQ(linked.left_out, 4u);
    EXPECT_EQ(linked.setup.pinned->size(), 1u);
    Document many = blank_document(2, 3);
    for (int i = 0; i < 7; ++i) many = edited(many, PinStack{});
    const ToldStory crowded = tell(**find_story("exploding"), many.flow);
    EXPECT_EQ(crowded.left_out, 2u);
    EXPECT_TRUE(check(crowded.setup));
}

TEST(FlowEdit, SettingsWithoutAnEffectAreKnown) {
    StackConfig c;
    for (const Placement placement :
         {Placement::post, Placement::pre, Placement::deepnorm, Placement::peri})
        for (const NormKind norm : {NormKind::layer, NormKind::none})
            for (const Residual skip : {Residual::add, Residual::no_skip}) {
                c.placement = placement;
                c.norm = norm;
                c.skip = skip;
                const bool inside = placement == Placement::pre || placement == Placement::peri;
                EXPECT_EQ(places_no_norm(c), inside && norm == NormKind::none);
                EXPECT_EQ(enlarges_no_skip(c),
                          placement == Placement::deepnorm && skip == Residual::no_skip);
            }
}

TEST(FlowEdit, AStackIsCalledByWhatItIs) {
    const auto named = [](auto change) {
        StackConfig c;
        change(c);
        return stack_name(c);
    };
    EXPECT_EQ(named([](StackConfig& c) { c.beta = 2; }), "Post-LN encoder, β = 2, 12 blocks");
    EXPECT_EQ(named([](StackConfig& c) { c.gamma = 0.5; }), "Post-LN encoder, γ = 0.5, 12 blocks");
    EXPECT_EQ(named([](StackConfig& c) { c.loss = StackLoss::cross_entropy; }),
              "Post-LN encoder, cross-entropy, 12 blocks");
}

TEST(FlowEdit, APinIsNamedByWhatMakesItAnother) {
    Document d = edited(edited(blank_document(2, 3), PinStack{}), PinStack{});
    EXPECT_EQ(stack_names(d.flow)[0], "Post-LN encoder, 12 blocks");
    EXPECT_EQ(stack_names(d.flow)[1], "Post-LN encoder, 12 blocks (2)") << "the same stack";
    const auto pin = [&](auto change) {
        d = edited(d, SetStack{changed(d, change)});
        const std::string described = describe(PinStack{}, d);
        d = edited(d, PinStack{});
        const std::string name = stack_names(d.flow)[d.flow.pinned->size() - 1];
        EXPECT_EQ(described, "Pin “" + name + "”");
        return name;
    };
    EXPECT_EQ(pin([](StackConfig& c) { c.seed = 1; }), "Post-LN, seed 1");
    EXPECT_EQ(pin([](StackConfig& c) {
                  c.seed = 0;
                  c.beta = 0.5;
              }),
              "Post-LN, β 0.5");
    EXPECT_EQ(pin([](StackConfig& c) { c.beta = 0.50001; }), "Post-LN, β 0.50001");
    EXPECT_EQ(pin([](StackConfig& c) {
                  c.beta = 0;
                  c.placement = Placement::pre;
                  c.blocks = 48;
              }),
              "Pre-LN, L 48");
}

TEST(FlowEdit, OfManySettingsAPinIsNamedByThoseThatDiffer) {
    Document d = blank_document(2, 3);
    const auto pin = [&](auto change) {
        d = edited(d, SetStack{changed(d, change)});
        d = edited(d, PinStack{});
        return stack_names(d.flow)[d.flow.pinned->size() - 1];
    };
    EXPECT_EQ(pin([](StackConfig& c) {
                  c.sublayer = SublayerKind::tanh;
                  c.skip = Residual::no_skip;
                  c.norm = NormKind::none;
                  c.blocks = 48;
                  c.init.gain = 0.5;
              }),
              "No norm, tanh, no skip, L 48, gain 0.5");
    EXPECT_EQ(pin([](StackConfig& c) { c.init.gain = 0.7; }), "Gain 0.7");
    EXPECT_EQ(pin([](StackConfig& c) { c.skip = Residual::add; }), "Skip, gain 0.7");
    EXPECT_EQ(pin([](StackConfig&) {}), "Gain 0.7 (2)") << "the same stack";
}

TEST(FlowEdit, MessagesNameTheThingAndTheWayOut) {
    Document d = blank_document(2, 3);
    const auto refused = [&](auto change) { return refusal(d, SetStack{changed(d, change)}); };
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.blocks = 97; }), "Blocks must be from 1 to 96"));
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.blocks = 0; }), "it is 0"));
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.width = 516; }), "Width"));
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.width = 66; }),
                    "width 66 is not a multiple of 4 heads: choose 64 or 68"));
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.tokens = 513; }), "Tokens"));
    EXPECT_TRUE(has(refused([](StackConfig& c) {
                        c.norm = NormKind::batch;
                        c.tokens = 1;
                    }),
                    "batch norm"));
    EXPECT_TRUE(has(refused([](StackConfig& c) { c.beta = std::nan(""); }), "β"));
    EXPECT_TRUE(has(refused([](StackConfig& c) {
                        c.block_affine = {{3, std::numeric_limits<double>::infinity(), 0}};
                    }),
                    "Block 4"));
    EXPECT_TRUE(has(refused([](StackConfig& c) {
                        c.blocks = 96;
                        c.width = 512;
                        c.heads = 64;
                        c.tokens = 512;
                    }),
                    "GB"));
    EXPECT_TRUE(has(refusal(d, set<&FlowSetup::seeds>(33)), "from 1 to 32"));
    EXPECT_TRUE(has(refusal(d, TellStory{"what"}), "post-against-pre"));
    for (std::size_t i = 0; i < k_most_pinned; ++i) d = edited(d, PinStack{});
    EXPECT_TRUE(has(refusal(d, PinStack{}), "remove one first"));
    for (const char* name : {"", "   "})
        EXPECT_TRUE(has(refusal(d, RenamePin{0, name}), "a name of at least one letter"));
}

TEST(FlowEdit, FewerBlocksForgetWhatTheOthersHad) {
    Document d = blank_document(2, 3);
    d = edited(d, SetStack{changed(d, [](StackConfig& c) {
                   c.block_affine = {{3, 2, 0}, {11, 1, 1}};
               })});
    d = edited(d, SetStack{changed(d, [](StackConfig& c) { c.blocks = 4; })});
    ASSERT_EQ(d.flow.stack.block_affine.size(), 1u);
    EXPECT_EQ(d.flow.stack.block_affine.front().block, 3);
}

TEST(FlowEdit, ALinkedSliderMovesThePinnedStacksToo) {
    Document d = edited(blank_document(2, 3), TellStory{"same-beta"});
    ASSERT_TRUE(d.flow.linked_affine);
    d = edited(d, SetStack{changed(d, [](StackConfig& c) { c.beta = 0.5; })});
    EXPECT_EQ(d.flow.pinned->front().stack.beta, 0.5);
    EXPECT_EQ(d.flow.pinned->front().stack.placement, Placement::pre);
    // Any other setting is the present stack's own.
    d = edited(d, SetStack{changed(d, [](StackConfig& c) { c.blocks = 6; })});
    EXPECT_EQ(d.flow.pinned->front().stack.blocks, 24);
    d = edited(d, set<&FlowSetup::linked_affine>(false));
    d = edited(d, SetStack{changed(d, [](StackConfig& c) { c.beta = 1; })});
    EXPECT_EQ(d.flow.pinned->front().stack.beta, 0.5);
    d = edited(edited(d, set<&FlowSetup::linked_affine>(true)), RemovePin{0});
    EXPECT_FALSE(d.flow.linked_affine);
}

TEST(FlowEdit, ANameThatSaysBetaFollowsTheLinkedSlider) {
    Document d = blank_document(2, 3);
    const auto move = [&](double gamma, double beta) {
        d = edited(d, SetStack{changed(d, [&](StackConfig& c) {
                       c.gamma = gamma;
                       c.beta = beta;
                   })});
    };
    const auto listed = [&](std::size_t i) { return listed_names(d.flow)[i]; };
    move(2, 1.0 / 3);
    d = edited(edited(d, PinStack{}), PinStack{"β 25 and its like"});
    EXPECT_EQ(listed(0), "Post-LN, β 0.333, γ 2");
    d = edited(d, set<&FlowSetup::linked_affine>(true));
    EXPECT_EQ(listed(0), "Post-LN encoder, 12 blocks, γ 2, β 0.333");
    EXPECT_EQ(listed(1), "β 25 and its like, γ 2, β 0.333");
    move(1, 2);
    EXPECT_EQ(listed(0), "Post-LN encoder, 12 blocks, β 2");
    EXPECT_EQ(listed(1), "β 25 and its like, β 2");
    d = edited(d, set<&FlowSetup::linked_affine>(false));
    EXPECT_EQ(listed(1), "β 25 and its like");
    move(1, 0);
    EXPECT_EQ(listed(0), "Post-LN, β 2") << "it keeps its own";
}

TEST(FlowEdit, AStoryIsToldWhileTheStacksAreItsOwn) {
    const Document none = blank_document(2, 3);
    EXPECT_EQ(told_story(none.flow), nullptr);
    for (const FlowStory& story : flow_stories()) {
        const Document d = edited(none, TellStory{std::string(story.id)});
        const auto after = [&](const Edit& change) { return told_story(edited(d, change).flow); };
        EXPECT_EQ(told_story(d.flow), &story);
        EXPECT_EQ(after(set<&FlowSetup::seeds>(2)), &story);
        EXPECT_EQ(after(ShowPin{0, false}), &story);
        EXPECT_EQ(after(SetStack{changed(d, [](StackConfig& c) { c.seed = 9; })}), &story);
        EXPECT_EQ(after(RemovePin{0}), nullptr);
        EXPECT_EQ(after(PinStack{}), &story) << "what is pinned besides is no other story";
        EXPECT_EQ(after(SetStack{changed(d, [](StackConfig& c) { c.blocks = 7; })}), nullptr);
        const auto moved = changed(d, [](StackConfig& c) { c.beta = -1; });
        EXPECT_EQ(after(SetStack{moved}), story.id == "same-beta" ? &story : nullptr);
    }
}

TEST(FlowEdit, EveryChangeHasItsWords) {
    const Document d = edited(blank_document(2, 3), TellStory{"deepnorm"});
    const auto words = [&](const Edit& change) { return describe(change, d); };
    const auto of = [&](auto change) { return words(SetStack{changed(d, change)}); };
    EXPECT_EQ(of([](StackConfig& c) { c.blocks = 30; }), "Blocks → 30");
    EXPECT_EQ(of([](StackConfig& c) { c.init.gain = 1.5; }), "Gain → 1.5");
    EXPECT_EQ(of([](StackConfig& c) { c.placement = Placement::pre; }), "Placement: Pre");
    EXPECT_EQ(of([](StackConfig& c) { c.skip = Residual::no_skip; }), "Skip: None");
    EXPECT_EQ(of([](StackConfig& c) { c.block_affine = {{2, 1, 3}}; }), "γ, β of one block");
    EXPECT_EQ(of([](StackConfig& c) { c.beta = 2; }), "β of all blocks → 2");
    EXPECT_EQ(words(PinStack{}), "Pin “DeepNorm, L 24”");
    EXPECT_EQ(words(RemovePin{0}), "Remove “Post-LN”");
    EXPECT_EQ(words(TellStory{"vanishing"}), "Show “Vanishing”");
    for (const Edit& change : std::vector<Edit>{
             set<&FlowSetup::seeds>(3), RestorePin{1}, RenamePin{0, "a"}, ShowPin{0, false},
             set<&FlowSetup::linked_affine>(true), RemovePin{9}, TellStory{"none"}})
        EXPECT_FALSE(words(change).empty());
}

TEST(FlowEdit, AnInputKeepsTheStackAndAnotherDocumentBringsItsOwn) {
    const Document d = edited(blank_document(2, 3), TellStory{"exploding"});
    const auto opened = apply(d, SetInput{Input::x, Matrix<double>::Ones(4, 2), {}, {}, "a.csv"});
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->flow, d.flow);
    const auto replaced = apply(d, Replace{blank_document(2, 2)});
    ASSERT_TRUE(replaced);
    EXPECT_EQ(replaced->flow, default_flow());
}

TEST(FlowEdit, SessionsKeepTheStacks) {
    Document d = blank_document(2, 3);
    EXPECT_EQ(write_session(d).find("flow"), std::string::npos);
    for (const FlowStory& story : flow_stories()) {
        d = edited(d, TellStory{std::string(story.id)});
        const auto read = read_session(write_session(d), "a");
        ASSERT_TRUE(read) << read.error().message;
        EXPECT_EQ(*read, d);
    }
    StackConfig odd = d.flow.stack;
    odd.activation = Activation::gelu;
    odd.mask = Mask::causal;
    odd.init = {Init::normal, 1.0 / 3, 0.1};
    odd.trunk_scale = 0.1;
    odd.block_affine = {{0, -1, 0.25}, {5, 0, 0}};
    odd.loss = StackLoss::cross_entropy;
    odd.vocabulary = 7;
    odd.seed = 1234567890123456789;
    odd.eps = 0;
    d = edited(edited(edited(d, SetStack{odd}), PinStack{"γ “odd”"}), set<&FlowSetup::seeds>(1));
    const auto read = read_session(write_session(d), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, d);
}

TEST(FlowEdit, ASessionWithoutLooksGivesThoseOfThePlaces) {
    const auto session = [](const std::string& flow) {
        return read_session(
            R"({"format": "normscope", "version": 1, "x": [[1, 2]], "flow": )" + flow + "}", "f");
    };
    const auto old = session(R"({"pinned": [{"name": "a"}, {"name": "b"}]})");
    ASSERT_TRUE(old) << old.error().message;
    EXPECT_EQ((*old->flow.pinned)[0].look, 0u);
    EXPECT_EQ((*old->flow.pinned)[1].look, 1u);
    const auto own = session(R"({"pinned": [{"name": "a", "look": 4}]})");
    ASSERT_TRUE(own) << own.error().message;
    EXPECT_EQ(own->flow.pinned->front().look, 4u);
    const auto wrong = session(R"({"pinned": [{"name": "a", "look": 7}]})");
    ASSERT_FALSE(wrong);
    EXPECT_TRUE(has(wrong.error().message, "expected 0 to 6"));
}

TEST(FlowEdit, MalformedStacksAreRefusedWithTheirPlace) {
    const auto error = [](const std::string& flow) {
        const auto d = read_session(
            R"({"format": "normscope", "version": 1, "x": [[1, 2]], "flow": )" + flow + "}", "f");
        EXPECT_FALSE(d) << flow;
        return d ? std::string() : d.error().message;
    };
    EXPECT_TRUE(has(error("3"), "/flow"));
    EXPECT_TRUE(has(error(R"({"stack": {"norm": "instance"}})"), "/flow/stack/norm"));
    EXPECT_TRUE(has(error(R"({"stack": {"blocks": 97}})"), "from 1 to 96"));
    EXPECT_TRUE(has(error(R"({"stack": {"blocks": -1}})"), "/flow/stack/blocks"));
    EXPECT_TRUE(has(error(R"({"stack": {"depth": 3}})"), "depth"));
    EXPECT_TRUE(has(error(R"({"seeds": "many"})"), "/flow/seeds"));
    EXPECT_TRUE(has(error(R"({"pinned": [{"name": 3}]})"), "/flow/pinned/0/name"));
    EXPECT_TRUE(has(error(R"({"pinned": [{"name": "a", "stack": {"heads": 5}}]})"), "“a”"));
    EXPECT_TRUE(has(error(R"({"pinned": [{"stack": {"block_affine": [{"block": -2}]}}]})"),
                    "block_affine/0/block"));
}

} // namespace
} // namespace normscope
