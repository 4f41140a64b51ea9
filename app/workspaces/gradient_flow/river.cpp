#include "app/charts/flow_band.h"
#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_river_words_w = 1850; // of the longest sentence below the river, in one line

std::vector<FlowSlice> slices_of(const GradientFlow& flow) {
    std::vector<FlowSlice> out;
    double at_input = flow.input_grad_norm;
    for (const BlockFlow& b : flow.blocks) {
        out.push_back({at_input, b.split.skip_norm, b.split.branch_norm});
        at_input = b.grad_norm;
    }
    return out;
}

// A line along the top of the panel while something takes long; its place is always kept.
void progress_line(Ui& ui, Rect r, const FlowStudies& flow) {
    if (!flow.computing || !flow.progress) return;
    ui.canvas.fill_rect(r, ui.theme.rule, k_fully_round);
    const auto share = static_cast<float>(std::clamp(*flow.progress, 0.0, 1.0));
    ui.canvas.fill_rect({r.x, r.y, r.w * share, r.h}, ui.theme.focus, k_fully_round);
}

// The hint on a press. While the sliders change one block's γ and β, a press chooses the block; an
// encoder block has two Add & Norms, in the order of the forward pass.
std::string_view invitation(bool choosing, bool one, bool two_parts, std::optional<int> half,
                            bool by_keys) {
    if (choosing)
        return one ? "Click to set its γ and β; double-click or Enter opens its Add & Norm."
                   : "Click a block to set its γ and β; double-click it to open its Add & Norm.";
    if (!one) return "Hover a block for its numbers; click it to open its Add & Norm.";
    if (!two_parts) return "Click to open its Add & Norm.";
    if (half == 0) return "Click to open its attention's Add & Norm; right half: its FFN's.";
    if (half == 1) return "Click to open its FFN's Add & Norm; left half: its attention's.";
    if (!by_keys)
        return "Click its left half for its attention's Add & Norm, its right for its FFN's.";
    return "Enter opens its FFN's Add & Norm, Shift+Enter its attention's.";
}

// The stack before the last change, where the river before it and the present one can be compared:
// no story has come in between, and both are as deep. Null: there is none.
const StackStudy* study_before(const FlowPanel& p, const StackStudy& present) {
    if (!p.frame.before) return nullptr;
    const FlowSetup& setup = p.frame.before->document().flow;
    const FlowStory* const story = told_story(p.document.flow);
    if (setup.stack == present.stack || (story && story != told_story(setup))) return nullptr;
    const auto study = p.frame.memory.of<FlowMemory>().runner.find(setup.stack);
    const bool compared = study && !study->seeds.empty() &&
                          study->stack.blocks == present.stack.blocks &&
                          study->seeds.front().flow.blocks.size() > 0;
    return compared ? study.get() : nullptr;
}

void error_instead(FlowPanel& p, Rect r, const Error& error) {
    const float w = std::min(r.w, 560.0f);
    Rect middle{r.x + (r.w - w) / 2, r.y + r.h * 0.25f, w, r.h * 0.7f};
    cut_top(middle,
            paragraph(p, middle, error_text(error) + ".", TextRole::label, p.theme.error) + 10);
    Rect line = cut_top(middle, 28);
    if (left_button(p, "default-stack", line,
                    {"Take the default stack", "12 post-LN encoder blocks; Ctrl+Z takes it back",
                     true, ButtonLook::primary}))
        p.edit(SetStack{default_flow().stack});
}

// Keys while the river has the focus: arrows walk along the blocks, Enter opens one.
void keys(FlowPanel& p, const Hit& hit, int blocks) {
    FlowView& next = p.next;
    if (!hit.focused) return;
    p.state.scroll_keys_used = true;
    const int at = p.view.block.value_or(0);
    const int far = shift_down() ? 8 : 1;
    if (key_pressed(Key::right, true)) choose_block(next, std::min(blocks, at + far));
    if (key_pressed(Key::left, true)) choose_block(next, at == 0 ? blocks : std::max(1, at - far));
    if (key_pressed(Key::home)) choose_block(next, 1);
    if (key_pressed(Key::end)) choose_block(next, blocks);
}

