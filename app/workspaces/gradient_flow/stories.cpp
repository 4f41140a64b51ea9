#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr std::string_view k_read =
    "The band is the gradient at each block: what came down the skip (above) and through the "
    "sublayer (below) add up to it as vectors, not as norms.";
constexpr std::string_view k_read_without_skip = "The band is the gradient at each block. There is "
                                                 "no skip: all of it came through the sublayers, "
                                                 "on both sides of the axis.";
constexpr std::string_view k_open = "Click a block to open its Add & Norm with its own data.";
constexpr std::string_view k_choose =
    "Click a block to set its γ and β; double-click it to open its Add & Norm.";
constexpr std::string_view k_tell_one =
    "Press a story: its curves stay hidden until you have said what you expect of them.";
constexpr std::string_view k_guess_left =
    "This stack is no more the one of the story that your guess is for, so it is shown: Ctrl+Z "
    "brings the story and the guess back.";
constexpr std::string_view k_predict = "Predict first";
constexpr float k_story_words_w = 1500; // of the longest story, in one line
constexpr float k_card_w = 190, k_card_h = 42;
constexpr float k_most_beside = 4;

// The panel's words while no story is told.
std::string words_without_a_story(const FlowView& v, const FlowSetup& setup) {
    if (leaves_a_guess(v, setup)) return std::string(k_guess_left);
    if (v.predict) return std::string(k_tell_one);
    return std::string(tr(setup.stack.skip == Residual::add ? k_read : k_read_without_skip)) + " " +
           std::string(tr(v.only_block ? k_choose : k_open));
}

// The stacks pinned by hand that a story leaves out, and why; empty where it leaves out none.
std::string left_out_text(const FlowStory& story, const ToldStory& told) {
    if (told.left_out == 0) return {};
    const bool one = told.left_out == 1;
    if (told.setup.linked_affine)
        return one ? worded("A stack that you had pinned is left out of “{}”, whose one β slider "
                            "would move it too: Ctrl+Z brings it back",
                            story.label)
                   : worded("{} stacks that you had pinned are left out of “{}”, whose one β "
                            "slider would move them too: Ctrl+Z brings them back",
                            told.left_out, story.label);
    return one ? worded("A stack that you had pinned is left out of “{}”, as at most {} can be "
                        "pinned: Ctrl+Z brings it back",
                        story.label, k_most_pinned)
               : worded("{} stacks that you had pinned are left out of “{}”, as at most {} can be "
                        "pinned: Ctrl+Z brings them back",
                        told.left_out, story.label, k_most_pinned);
}

struct Card {
    std::string_view id, title, promise, hint;
    bool chosen = false;
};

// A button with two lines.
bool story_card(Ui& ui, Rect r, const Card& card) {
    const ButtonLook look = card.chosen ? ButtonLook::primary : ButtonLook::plain;
    const bool pressed = button(ui, card.id, r, {"", card.hint, true, look});
    Rect words = r.inset(10, 4);
    const Rect title = cut_top(words, words.h / 2);
    const Color on_accent = ui.theme.on_accent;
    ui.label(title, card.title, TextRole::label, card.chosen ? on_accent : ui.theme.ink);
    ui.label(words, card.promise, TextRole::small, card.chosen ? on_accent : ui.theme.ink_soft);
    return pressed;
}

void story_cards(FlowPanel& p, FlowLayout& flow, float width) {
    const float gap = 6;
    const float beside =
        std::clamp(std::floor((width + gap) / (k_card_w + gap)), 1.0f, k_most_beside);
    const float w = (width + gap) / beside - gap;
    const FlowStory* const now = told_story(p.document.flow);
    for (const FlowStory& story : flow_stories()) {
        if (story_card(p, flow.next(w),
                       {story.id, story.label, story.promise, story.question, &story == now})) {
            p.edit(TellStory{std::string(story.id)});
            p.say(left_out_text(story, tell(story, p.document.flow)));
            p.next.forget_guess();
            p.next.block.reset();
            p.next.only_block.reset();
            if (story.moves_affine) p.next.more_stack = true; // β is there
            // A vanishing gradient is seen to vanish: on a logarithmic scale 1e-15 is a mild wedge.
            p.next.width.reset();
            if (story.may_vanish) p.next.width = ScaleKind::linear;
            p.next.found_width.reset();
            p.next.path_length.reset();
            p.next.quantity = FlowQuantity::gradient;
        }
    }
    if (story_card(p, flow.next(w),
                   {"predict", k_predict, "A guess before each curve",
                    "A story's curves are hidden until you have said what you expect",
                    p.view.predict})) {
        p.next.predict = !p.view.predict;
        p.next.forget_guess();
    }
}

std::string what_is_told(const FlowPanel& p) {
    if (hidden_until_revealed(p)) return "What do you expect? Say so below, then reveal it.";
    const FlowStory* const now = told_story(p.document.flow);
    return now ? std::string(now->says) : words_without_a_story(p.view, p.document.flow);
}

} // namespace

void stories_panel(FlowPanel& p) {
    Column rows = p.column("stories", {.title = "Stories"});
    rows.flow([&](FlowLayout& flow) { story_cards(p, flow, rows.width()); }, 8, k_card_h);
    soft_paragraph(p, rows.next(lines_height(p, rows.width(), k_story_words_w)), what_is_told(p));
}

} // namespace normscope
