#include "app/workspaces/transformer/lens.h"

#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/workspaces/shared/page.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_beside_from = 760; // pixels: the layer's attention stands at the right
constexpr float k_below_from = 600;  // and from this height on below
constexpr float k_attention_h = 208;

// Boxes of one kind, from the input up, the encoder's first.
std::vector<Box> boxes_like(const TransformerStudy& study, const Box& box) {
    std::vector<Box> out;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder})
        for (int l = 0; l < (box.in_layer() ? study.layers(side) : 1); ++l)
            for (int b = 0; b < (box.in_layer() ? study.blocks(side) : 1); ++b)
                if (const Box other{box.kind, side, l, b}; study.has(other)) out.push_back(other);
    return out;
}

// ◂ n of N ▸ through the boxes of this kind, at the right of `row`.
void box_steps(Ui& ui, Rect& row, const TransformerStudy& study, const Box& box, Actions& a) {
    const std::vector<Box> all = boxes_like(study, box);
    const auto at = std::ranges::find(all, box) - all.begin();
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    if (last < 1 || at > last) return;
    const std::string text = worded("{} of {}", at + 1, all.size());
    const float w = ui.px(28);
    const auto step = [&](std::string_view id, Rect r, std::string_view label, std::ptrdiff_t to,
                          std::string_view hint) {
        const bool there = to >= 0 && to <= last;
        if (button(ui, id, r, {label, ButtonLook::plain, there, hint}))
            choose_box(a, all[static_cast<std::size_t>(to)]);
    };
    const Rect more = cut_right(row, w, ui.px(6));
    const Rect words = cut_right(row, ui.canvas.text_size(text, TextRole::label).w + 1, ui.px(6));
    step("previous-box", cut_right(row, w), "◂", at - 1, "The one before, nearer to the input");
    ui.label(words, text, TextRole::label, ui.theme.ink);
    step("next-box", more, "▸", at + 1, "The next one, nearer to the output");
    cut_right(row, ui.px(8));
}

// This Add & Norm with its own numbers in the workspaces that are about one.
void open_buttons(Ui& ui, Rect row, const Box& box, Actions& a) {
    struct Opening {
        std::string_view id, label, short_label, workspace, hint;
    };
    constexpr std::array<Opening, 2> k_openings = {
        {{"open-add-norm", "Open in 1 Add & Norm", "Open in 1", "add-norm",
          "These X, F(X), γ and β, to be edited; your own document waits"},
         {"open-backward", "Open in 3 Backward", "Open in 3", "backward",
          "The same with this ∂L/∂Y, to see where dX comes from"}}};
    const float gap = ui.px(6);
    const bool whole =
        button_width(ui, k_openings[0].label) + gap + button_width(ui, k_openings[1].label) <=
        row.w;
    for (const Opening& o : k_openings) {
        const std::string_view label = whole ? o.label : o.short_label;
        const float w = button_width(ui, label);
        if (w > row.w) return;
        if (button(ui, o.id, cut_left(row, w, gap), {label, ButtonLook::plain, true, o.hint}))
            a.ask = [box, workspace = o.workspace](DrawMemory& m, const Document& d) {
                TransformerMemory& memory = m.of<TransformerMemory>();
                const TransformerStudy& study = memory.study.of(d.transformer);
                memory.opened = {d, place_of(study, box), workspace, open_add_norm(d, study, box)};
            };
    }
}

// What can be taken out of the block of a box, and put back.
void take_out_row(Ui& ui, Rect row, const Frame& f, Actions& a, const Box& box) {
    const IdScope scope(ui, "take-out");
    const TransformerSetup& setup = f.document.transformer;
    const std::string_view label = "Take out";
    ui.label(cut_left(row, ui.canvas.text_size(label, TextRole::label).w + ui.px(8)), label,
             TextRole::label, ui.theme.ink_soft);
    const bool out_of_norm = !norm_entry(setup.config.norm).normalizes();
    for (const auto& [piece, id, name] : choices(BlockPiece{})) {
        const TakenOut what{box.side, box.layer, box.block, piece};
        const bool out = is_taken_out(setup, what);
        const bool there = !(piece == BlockPiece::skip && setup.config.skip == Residual::no_skip) &&
                           !(piece == BlockPiece::norm && out_of_norm);
        const std::string_view hint =
            piece == BlockPiece::sublayer ? "F(X) = 0, as if it had learned nothing: what is left "
                                            "is the skip, and its norm"
            : piece == BlockPiece::skip   ? "Nothing goes around the sublayer"
                                          : "Nothing is normalized; γ and β stay";
        const ButtonLook look = out ? ButtonLook::primary : ButtonLook::plain;
        if (left_button(ui, id, row, {name, look, there || out, hint}, ui.px(4)))
            a.edits.push_back(TakeOut{what, !out});
    }
}