// Leaves what is being measured as far as it is, or measures the rest after all.
void stop_or_go_on(FlowPanel& p, bool stop) {
    p.actions.ask = [stop](DrawMemory& m, const Document& d) {
        if (stop)
            m.of<FlowMemory>().runner.stop(d.flow);
        else
            m.of<FlowMemory>().runner.go_on();
    };
}

// Esc stops what is being measured, else it lets go of the block, as a click on nothing does.
void let_go(FlowPanel& p) {
    if (p.state.picture || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    if (!ImGui::GetIO().WantTextInput && key_pressed(Key::escape)) {
        if (studies_of(p).progress)
            stop_or_go_on(p, true);
        else
            p.next.block.reset();
    }
    const bool on_nothing = ImGui::IsWindowHovered() && !ImGui::IsAnyItemHovered();
    if (on_nothing && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) p.next.block.reset();
}

std::string least_text(const FlowWidths& widths) {
    return widths.kind == ScaleKind::log ? number_text(widths.lo, 2) : std::string("0");
}

std::string scale_text(const FlowWidths& widths) {
    return widths.kind == ScaleKind::log
               ? worded(
                     "‖g‖: the gradient's size; width: that of each part, logarithmic, {} at the "
                     "axis to {}: twice as wide is not twice as much",
                     least_text(widths), number_text(widths.hi, 2))
               : worded("‖g‖: the gradient's size; width: that of each part, {} at the axis to {}",
                        least_text(widths), number_text(widths.hi, 2));
}

// In a picture, where nobody chooses: what the width means.
void scale_line(Ui& ui, Rect& inside, const FlowWidths& widths) {
    const float height = ui.canvas.line_height(TextRole::small) + 6;
    if (!has_room(ui, inside, height)) return;
    soft_label(ui, cut_top(inside, height), scale_text(widths));
}

// Esc stops what takes longer than a moment; what takes long has a button for it.
void stop_button(FlowPanel& p, Rect& row) {
    if (!studies_of(p).takes_long && !studies_of(p).stopped) return;
    const bool stop = !studies_of(p).stopped;
    const std::string_view label = stop ? "Stop" : "Go on";
    const float w = button_width(p, label);
    if (w > row.w) return;
    if (button(p, "measuring", cut_right(row, w, 8),
               {label,
                stop ? "Leaves what is measured as it is now (Esc)" : "Measures what is missing"}))
        stop_or_go_on(p, stop);
}

// How the row above the river is divided: once it is unfolded, in two lines where one has no room.
// Each control keeps its place whether or not another is there.
constexpr std::string_view k_width_label = "Width:";
constexpr ChoiceName k_width_kinds[] = {{"linear", "linear"}, {"log", "logarithmic"}};
constexpr std::string_view k_particles = "Particles";
constexpr float k_scale_line = 28;
constexpr float k_between_lines = 4;

float label_width(const Ui& ui) {
    return ui.text_width(k_width_label, TextRole::label) + 10;
}

bool in_one_line(const Ui& ui, float width) {
    constexpr float k_stop_w = 90;
    return more_width(ui) + 8 + label_width(ui) + segmented_width(ui, k_width_kinds) +
               button_width(ui, k_particles) + (20 + k_stop_w) <=
           width;
}

float scale_height(const FlowPanel& p, float width) {
    const bool one_line = !p.view.more_river || in_one_line(p, width);
    return one_line ? k_scale_line : 2 * k_scale_line + k_between_lines;
}

struct ScaleRow {
    Rect more, label, kinds, particles, rest;
};
ScaleRow divide(const FlowPanel& p, Rect area) {
    ScaleRow out;
    const bool one_line = in_one_line(p, area.w);
    Rect row = cut_top(area, k_scale_line);
    out.more = cut_left(row, more_width(p), 8);
    out.rest = row;
    if (!p.view.more_river) return out;
    out.label = cut_left(row, label_width(p));
    out.kinds = cut_left(row, segmented_width(p, k_width_kinds), 12);
    if (!one_line) {
        cut_top(area, k_between_lines);
        row = area;
    }
    out.particles = cut_right(row, button_width(p, k_particles), 8);
    out.rest = row;
    return out;
}

// The buttons that are there before anything is measured too. Returns the room left for words.
Rect right_of_scale(FlowPanel& p, const ScaleRow& places) {
    const bool on = p.view.particles;
    if (p.view.more_river &&
        button(p, "particles", places.particles,
               {k_particles,
                "Walkers from the loss to the input, which take the skip or the sublayer by the "
                "share of its norm",
                true, on ? ButtonLook::primary : ButtonLook::plain}))
        p.next.particles = !on;
    Rect row = places.rest;
    stop_button(p, row);
    return row;
}

void scale_row(FlowPanel& p, Rect area, const FlowWidths& widths) {
    constexpr std::string_view k_hints[] = {"Twice as wide is twice the norm",
                                            "Every decade is as wide as the next"};
    const ScaleRow places = divide(p, area);
    if (more(p, places.more, p.view.more_river, p.next.more_river)) {
        p.label(places.label, k_width_label, TextRole::label, p.theme.ink_soft);
        const bool log = widths.kind == ScaleKind::log;
        if (const auto c = segmented(p, "width", places.kinds, k_width_kinds, log ? 1 : 0, k_hints))
            p.next.width = *c == 1 ? ScaleKind::log : ScaleKind::linear;
    }
    Rect row = right_of_scale(p, places);
    const std::string whole = scale_text(widths);
    const auto fits = [&](std::string_view words) { return small_width(p, words) <= row.w; };
    if (const std::string words =
            fits(whole) ? whole
            : widths.kind == ScaleKind::log
                ? worded("logarithmic, {} to {}", least_text(widths), number_text(widths.hi, 2))
                : worded("{} to {}", least_text(widths), number_text(widths.hi, 2));
        fits(words))
        soft_label(p, row, words);
}

} // namespace

