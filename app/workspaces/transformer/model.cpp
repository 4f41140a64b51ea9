#include "app/language/language.h"
#include "app/layout/settings.h"
#include "app/layout/sliders.h"
#include "app/model/transformer/file_weights.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_bar_h = 8;

// A seed, or the file that they came from.
void weights(TransformerPanel& p, Rect row, TransformerConfig& next) {
    const IdScope scope(p, "weights");
    constexpr float k_gap = 6;
    if (right_button(p, "file", row,
                     {"File…", "Weights with PyTorch's names, from a .safetensors file"}, k_gap))
        p.actions.open_file = true;
    const std::string seed = std::to_string(next.seed);
    if (const auto& file = p.document.transformer.weights) {
        const std::string draw = worded("Seed {}", seed);
        if (right_button(p, "draw", row, {draw, "Weights that are drawn, for the file's"}, k_gap))
            p.edit(TakeWeights{});
        return p.label(row, Text::typed(file->name));
    }
    const Rect field = cut_left(row, std::clamp(button_width(p, seed), 44.0f, 96.0f), k_gap);
    if (const auto typed = seed_field(p, "seed", field, next.seed, seed,
                                      "The seed they are drawn from: click to type"))
        next.seed = *typed;
    if (left_button(p, "next-seed", row, {"Next seed", "Other weights"})) ++next.seed;
}

// How many parameters, and what they are for.
void parameters(Column& rows, const TransformerStudy& study) {
    if (study.error()) return;
    Ui& ui = rows.ui();
    const ParameterCounts& p = study.parameters();
    ui.label(rows.row("Parameters").inset(8, 0), fmt::format("{}", p.all()), TextRole::number);
    const struct {
        std::string_view name;
        Index count;
        Stage stage;
    } kinds[] = {{"attention", p.attention, Stage::x},
                 {"FFN", p.feed_forward, Stage::f},
                 {"γ, β", p.norms, Stage::y},
                 {"words", p.words, Stage::z}};
    Rect bar = rows.next(k_bar_h, 4);
    const float whole = std::floor(bar.w);
    std::string words;
    for (const auto& kind : kinds) {
        const double share = static_cast<double>(kind.count) / static_cast<double>(p.all());
        ui.canvas.fill_rect(cut_left(bar, whole * static_cast<float>(share)),
                            ui.theme.of(kind.stage));
        if (!words.empty()) words += " · ";
        words += worded("{} {:.0f} %", kind.name, 100 * share);
    }
    soft_label(ui, rows.next(20), words);
}

} // namespace

void model_panel(TransformerPanel& p) {
    const TransformerConfig& now = p.document.transformer.config;
    TransformerConfig next = now;
    Column rows = p.column("model", {.title = "Model"});
    settings(rows, now, next, {"placement", "skip"});
    if (now.placement == Placement::pre)
        rows.says("Pre: X + F(Norm(X)): the skip passes its norm by. Lesson 9 has Post: "
                  "Norm(X + F(X)).");
    if (now.placement == Placement::post)
        rows.says("Post: Norm(X + F(X)): each norm stands behind its Add. Pre: X + F(Norm(X)).");
    Rect row = rows.next(k_row_line, k_row_gap);
    const bool all = more(p, row, p.view.more_model, p.next.more_model);
    cut_left(row, k_row_label_w);
    if (const auto& file = p.document.transformer.weights; file && !all)
        p.label(row, Text::typed(file->name), TextRole::small, p.theme.ink_soft);
    if (all) {
        settings(rows, now, next,
                 {"arch", "layers", "width", "heads", "ffn", "norm", "groups", "positions"});
        weights(p, rows.row("Weights"), next);
        parameters(rows, transformer_of(p));
    }
    if (next == now) return;
    if (const auto& file = p.document.transformer.weights; file && !fits(next, *file))
        p.say(worded("The weights of {} have other sizes: they are drawn from seed {} now",
                     file->name, next.seed));
    p.edit(SetTransformer{next});
}

} // namespace normscope