// What is special about how this model norms.
std::string placement_words(const TransformerStudy& study, const Box& box) {
    if (box.kind != Box::Kind::add_norm) return {};
    const Placement placement = study.setup().config.placement;
    if (placement == Placement::pre) return "Pre: the norm comes first";
    if (placement == Placement::peri) return "Peri: a norm before F and after it";
    if (placement == Placement::post) return {};
    return worded("DeepNorm: X times {:.2f}", study.block(box).options.trunk_scale);
}

void draw_lens_box(Ui& ui, Rect r, const Frame& f, Actions& a, const Box& box) {
    using Lens = void (*)(Ui&, Rect, const Frame&, Actions&, const Box&);
    constexpr Lens k_lenses[] = {embedding_lens,  attention_lens, add_norm_lens, // as Box::Kind
                                 final_norm_lens, head_lens,      head_lens};
    const TransformerStudy& study = transformer_of(f);
    Lens lens = k_lenses[static_cast<std::size_t>(box.kind)];
    if (f.view.of<TransformerView>().gradient && study.backward())
        lens = gradient_lens;
    else if (lens == attention_lens && !study.attention(box))
        lens = feed_forward_lens;
    lens(ui, r, f, a, box);
}

} // namespace

Box chosen_box(const Frame& f, const TransformerStudy& study) {
    const Box& box = f.view.of<TransformerView>().box;
    if (study.has(box)) return box;
    return {Box::Kind::add_norm, study.head()};
}

void choose_box(Actions& a, const Box& box) {
    auto& view = a.view.of<TransformerView>();
    view.box = box;
    if (box.in_layer()) view.layer[static_cast<std::size_t>(box.side)] = box.layer;
}

bool says_why_not(Ui& ui, Rect r, std::string_view title, const TransformerStudy& study) {
    if (!study.error()) return false;
    paragraph(ui, panel(ui, "", r, {.title = title}), sentence(*study.error()), TextRole::label,
              ui.theme.ink);
    return true;
}

Index token_of(const Frame& f, const TransformerStudy& study, StackSide side) {
    return pinned_in(f, side).value_or(static_cast<Index>(study.tokens(side).size()) - 1);
}

float words_width(const Ui& ui, std::span<const std::string> words) {
    const AsTyped typed(ui.canvas);
    float w = 0;
    for (const std::string& word : words)
        w = std::max(w, ui.canvas.text_size(word, TextRole::title).w);
    return std::min(w, ui.px(76)) + ui.px(8);
}

std::optional<HeatmapCell> named_map(Ui& ui, Rect r, const Frame& f, Actions& a,
                                     const NamedMap& map) {
    const TransformerStudy& study = transformer_of(f);
    Rect head = cut_top(r, ui.px(18));
    cut_left(head, map.names_w);
    const float title_w = ui.canvas.text_size(map.title, TextRole::label).w + 1;
    ui.label(cut_left(head, title_w, ui.px(6)), map.title, TextRole::label,
             ui.theme.ink_of(map.stage));
    if (small_width(ui, map.note) <= head.w) soft_label(ui, head, map.note, Align::right);
    cut_left(r, map.names_w);
    const Index rows = map.values.rows();
    if (rows == 0 || r.w < 1 || r.h < 1) return std::nullopt;
    const Index pinned = token_of(f, study, map.side);
    if (map.names_w > 0) {
        Heatmap names;
        names.port = {0, 0, 1, r.h / static_cast<float>(rows)};
        names.row_names = study.tokens(map.side);
        names.row_names_w = map.names_w;
        names.marks.row_name = pinned;
        draw_row_names(ui.canvas, ui.theme, r, names, {0, rows});
    }
    const auto cell = small_map(
        ui, r, f, {"lens/" + std::string(map.slot), map.values, map.limit, pinned, map.lights});
    if (ui.state.picture) return std::nullopt;
    const Hit hit = ui.hit(map.slot, r, {.focusable = false});
    if (hit.clicked && cell) a.view.of<TransformerView>().pinned = TokenOf{map.side, cell->row};
    if (!hit.hovered || !cell) return std::nullopt;
    a.view.of<TransformerView>().over = LensCell{map.slot, chosen_box(f, study), *cell};
    return cell;
}