void river_panel(FlowPanel& p) {
    const FlowView& v = p.view;
    FlowView& next = p.next;
    const IdScope scope(p, "river");
    const StackStudy* study = present_study(p);
    const int blocks = study ? study->stack.blocks : p.document.flow.stack.blocks;
    // The river is one run; the curves below it are the mean of several.
    const std::uint64_t seed = study ? study->stack.seed : p.document.flow.stack.seed;
    const std::string what =
        worded("{} · seed {}",
               blocks == 1 ? worded("{} block", blocks) : worded("{} blocks", blocks), seed);
    std::string title = worded("Gradient flowing back through {}", what);
    if (p.text_width(title, TextRole::title) + 30 > p.rect.w)
        title = worded("Gradient through {}", what);
    const std::string all_way = worded("loss ∂L/∂x{} → ∂L/∂x₀ input", subscript(blocks));
    const std::string hint = hint_beside(p, p.rect, title, outdated_hint(p, all_way));
    Rect inside = p.framed({.title = title, .hint = hint});
    progress_line(p, cut_top(inside, 2, 2), studies_of(p));
    let_go(p);
    if (hidden_until_revealed(p))
        return instead(p, inside, "Shown when you reveal it: say first what you expect.");
    if (study && study->error) return error_instead(p, inside, *study->error);
    if (!study || study->seeds.empty() || study->seeds.front().flow.blocks.empty()) {
        const Rect head = cut_top(inside, scale_height(p, inside.w));
        if (!p.state.picture) right_of_scale(p, divide(p, head));
        return instead(p, inside,
                       stopped_short(p)
                           ? "Stopped before there was anything to show."
                           : "Measuring: a forward and a backward pass through the stack …");
    }
    const GradientFlow& flow = study->seeds.front().flow;
    const std::vector<FlowSlice> slices = slices_of(flow);
    const auto n = std::ssize(slices);
    const StackStudy* const before = study_before(p, *study);
    const std::vector<FlowSlice> ghost =
        before ? slices_of(before->seeds.front().flow) : std::vector<FlowSlice>();
    std::vector<FlowSlice> both = slices;
    add_all(both, ghost);
    const ScaleKind found = flow_scale(both, v.found_width);
    // A story forgets the found scale, maybe in this very frame: the river before it sets none.
    const bool afresh = next.found_width != v.found_width;
    if (!afresh && study->stack == p.document.flow.stack) next.found_width = found;
    FlowBand band{.slices = slices,
                  .top = flow.blocks.back().grad_norm,
                  .widths = flow_widths(v.width.value_or(found), both),
                  .has_skip = study->stack.skip == Residual::add,
                  .ghost = ghost,
                  .ghost_has_skip = before && before->stack.skip == Residual::add,
                  .sublayer = sublayer_words(study->stack.sublayer).in_box};
    if (p.state.picture) {
        name_stack(p, inside, study->stack);
        scale_line(p, inside, band.widths);
    } else {
        scale_row(p, cut_top(inside, scale_height(p, inside.w)), band.widths);
    }
    cut_top(inside, 8);
    const float words_h = lines_height(p, inside.w, k_river_words_w);
    const Rect words = cut_bottom(inside, has_room(p, inside, words_h) ? words_h : 0, 6.0f);

    const FlowBandPlot plot = flow_band_plot(p.canvas, inside, band);
    const Hit hit = p.hit(
        "blocks", {plot.river.x, plot.values.y, plot.river.w, plot.boxes.bottom() - plot.values.y});
    if (v.takes_keyboard) {
        p.state.focus = hit.id;
        next.takes_keyboard = false;
    }
    const bool two_parts = study->stack.sublayer == SublayerKind::encoder;
    auto sublayer = shift_down() && hit.focused ? OfBlock::first_sublayer : OfBlock::last_sublayer;
    if (hit.hovered)
        if (const auto at = plot.block_at(p.mouse())) {
            p.actions.view.hover.block = static_cast<int>(*at) + 1;
            if (two_parts) band.lit_half = plot.half_at(*at, p.mouse());
            sublayer = band.lit_half == 0 ? OfBlock::first_sublayer : OfBlock::last_sublayer;
        }
    keys(p, hit, static_cast<int>(n));
    const auto focus = block_in_focus(p, static_cast<int>(n));
    const bool choosing = v.only_block.has_value();
    if (hit.clicked || hit.double_clicked) {
        const bool by_mouse = hit.hovered && (hit.released || hit.double_clicked);
        const auto wanted = by_mouse ? p.actions.view.hover.block : v.block;
        if (wanted && *wanted <= static_cast<int>(n)) {
            choose_block(next, *wanted);
            if (!choosing || !by_mouse || hit.double_clicked)
                p.actions.ask = [part = BlockPart{*wanted, sublayer}](DrawMemory& m,
                                                                      const Document& d) {
                    m.of<FlowMemory>().runner.open_block(m.lab, d, part);
                };
        }
    }
    const auto hovered = p.frame.view.hover.block;
    if (hovered && *hovered <= static_cast<int>(n)) band.lit = *hovered - 1;
    const auto chosen = choosing ? v.only_block : v.block;
    if (chosen && *chosen >= 1 && *chosen <= static_cast<int>(n)) band.chosen = *chosen - 1;
    std::vector<std::uint8_t> route;
    if (v.path_length) {
        route = typical_route(study->stack, *v.path_length, v.route_seed);
        band.route = route;
    }
    draw_flow_band(p.canvas, p.theme, inside, band);
    if (v.particles) draw_flow_particles(p.canvas, p.theme, plot, band, ImGui::GetTime());
    p.focus_ring(hit, inside, 4);
    std::string says =
        focus ? words_about(*study, flow, *focus, entry_at(slices, *focus - 1), stopped_short(p))
              : words_about_all(*study, flow, slices);
    if (before) says += ' ' + worded("Pale: before the last change.");
    if (!p.state.picture)
        says += ' ' + std::string(tr(invitation(choosing, focus.has_value(), two_parts,
                                                band.lit_half, hit.focused)));
    if (words.h > 0)
        paragraph(p, words, says, TextRole::small, focus ? p.theme.ink : p.theme.ink_soft);
}

} // namespace normscope
