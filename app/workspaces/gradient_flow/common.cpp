#include "app/charts/flow_band.h"
#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

const FlowStudies& studies_of(const FlowPanel& p) {
    return p.frame.memory.of<FlowMemory>().runner.studies();
}

const StackStudy* present_study(const FlowPanel& p) {
    return studies_of(p).present.get();
}

std::string_view outdated_hint(const FlowPanel& p, std::string_view otherwise) {
    const StackStudy* study = present_study(p);
    const bool outdated =
        study && studies_of(p).takes_long && !(study->stack == p.document.flow.stack);
    return outdated ? "still as before the change" : otherwise;
}

std::string hint_beside(const Ui& ui, Rect r, std::string_view title, std::string_view hint) {
    const float w = ui.text_width(title, TextRole::title) + small_width(ui, hint) + 40;
    return std::string(w > r.w ? std::string_view() : hint);
}

bool stopped_short(const FlowPanel& p) {
    const StackStudy* study = present_study(p);
    return studies_of(p).stopped && !(study && study->refined);
}

bool is_predicted(const FlowView& view, const FlowSetup& setup) {
    return view.predict && told_story(setup);
}

bool hidden_until_revealed(const FlowPanel& p) {
    return is_predicted(p.view, p.document.flow) && !p.view.revealed;
}

bool leaves_a_guess(const FlowView& view, const FlowSetup& setup) {
    const bool guessed = view.expected || !view.drawn.empty();
    return view.predict && !view.revealed && guessed && !told_story(setup);
}

std::optional<int> block_in_focus(const FlowPanel& p, int blocks) {
    for (const auto& block : {p.frame.view.hover.block, p.view.block})
        if (block && *block >= 1 && *block <= blocks) return block;
    return std::nullopt;
}

void choose_block(FlowView& view, int block) {
    view.block = block;
    if (view.only_block) view.only_block = block;
}

std::string share_text(double share) {
    return flow_norm_text(100 * share) + " %";
}

std::string subscript(int number) {
    constexpr std::string_view k_digits[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    std::string out;
    for (const char c : std::to_string(number)) out += c == '-' ? "₋" : entry_at(k_digits, c - '0');
    return out;
}

LineStyle present_style(const Theme& theme) {
    return {theme.ink, Dash::solid, Marker::circle};
}

LineStyle pinned_style(const Theme& theme, std::size_t index) {
    constexpr std::array<Stage, k_most_pinned - 1> k_stages = {Stage::gamma, Stage::y,    Stage::x,
                                                               Stage::x_hat, Stage::beta, Stage::f};
    constexpr std::array<Marker, k_most_pinned> k_markers = {
        Marker::square, Marker::triangle, Marker::diamond, Marker::ring,
        Marker::frame,  Marker::wedge,    Marker::cross};
    const std::size_t i = index % k_most_pinned;
    // The stage that is left is a grey near the present stack's ink: olive instead.
    const Color color = i < k_stages.size() ? theme.of(k_stages[i])
                                            : mix(theme.of(Stage::f), theme.of(Stage::y), 0.35f);
    return {color, i % 2 == 0 ? Dash::dashed : Dash::dotted, k_markers[i]};
}

void name_stack(Ui& ui, Rect& inside, const StackConfig& stack) {
    const float height = ui.canvas.line_height(TextRole::small) + 4;
    if (!ui.state.picture || !has_room(ui, inside, height)) return;
    ui.label(cut_top(inside, height),
             worded("{} · width {} · {}", stack_name(stack), stack.width,
                    stack.tokens == 1 ? worded("{} token", stack.tokens)
                                      : worded("{} tokens", stack.tokens)),
             TextRole::small);
}

bool has_room(const Ui& ui, Rect inside, float height) {
    constexpr float k_least_chart_h = 120;
    return !ui.state.picture || inside.h - height >= k_least_chart_h;
}

void instead(Ui& ui, Rect r, std::string_view words) {
    const float w = std::min(r.w, 560.0f);
    Rect middle{r.x + (r.w - w) / 2, r.y + r.h * 0.3f, w, r.h * 0.6f};
    ui.canvas.push_clip(r);
    paragraph(ui, middle, words, TextRole::label, ui.theme.ink_soft);
    ui.canvas.pop_clip();
}

} // namespace normscope
