#include "app/workspaces/transformer/lens.h"

#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_beside_from = 760; // the layer's attention stands at the right
constexpr float k_below_from = 600;  // and from this height on below
constexpr float k_attention_h = 208;

// Boxes of one kind, from the input up, the encoder's first.
std::vector<Box> boxes_like(const TransformerStudy& study, const Box& box) {
    std::vector<Box> out;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder})
        for (const auto l : indices(box.in_layer() ? study.layers(side) : 1))
            for (const auto b : indices(box.in_layer() ? study.blocks(side) : 1))
                if (const Box other{box.kind, side, l, b}; study.has(other)) out.push_back(other);
    return out;
}

// ◂ n of N ▸ through the boxes of this kind, at the right of `row`.
void box_steps(TransformerPanel& p, Rect& row, const Box& box) {
    const std::vector<Box> all = boxes_like(transformer_of(p), box);
    const auto at = std::ranges::find(all, box) - all.begin();
    const auto count = static_cast<std::ptrdiff_t>(all.size());
    if (count < 2 || at == count) return;
    const std::string text = worded("{} of {}", at + 1, count);
    const auto step = [&](std::string_view id, Rect r, std::string_view label, std::ptrdiff_t to,
                          std::string_view hint) {
        if (button(p, id, r, {label, hint, to >= 0 && to < count}))
            choose_box(p, entry_at(all, to));
    };
    const float w = 28, gap = 6;
    const Rect more = cut_right(row, w, gap);
    const Rect words = cut_right(row, p.text_width(text, TextRole::label) + 1, gap);
    step("previous-box", cut_right(row, w, 8), "◂", at - 1, "The one before, nearer to the input");
    p.label(words, text);
    step("next-box", more, "▸", at + 1, "The next one, nearer to the output");
}

// This Add & Norm with its own numbers in the workspaces that are about one.
void open_buttons(TransformerPanel& p, Rect row, const Box& box) {
    struct Opening {
        std::string_view id, label, short_label, workspace, hint;
    };
    constexpr Opening k_openings[] = {
        {"open-add-norm", "Open in 1 Add & Norm", "Open in 1", "add-norm",
         "These X, F(X), γ and β, to be edited; your own document waits"},
        {"open-backward", "Open in 3 Backward", "Open in 3", "backward",
         "The same with this ∂L/∂Y, to see where dX comes from"}};
    const float gap = 6;
    const bool whole =
        button_width(p, k_openings[0].label) + gap + button_width(p, k_openings[1].label) <= row.w;
    for (const Opening& o : k_openings) {
        const std::string_view label = whole ? o.label : o.short_label;
        const float w = button_width(p, label);
        if (w > row.w) return;
        if (button(p, o.id, cut_left(row, w, gap), {label, o.hint}))
            p.actions.ask = [box, workspace = o.workspace](DrawMemory& m, const Document& d) {
                TransformerMemory& memory = m.of<TransformerMemory>();
                const TransformerStudy& study = memory.study.of(d.transformer);
                memory.opened = {d, place_of(study, box), workspace, open_add_norm(d, study, box)};
            };
    }
}

// Buttons that take a piece out of the block of a box, and put it back.
void take_out_row(TransformerPanel& p, Rect row, const Box& box) {
    const IdScope scope(p, "take-out");
    const TransformerSetup& setup = p.document.transformer;
    left_words(p, row, "Take out", TextRole::label, p.theme.ink_soft, 8);
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
        if (left_button(p, id, row, {name, hint, there || out, look}, 4))
            p.edit(TakeOut{what, !out});
    }
}

// Closes a lens over the figure, as Esc does.
void close_button(TransformerPanel& p, Rect r) {
    const bool esc = key_pressed(Key::escape) && !ImGui::GetIO().WantTextInput &&
                     !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    if (button(p, "close", r, {"×", "Shows the whole figure (Esc)", true, ButtonLook::quiet}) ||
        esc)
        p.next.lens_open = false;
}

