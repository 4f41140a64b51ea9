#include "app/language/language.h"
#include "app/model/choices.h"
#include "app/workspaces/shared/labelled_rows.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace normscope {

namespace {

constexpr std::array<ChoiceName, 2> k_skip_labels = {{{"add", "Add"}, {"none", "None"}}};
constexpr std::array<std::string_view, 2> k_skip_words = {"x + F(x)", "F(x) alone"};
constexpr std::array<ChoiceName, 2> k_mask_labels = {{{"on", "on"}, {"off", "off"}}};
constexpr std::array<std::string_view, 2> k_mask_words = {
    "The decoder's self-attention sees no later word", "It sees every word, also those to come"};
// In the order of Architecture.
constexpr std::array<ChoiceName, 3> k_archs = {
    {{"encoder-decoder", "Both"}, {"encoder", "Encoder"}, {"decoder", "Decoder"}}};
constexpr std::array<std::string_view, 3> k_arch_words = {"Encoder and decoder, as drawn in 2017",
                                                          "The encoder alone, as in BERT",
                                                          "The decoder alone, as in GPT"};
constexpr std::array<double, 9> k_model_widths = {4, 8, 16, 32, 64, 96, 128, 256, 512};
constexpr float k_bar_h = 8;

// Heads that divide the width; another width keeps as many as it can.
std::vector<double> heads_of(Index width) {
    std::vector<double> heads;
    for (Index h = 1; h <= std::min<Index>(width, 16); ++h)
        if (width % h == 0) heads.push_back(static_cast<double>(h));
    return heads;
}

void sizes(Ui& ui, LabelledRows& rows, TransformerConfig& next) {
    const TransformerConfig now = next;
    if (const auto c = segmented(ui, "arch", rows.next("Stacks"), k_archs,
                                 static_cast<int>(now.arch), k_arch_words))
        next.arch = static_cast<Architecture>(*c);
    slide_into(ui, "layers", rows.next("Layers N"),
               counted(now.layers, 1, k_most_transformer_layers, 3, "Layers of each stack"),
               next.layers);
    if (const auto v = slide<Index>(
            ui, "width", rows.next("Width d"),
            listed(static_cast<double>(now.width), k_model_widths, 16, "Features of a token")))
        next = with_width(next, *v, std::numeric_limits<Index>::max());
    const std::vector<double> heads = heads_of(now.width);
    if (heads.size() > 1)
        slide_into(ui, "heads", rows.next("Heads"),
                   listed(now.heads, heads, 2, "They share the width"), next.heads);
    const auto times = static_cast<double>(now.ffn) / static_cast<double>(now.width);
    if (const auto v = slide<Index>(ui, "ffn", rows.next("FFN ×"),
                                    counted(times, 1, 8, 4, "Hidden features, in widths")))
        next.ffn = *v * next.width;
}

void choices_of(Ui& ui, LabelledRows& rows, float w, TransformerConfig& next) {
    const TransformerConfig now = next;
    if (const auto norm = wrapped_choice(ui, "norm", rows.of<NormKind>("Norm", w), now.norm.kind))
        next.norm = {*norm, fitting_groups(now.norm.groups, now.width)};
    if (has_groups(now.norm))
        if (const auto chosen =
                group_stepper(ui, "groups", rows.next("Groups"), now.norm.groups, now.width))
            next.norm.groups = *chosen;
    choose_into(ui, "placement", rows.of<Placement>("Placement", w), next.placement);
    if (const auto c = segmented(ui, "skip", rows.next("Skip"), k_skip_labels,
                                 now.skip == Residual::add ? 0 : 1, k_skip_words))
        next.skip = *c == 0 ? Residual::add : Residual::no_skip;
    if (has_decoder(now))
        if (const auto c = segmented(ui, "mask", rows.next("Mask"), k_mask_labels,
                                     now.masked ? 0 : 1, k_mask_words))
            next.masked = *c == 0;
    choose_into(ui, "positions", rows.of<Positions>("Positions", w), next.positions);
}

// A seed, or the file that they came from.
void weights(Ui& ui, LabelledRows& rows, const TransformerSetup& setup, TransformerConfig& next,
             Actions& a) {
    const IdScope scope(ui, "weights");
    Rect row = rows.next("Weights");
    const float gap = ui.px(6);
    if (right_button(ui, "file", row,
                     {"File…", ButtonLook::plain, true,
                      "Weights with PyTorch's names, from a .safetensors file"},
                     gap))
        a.open_file = true;
    const std::string seed = std::to_string(next.seed);
    if (setup.weights) {
        const std::string draw = worded("Seed ") + seed;
        if (right_button(ui, "draw", row,
                         {draw, ButtonLook::plain, true, "Weights that are drawn, for the file's"},
                         gap))
            a.edits.push_back(TakeWeights{});
        return ui.name_label(row, setup.weights->name, TextRole::label, ui.theme.ink);
    }
    const Rect field = cut_left(row, std::clamp(button_width(ui, seed), ui.px(44), ui.px(96)), gap);
    if (const auto typed = seed_field(ui, "seed", field, next.seed, seed,
                                      "The seed they are drawn from: click to type"))
        next.seed = *typed;
    if (left_button(ui, "next-seed", row, {"Next seed", ButtonLook::plain, true, "Other weights"}))
        ++next.seed;
}

// How many parameters, and what they are for.
void parameters(Ui& ui, Rect area, const TransformerStudy& study) {
    if (study.error()) return;
    const ParameterCounts& p = study.parameters();
    Rect line = cut_top(area, ui.px(k_row_line));
    ui.label(cut_left(line, ui.px(k_row_label_w)), "Parameters", TextRole::label,
             ui.theme.ink_soft);
    ui.label(line, fmt::format("{}", p.all()), TextRole::number, ui.theme.ink);
    const struct {
        std::string_view name;
        Index count;
        Stage stage;
    } kinds[] = {{"attention", p.attention, Stage::x},
                 {"FFN", p.feed_forward, Stage::f},
                 {"γ, β", p.norms, Stage::y},
                 {"words", p.words, Stage::z}};
    Rect bar = cut_top(area, ui.px(k_bar_h), ui.px(4));
    std::string words;
    for (const auto& kind : kinds) {
        const double share = static_cast<double>(kind.count) / static_cast<double>(p.all());
        const float w = std::floor(line.w + ui.px(k_row_label_w)) * static_cast<float>(share);
        ui.canvas.fill_rect(cut_left(bar, w), ui.theme.of(kind.stage));
        if (!words.empty()) words += " · ";
        words += worded("{} {:.0f} %", kind.name, 100 * share);
    }
    soft_label(ui, cut_top(area, ui.px(20)), words);
}

} // namespace

