#include "app/language/language.h"
#include "app/workspaces/transformer/lens.h"

#include <algorithm>
#include <numeric>

namespace normscope {

namespace {

constexpr std::size_t k_likeliest = 5;
constexpr float k_word_row_h = 25;

// ◂ Step ▸ Play: word after word of the decoder's own choice.
void decode_row(Ui& ui, Rect row, const Frame& f, Actions& a) {
    const IdScope scope(ui, "decode");
    const TransformerSetup& setup = f.document.transformer;
    const int most = most_decoded(setup), now = setup.decoded.value_or(-1);
    const auto decode = [&](int words) {
        a.edits.push_back(Decode{words});
        a.view.of<TransformerView>().pinned.reset();
    };
    const std::string_view play = f.view.running ? "Pause" : "Play";
    const auto next = [&](std::string_view id, std::string_view label, ButtonLook look, bool there,
                          std::string_view hint) {
        return right_button(ui, id, row, {label, look, there, hint}, ui.px(6));
    };
    a.view.running = f.view.running;
    if (next("play", play, ButtonLook::plain, f.view.running || most > 0,
             f.view.running ? "Stop here" : "Word after word, to the end")) {
        a.view.running = !f.view.running;
        a.view.of<TransformerView>().waited = 0;
        if (a.view.running && (now < 0 || now >= most)) decode(0);
    }
    if (next("step", "Step ▸", ButtonLook::primary, now < most,
             now < most ? "The decoder reads the word that it finds likeliest"
                        : "It has read as many words as the target has"))
        decode(now + 1);
    if (next("back", "◂", ButtonLook::plain, now > 0, "Without the last word")) decode(now - 1);
    ui.label(row, "Decode", TextRole::label, ui.theme.ink_soft);
}

} // namespace

void word_bars(Ui& ui, Rect r, const TransformerStudy& study, Index token, std::size_t most) {
    const auto p = study.forward().probabilities.row(token);
    std::optional<Index> label;
    if (const auto& labels = study.sentence().labels; !labels.empty())
        label = labels[static_cast<std::size_t>(token)];
    std::vector<Index> order(static_cast<std::size_t>(p.size()));
    std::iota(order.begin(), order.end(), Index{0});
    std::ranges::stable_sort(order, [&](Index a, Index b) { return p(a) > p(b); });
    const auto room = static_cast<std::size_t>(std::max(0.0f, r.h / ui.px(k_word_row_h)));
    const std::size_t count = std::min({most, order.size(), room});
    if (count == 0) return;
    const bool left_out = label && std::ranges::find(order, *label) - order.begin() >=
                                       static_cast<std::ptrdiff_t>(count);
    order.resize(left_out && count == room ? count - 1 : count);
    if (left_out) order.push_back(*label);
    float words_w = 0;
    for (const Index v : order) {
        const AsTyped typed(ui.canvas);
        words_w = std::max(
            words_w,
            ui.canvas.text_size(study.vocabulary()[static_cast<std::size_t>(v)], TextRole::title)
                .w);
    }
    words_w = std::min(words_w, r.w * 0.4f) + ui.px(8);
    const float number_w = ui.canvas.text_size("0.000", TextRole::number).w + ui.px(8);
    const std::string_view tag = tr("label");
    for (const Index v : order) {
        Rect row = cut_top(r, ui.px(k_word_row_h));
        const bool wanted = label == v;
        const auto share = static_cast<double>(p(v));
        {
            const AsTyped typed(ui.canvas);
            ui.label(cut_left(row, words_w), study.vocabulary()[static_cast<std::size_t>(v)],
                     wanted ? TextRole::title : TextRole::label, ui.theme.ink);
        }
        ui.label(cut_right(row, number_w), fixed_text(share, 3), TextRole::number, ui.theme.ink,
                 Align::right);
        const Rect track{row.x, row.y + ui.px(4), row.w, row.h - ui.px(8)};
        if (track.w < ui.px(10)) continue;
        const float w = track.w * static_cast<float>(std::clamp(share, 0.0, 1.0));
        ui.canvas.fill_rect(track, ui.theme.rule.with_alpha(0.5f), ui.px(2));
        ui.canvas.fill_rect({track.x, track.y, std::max(w, ui.px(1.5f)), track.h},
                            wanted ? ui.theme.of(Stage::y) : ui.theme.ink_soft, ui.px(2));
        if (!wanted) continue;
        // Beside the bar, or in it where the bar is long.
        const float tag_w = small_width(ui, tag);
        const float free = track.w - w;
        if (free >= tag_w + ui.px(8))
            ui.label({track.right() - tag_w - ui.px(4), row.y, tag_w + 1, row.h}, tag,
                     TextRole::small, ui.theme.ink_of(Stage::y));
        else if (w >= tag_w + ui.px(10))
            ui.label({track.x + ui.px(5), row.y, tag_w + 1, row.h}, tag, TextRole::small,
                     ink_on(ui.theme.of(Stage::y)));
    }
}

std::optional<Edit> decode_due(View& view, const Document& d, double seconds) {
    constexpr double k_pace = 0.7; // seconds: the eye follows
    double& waited = view.of<TransformerView>().waited;
    waited += seconds;
    if (waited < k_pace) return std::nullopt;
    waited = 0;
    const int next = d.transformer.decoded.value_or(-1) + 1;
    view.running = next < most_decoded(d.transformer);
    return next <= most_decoded(d.transformer) ? std::optional<Edit>(Decode{next}) : std::nullopt;
}

void next_word_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "next-word");
    const TransformerStudy& study = transformer_of(f);
    if (says_why_not(ui, r, "Next word", study)) return;
    const Index token = token_of(f, study, study.head());
    const bool follows = study.head() == StackSide::decoder;
    const std::string& word = study.word(study.head(), token);
    Rect inside = panel(
        ui, "", r,
        {.title = follows ? "Next word" : "Word read out", .hint = worded("softmax at {}", word)});
    cut_top(inside, ui.px(4));
    if (follows && !ui.state.picture) decode_row(ui, cut_bottom(inside, ui.px(28), ui.px(6)), f, a);
    word_bars(ui, inside, study, token, k_likeliest);
}

} // namespace normscope