// The placement of this model's norms in words; empty for post.
std::string placement_words(const TransformerStudy& study, const Box& box) {
    if (box.kind != Box::Kind::add_norm) return {};
    const Placement placement = study.setup().config.placement;
    if (placement == Placement::pre)
        return "Pre: its Norm stands before the sublayer, its ⊕ behind";
    if (placement == Placement::peri) return "Peri: a norm before F and after it";
    if (placement == Placement::post) return {};
    return worded("DeepNorm: X times {:.2f}", study.block(box).options.trunk_scale);
}

// The lens of an Add shows the norm before its sublayer too.
std::string_view title_of(const TransformerStudy& study, const Box& box) {
    const bool norms =
        box.kind == Box::Kind::add_norm && norm_entry(study.block(box).options.norm).normalizes();
    return norms ? "Add & Norm" : name_of(study, box);
}

void draw_lens_box(TransformerPanel& p, Rect r, const Box& box) {
    using LensFn = void (*)(Lens&, Rect);
    constexpr LensFn k_lenses[] = {embedding_lens,  attention_lens, add_norm_lens, // as Box::Kind
                                   final_norm_lens, head_lens,      head_lens};
    Lens lens{p, box};
    LensFn draw = entry_at(k_lenses, box.kind);
    if (p.view.gradient && lens.study.backward())
        draw = gradient_lens;
    else if (draw == attention_lens && !lens.study.attention(box))
        draw = feed_forward_lens;
    draw(lens, r);
}

} // namespace

Box chosen_box(const TransformerPanel& p) {
    const TransformerStudy& study = transformer_of(p);
    if (study.has(p.view.box)) return p.view.box;
    return {Box::Kind::add_norm, study.head()};
}

void choose_box(TransformerPanel& p, const Box& box) {
    p.next.box = box;
    if (box.in_layer()) entry_at(p.next.layer, box.side) = box.layer;
}

bool says_why_not(TransformerPanel& p, std::string_view title) {
    const auto& error = transformer_of(p).error();
    if (!error) return false;
    paragraph(p, p.framed({.title = title}), sentence(*error));
    return true;
}

Index token_of(const TransformerPanel& p, StackSide side) {
    const Words& words = transformer_of(p).tokens(side);
    return pinned_in(p, side).value_or(std::ssize(words) - 1);
}

float words_width(const Ui& ui, std::span<const std::string> words) {
    float w = 0;
    for (const std::string& word : words)
        w = std::max(w, ui.text_width(Text::typed(word), TextRole::title));
    return std::min(w, 76.0f) + 8.0f;
}

std::optional<HeatmapCell> Lens::map(Rect r, const LensMap& of) {
    const StackSide side = of.side.value_or(box.side);
    const float left = of.named ? names_w : 0;
    Rect head = cut_top(r, 18);
    cut_left(head, left);
    const float title_w = p.text_width(of.title, TextRole::label) + 1;
    p.label(cut_left(head, title_w, 6), of.title, TextRole::label, p.theme.ink_of(of.stage));
    if (small_width(p, of.note) <= head.w) soft_label(p, head, of.note, Align::right);
    cut_left(r, left);
    const Index rows = of.values.rows();
    if (rows == 0 || r.w < 1 || r.h < 1) return std::nullopt;
    const Index pinned = token_of(p, side);
    if (of.named) {
        Heatmap names;
        names.port = {0, 0, 1, r.h / static_cast<float>(rows)};
        names.row_names = study.tokens(side);
        names.row_names_w = left;
        names.marks.row_name = pinned;
        draw_row_names(p.canvas, p.theme, r, names, {0, rows});
    }
    const auto cell =
        small_map(p, r, {"lens/" + std::string(of.slot), of.values, of.limit, pinned, of.lights});
    if (p.state.picture) return std::nullopt;
    const Hit hit = p.hit(of.slot, r, k_by_mouse);
    if (hit.clicked && cell) p.next.pinned = TokenOf{side, cell->row};
    if (!hit.hovered || !cell) return std::nullopt;
    p.next.over = LensCell{of.slot, box, *cell};
    if (side == box.side) pointed = cell;
    return cell;
}