float model_height(const Ui& ui, const TransformerConfig& config, float width) {
    const float w = row_control_w(ui, width);
    const float between = ui.px(k_row_step - k_row_line);
    const float rows = 6.0f + (heads_of(config.width).size() > 1 ? 1 : 0) +
                       (has_decoder(config) ? 1 : 0) + (has_groups(config.norm) ? 1 : 0);
    float height = ui.px(20 + 28 + k_row_step * rows + k_row_line + k_bar_h + 24);
    for (const auto& labels : {names_of<NormKind>(), names_of<Placement>(), names_of<Positions>()})
        height += wrapped_choice_height(ui, w, labels) + between;
    return height;
}

void model_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "model");
    const Rect inside = panel(ui, "", r, {.title = "Model"});
    const float w = inside.w - ui.px(k_row_label_w);
    const TransformerConfig& now = f.document.transformer.config;
    TransformerConfig next = now;
    LabelledRows rows(ui, inside);
    sizes(ui, rows, next);
    choices_of(ui, rows, w, next);
    weights(ui, rows, f.document.transformer, next, a);
    parameters(ui, rows.rest(), transformer_of(f));
    if (next == now) return;
    const auto& file = f.document.transformer.weights;
    if (file && !fits(next, *file))
        a.status = worded("The weights of {} have other sizes: they are drawn from seed {} now",
                          file->name, next.seed);
    a.edits.push_back(SetTransformer{next});
}

} // namespace normscope