std::optional<HeatmapCell> over_map(const Frame& f, const Box& box, std::string_view map) {
    const auto& over = f.view.of<TransformerView>().over;
    return over && over->box == box && over->map == map ? std::optional(over->at) : std::nullopt;
}

std::vector<CellBlock> row_of(const std::optional<HeatmapCell>& at, Index cols) {
    return at ? std::vector<CellBlock>{{at->row, 0, 1, cols}} : std::vector<CellBlock>{};
}

std::vector<Rect> stacked_maps(const Ui& ui, Rect& r, std::size_t count, Index rows) {
    const float gap = ui.px(10), head = ui.px(18);
    const float most = (r.h - gap * static_cast<float>(count)) / static_cast<float>(count);
    const float h = std::min(most, head + ui.px(22) * static_cast<float>(rows));
    std::vector<Rect> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(cut_top(r, h, gap));
    return out;
}

HeatmapCell worked_cell(const Frame& f, Actions& a, const Box& box,
                        const std::optional<HeatmapCell>& hovered, const Matrix<float>& values,
                        Index token) {
    if (hovered) a.view.of<TransformerView>().hovered = BoxCell{box, hovered->row, hovered->col};
    if (hovered) return *hovered;
    if (const auto& other = f.view.of<TransformerView>().hovered; other && other->box == box &&
                                                                  other->token < values.rows() &&
                                                                  other->feature < values.cols())
        return {other->token, other->feature};
    Index feature = 0;
    values.row(token).cwiseAbs().maxCoeff(&feature);
    return {token, feature};
}

float formula_height(const Ui& ui, std::size_t lines) {
    return ui.px(18) * static_cast<float>(lines);
}

float formula_lines(Ui& ui, Rect r, std::span<const std::string> lines) {
    const auto fits = [&](TextRole role) {
        return std::ranges::all_of(lines, [&](const std::string& line) {
            return ui.canvas.text_size(line, role).w <= r.w;
        });
    };
    const TextRole role = fits(TextRole::formula) ? TextRole::formula : TextRole::number_small;
    for (const std::string& line : lines) ui.label(cut_top(r, ui.px(18)), line, role, ui.theme.ink);
    return formula_height(ui, lines.size());
}

void lens_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "lens");
    const TransformerStudy& study = transformer_of(f);
    if (says_why_not(ui, r, "The chosen box", study)) return;
    const Box box = chosen_box(f, study);
    a.view.of<TransformerView>().over.reset();
    if (box.kind == Box::Kind::add_norm && !ui.state.picture) {
        const float gap = ui.px(k_panel_gap);
        if (r.w >= ui.px(k_beside_from)) {
            lower_panel(ui, cut_right(r, (r.w - gap) / 2, gap), f, a, box);
        } else if (r.h >= ui.px(k_below_from)) {
            lower_panel(ui, cut_bottom(r, ui.px(k_attention_h), gap), f, a, box);
        }
    }
    Rect inside = panel(ui, "", r,
                        {.title = name_of(study, box),
                         .hint = place_of(study, box),
                         .bar = ui.theme.of(stage_of(box)),
                         .title_color = ui.theme.ink_of(stage_of(box))});
    const std::string placement = placement_words(study, box);
    if (!placement.empty()) soft_label(ui, cut_top(inside, ui.px(20), ui.px(2)), placement);
    if (!ui.state.picture) {
        Rect foot = cut_bottom(inside, ui.px(28), ui.px(6));
        box_steps(ui, foot, study, box, a);
        if (box.kind == Box::Kind::add_norm) open_buttons(ui, foot, box, a);
        if (box.in_layer()) take_out_row(ui, cut_bottom(inside, ui.px(28), ui.px(6)), f, a, box);
    }
    draw_lens_box(ui, inside, f, a, box);
}

} // namespace normscope