std::optional<HeatmapCell> Lens::over(std::string_view slot) const {
    const auto& over = p.view.over;
    return over && over->box == box && over->map == slot ? std::optional(over->at) : std::nullopt;
}

void Lens::light(const std::optional<HeatmapCell>& cell) const {
    if (cell) p.next.hovered = BoxCell{box, cell->row, cell->col};
}

HeatmapCell Lens::worked_cell(const Matrix<float>& values) const {
    light(pointed);
    if (pointed) return *pointed;
    if (const auto& other = p.view.hovered; other && other->box == box &&
                                            other->token < values.rows() &&
                                            other->feature < values.cols())
        return {other->token, other->feature};
    HeatmapCell largest{token, 0};
    values.row(token).cwiseAbs().maxCoeff(&largest.col);
    return largest;
}

std::vector<CellBlock> row_of(const std::optional<HeatmapCell>& at, Index cols) {
    return at ? std::vector<CellBlock>{{at->row, 0, 1, cols}} : std::vector<CellBlock>{};
}

std::vector<Rect> stacked_maps(Rect& r, std::size_t count, Index rows) {
    const float gap = 10, head = 18;
    const float most = (r.h - gap * static_cast<float>(count)) / static_cast<float>(count);
    const float h = std::min(most, head + 22.0f * static_cast<float>(rows));
    std::vector<Rect> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(cut_top(r, h, gap));
    return out;
}

float formula_lines(Ui& ui, Rect r, std::span<const std::string> lines) {
    const auto fits = [&](TextRole role) {
        return std::ranges::all_of(
            lines, [&](const std::string& line) { return ui.text_width(line, role) <= r.w; });
    };
    const TextRole role = fits(TextRole::formula) ? TextRole::formula : TextRole::number_small;
    const float top = r.y;
    for (const std::string& line : lines) ui.label(cut_top(r, k_formula_h), line, role);
    return r.y - top;
}

void captioned(Ui& ui, Rect r, std::string_view caption, std::span<const std::string> lines) {
    soft_label(ui, cut_top(r, k_caption_h), caption);
    formula_lines(ui, r, lines);
}

void lens_panel(TransformerPanel& p) {
    const IdScope scope(p, "lens");
    if (says_why_not(p, "The chosen box")) return;
    const TransformerStudy& study = transformer_of(p);
    const Box box = chosen_box(p);
    p.next.over.reset();
    Rect r = p.rect;
    if (box.kind == Box::Kind::add_norm && !p.state.picture) {
        const float gap = k_panel_gap;
        if (r.w >= k_beside_from)
            lower_panel(p, cut_right(r, (r.w - gap) / 2, gap), box);
        else if (r.h >= k_below_from)
            lower_panel(p, cut_bottom(r, k_attention_h, gap), box);
    }
    const bool floats = p.next.lens_floats && p.view.lens_open && !p.state.picture;
    Rect inside = panel(p, "", r,
                        {.title = title_of(study, box),
                         .hint = floats ? std::string() : place_of(study, box),
                         .bar = p.theme.of(stage_of(box)),
                         .title_color = p.theme.ink_of(stage_of(box))});
    if (floats) close_button(p, {r.right() - 34, r.y + 7, 26, 24});
    if (floats) soft_label(p, cut_top(inside, 18, 2), place_of(study, box));
    const std::string placement = placement_words(study, box);
    if (!placement.empty()) soft_label(p, cut_top(inside, 20, 2), placement);
    if (!p.state.picture) {
        Rect foot = cut_bottom(inside, 28, 6);
        box_steps(p, foot, box);
        if (box.in_layer() && more(p, foot, p.view.more_lens, p.next.more_lens)) {
            take_out_row(p, cut_bottom(inside, 28, 6), box);
            if (box.kind == Box::Kind::add_norm) open_buttons(p, cut_bottom(inside, 28, 6), box);
        }
    }
    draw_lens_box(p, inside, box);
}

} // namespace normscope
