#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "app/workspaces/gradient_flow/panels.h"

namespace normscope {

namespace {

constexpr std::string_view k_read =
    "The band is the gradient at each block: what came down the skip (above) and through the "
    "sublayer (below) add up to it as vectors, not as norms. ";
constexpr std::string_view k_read_without_skip = "The band is the gradient at each block. There is "
                                                 "no skip: all of it came through the sublayers "
                                                 "(below the axis). ";
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

float buttons_height(const Ui& ui, float width) {
    FlowLayout flow(ui, {0, 0, width, 1e6f});
    for (const FlowStory& story : flow_stories()) flow.next(button_width(ui, story.label));
    flow.next(button_width(ui, k_predict));
    return flow.bottom();
}

// What the panel says where no story is told.
std::string words_without_a_story(const FlowView& v, const FlowSetup& setup) {
    if (leaves_a_guess(v, setup)) return std::string(k_guess_left);
    if (v.predict) return std::string(k_tell_one);
    return std::string(tr(setup.stack.skip == Residual::add ? k_read : k_read_without_skip)) +
           std::string(tr(v.only_block ? k_choose : k_open));
}

// What became of stacks that had been pinned by hand, and why; empty where nothing did.
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

} // namespace

float stories_height(const Ui& ui, float width) {
    const float inside = width - ui.px(20);
    return buttons_height(ui, inside) + ui.px(20 + 28 + 8) +
           lines_height(ui, inside, k_story_words_w);
}

void stories_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "stories");
    Rect inside = panel(ui, "", r, {.title = "Stories"});
    const FlowView& v = f.view.of<FlowView>();
    FlowView& next = a.view.of<FlowView>();
    const float w = inside.w;
    const FlowStory* const now = told_story(f.document.flow);
    FlowLayout flow(ui, inside);
    for (const FlowStory& story : flow_stories()) {
        const bool told = &story == now;
        if (button(ui, story.id, flow.next(button_width(ui, story.label)),
                   {story.label, told ? ButtonLook::primary : ButtonLook::plain, true,
                    story.question})) {
            a.edits.push_back(TellStory{std::string(story.id)});
            a.status = left_out_text(story, tell(story, f.document.flow));
            next.forget_guess();
            next.block.reset();
            next.only_block.reset();
            // What vanishes is seen to vanish: on a logarithmic scale 1e-15 is a mild wedge.
            next.width.reset();
            if (story.may_vanish) next.width = ScaleKind::linear;
            next.found_width.reset();
            next.path_length.reset();
            next.quantity = FlowQuantity::gradient;
        }
    }
    if (button(ui, "predict", flow.next(button_width(ui, k_predict)),
               {k_predict, v.predict ? ButtonLook::primary : ButtonLook::plain, true,
                "A story's curves are hidden until you have said what you expect"})) {
        next.predict = !v.predict;
        next.forget_guess();
    }
    Rect words{inside.x, inside.y + buttons_height(ui, w) + ui.px(8), w,
               lines_height(ui, w, k_story_words_w)};
    paragraph(ui, words,
              hidden_until_revealed(f) ? "What do you expect? Say so below, then reveal it."
              : now                    ? std::string(now->says)
                                       : words_without_a_story(v, f.document.flow),
              TextRole::small, ui.theme.ink_soft);
}

} // namespace normscope
