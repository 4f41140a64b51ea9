#include "app/language/language.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <algorithm>
#include <numeric>

namespace normscope {

namespace {

constexpr std::size_t k_likeliest = 5;
constexpr float k_word_row_h = 22;

void send_pulse(View& view) {
    if (!view.reduce_motion) view.of<TransformerView>().pulse = ImGui::GetTime();
}

// ◂ Step ▸ Play: word after word of the decoder's own choice.
void decode_row(TransformerPanel& p, Rect row) {
    const IdScope scope(p, "decode");
    const TransformerSetup& setup = p.document.transformer;
    const int most = most_decoded(setup), now = setup.decoded.value_or(-1);
    const auto decode = [&](int words) {
        p.edit(Decode{words});
        p.next.pinned.reset();
        send_pulse(p.actions.view);
    };
    const auto next = [&](std::string_view id, std::string_view label, ButtonLook look, bool there,
                          std::string_view hint) {
        return right_button(p, id, row, {label, hint, there, look}, 6);
    };
    const bool running = p.frame.view.running;
    p.actions.view.running = running;
    if (next("play", running ? "Pause" : "Play", ButtonLook::plain, running || most > 0,
             running ? "Stop here" : "Word after word, to the end")) {
        p.actions.view.running = !running;
        p.next.waited = 0;
        if (!running && (now < 0 || now >= most)) decode(0);
    }
    if (next("step", "Step ▸", ButtonLook::primary, now < most,
             now < most ? "The decoder reads the word that it finds likeliest"
                        : "It has read as many words as the target has"))
        decode(now + 1);
    if (next("back", "◂", ButtonLook::plain, now > 0, "Without the last word")) decode(now - 1);
    p.label(row, "Decode", TextRole::label, p.theme.ink_soft);
}

} // namespace

void word_bars(Ui& ui, Rect r, const TransformerStudy& study, Index token, std::size_t most) {
    const auto p = study.forward().probabilities.row(token);
    std::optional<Index> label;
    if (const auto& labels = study.sentence().labels; !labels.empty())
        label = entry_at(labels, token);
    std::vector<Index> order = first_places(p.size());
    std::ranges::stable_sort(order, [&](Index a, Index b) { return p(a) > p(b); });
    const auto room = static_cast<std::size_t>(std::max(0.0f, r.h / k_word_row_h));
    const std::size_t count = std::min({most, order.size(), room});
    if (count == 0) return;
    const bool left_out = label && place_in(order, *label) >= count;
    order.resize(left_out && count == room ? count - 1 : count);
    if (left_out) order.push_back(*label);
    const auto word = [&](Index v) -> const std::string& {
        return entry_at(study.vocabulary(), v);
    };
    float words_w = 0;
    for (const Index v : order)
        words_w = std::max(words_w, ui.text_width(Text::typed(word(v)), TextRole::title));
    words_w = std::min(words_w, r.w * 0.4f) + 8.0f;
    const float number_w = ui.text_width("0.000", TextRole::number) + 8;
    const std::string_view tag = tr("label");
    for (const Index v : order) {
        Rect row = cut_top(r, k_word_row_h);
        const bool wanted = label == v;
        const auto share = static_cast<double>(p(v));
        ui.label(cut_left(row, words_w), Text::typed(word(v)),
                 wanted ? TextRole::title : TextRole::label);
        ui.label(cut_right(row, number_w), fixed_text(share, 3), TextRole::number, ui.theme.ink,
                 Align::right);
        const Rect track = row.inset(0, 4);
        if (track.w < 10) continue;
        const float w = track.w * static_cast<float>(std::clamp(share, 0.0, 1.0));
        ui.canvas.fill_rect(track, ui.theme.rule.with_alpha(0.5f), 2);
        ui.canvas.fill_rect({track.x, track.y, std::max(w, 1.5f), track.h},
                            wanted ? ui.theme.of(Stage::y) : ui.theme.ink_soft, 2);
        if (!wanted) continue;
        // Beside the bar, or in it where the bar is long.
        const float tag_w = small_width(ui, tag);
        if (track.w - w >= tag_w + 8)
            ui.label(cut_right(row, tag_w + 4), tag, TextRole::small, ui.theme.ink_of(Stage::y));
        else if (w >= tag_w + 10)
            ui.label(row.inset(5, 0), tag, TextRole::small, ink_on(ui.theme.of(Stage::y)));
    }
}

std::optional<Edit> decode_due(View& view, const Document& d, double seconds) {
    constexpr double k_pace = 0.7; // seconds: the eye follows
    double& waited = view.of<TransformerView>().waited;
    waited += seconds;
    if (waited < k_pace) return std::nullopt;
    waited = 0;
    send_pulse(view);
    const int next = d.transformer.decoded.value_or(-1) + 1;
    view.running = next < most_decoded(d.transformer);
    return next <= most_decoded(d.transformer) ? std::optional<Edit>(Decode{next}) : std::nullopt;
}

void next_word_panel(TransformerPanel& p) {
    const IdScope scope(p, "next-word");
    if (says_why_not(p, "Next word")) return;
    const TransformerStudy& study = transformer_of(p);
    const Index token = token_of(p, study.head());
    const bool follows = study.head() == StackSide::decoder;
    Rect inside = p.framed({.title = follows ? "Next word" : "Word read out",
                            .hint = worded("softmax at {}", study.word(study.head(), token))});
    cut_top(inside, 4);
    if (follows && !p.state.picture) decode_row(p, cut_bottom(inside, 28, 6));
    word_bars(p, inside, study, token, k_likeliest);
}

} // namespace normscope
