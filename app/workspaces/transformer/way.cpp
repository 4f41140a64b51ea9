#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_widest_stage = 42;
constexpr float k_names_w = 56;

using What = WayStage::What;

Stage colour_of(What what) {
    constexpr Stage k_colours[] = {// in the order of WayStage::What
                                   Stage::x, Stage::x, Stage::f, Stage::z, Stage::x_hat};
    return entry_at(k_colours, what);
}

std::string_view short_name(const TransformerStudy& study, const WayStage& stage) {
    if (stage.what == What::sublayer) return short_name(study.reading(stage.box));
    const std::string_view names[] = {// in the order of WayStage::What
                                      tr("words"), "+ PE", "", "Add", "Norm"};
    return entry_at(names, stage.what);
}

// Stages of one layer stand together.
struct WayGroup {
    std::size_t count = 0;
    int layer = -1; // −1: the input; as many as there are layers: the final norm
    Rect rect;
};

struct WayPlaces {
    std::vector<WayGroup> groups;
    std::vector<Rect> columns; // of each stage
    float pitch = 0;
};

WayPlaces places_of(Rect r, const std::vector<WayStage>& way) {
    WayPlaces out;
    for (const WayStage& stage : way) {
        if (out.groups.empty() || out.groups.back().layer != stage.layer)
            out.groups.push_back({0, stage.layer, {}});
        ++out.groups.back().count;
    }
    const auto gaps = static_cast<float>(out.groups.size() - 1);
    const float gap = std::min(14.0f, r.w * 0.15f / std::max(gaps, 1.0f));
    out.pitch = std::min((r.w - gap * gaps) / static_cast<float>(way.size()), k_widest_stage);
    for (WayGroup& group : out.groups) {
        group.rect = cut_left(r, out.pitch * static_cast<float>(group.count), gap);
        Rect rest = group.rect;
        for (std::size_t i = 0; i < group.count; ++i)
            out.columns.push_back(cut_left(rest, out.pitch));
    }
    return out;
}

std::string group_name(const TransformerStudy& study, StackSide side, int layer) {
    if (layer < 0) return "input";
    return layer < study.layers(side) ? worded("layer {}", layer + 1) : worded("final");
}

// The role in which all fit into a column, if any.
std::optional<TextRole> role_for(const Ui& ui, std::span<const std::string> texts, float width,
                                 std::initializer_list<TextRole> roles) {
    for (const TextRole role : roles)
        if (std::ranges::all_of(texts, [&](const std::string& text) {
                return ui.text_width(text, role) + 3 <= width;
            }))
            return role;
    return std::nullopt;
}

// Mean and ±σ of each stage over a common axis.
void spreads(Ui& ui, Rect r, Rect axis, const std::vector<WayStage>& way, const WayPlaces& at) {
    std::vector<double> reach;
    for (const WayStage& s : way) reach.push_back(std::abs(s.mean) + s.std);
    const double limit = common_limit(reach);
    const auto y = [&](double value) {
        const double unit = std::clamp(value / limit, -1.0, 1.0);
        return r.center().y - static_cast<float>(unit) * (r.h / 2 - 3.0f);
    };
    const auto across = [&](double value, float width, Dash dash) {
        ui.canvas.across(r, y(value), ui.theme.rule, width, dash);
    };
    across(0, 1.5f, Dash::solid);
    if (limit > 1)
        for (const double one : {-1.0, 1.0}) across(one, 1, Dash::dashed);
    const float line_h = ui.canvas.line_height(TextRole::small);
    const auto tick = [&](double value) {
        soft_label(ui, {axis.x, y(value) - line_h / 2, axis.w - 6, line_h}, number_text(value, 2),
                   Align::right);
    };
    if (axis.w > 0) {
        tick(0);
        if (r.h >= 2.4f * line_h) {
            tick(limit);
            tick(-limit);
        }
    }
    for (const auto i : indices(way)) {
        const WayStage& s = way[i];
        if (!std::isfinite(s.mean) || !std::isfinite(s.std)) continue;
        const Color color = ui.theme.of(colour_of(s.what));
        const float x = at.columns[i].center().x;
        const float w = std::clamp(at.pitch * 0.22f, 1.0f, 8.0f);
        const float top = y(s.mean + s.std), bottom = y(s.mean - s.std);
        ui.canvas.fill_rect({x - w / 2, top, w, std::max(bottom - top, 1.0f)},
                            color.with_alpha(0.45f), 1);
        ui.canvas.fill_circle({x, y(s.mean)}, std::clamp(at.pitch * 0.1f, 1.2f, 4.0f), color);
    }
}

// The effect of every norm on the token, in words.
std::string norm_words_of(const TransformerStudy& study) {
    const NormEntry& norm = norm_entry(study.setup().config.norm);
    if (!norm.normalizes()) return worded("nothing is normalized");
    if (norm.shares == Shares::feature)
        return worded("every Norm brings each feature to mean 0, σ 1");
    if (!norm.centres)
        return worded("every Norm, shown as x\u0302, brings its {} to 1", norm.spread->takes);
    return worded("every Norm, shown as x\u0302, brings it back to mean 0, σ 1");
}

// The stage that stands for a box: of an Add & Norm its output.
std::size_t stage_for(const std::vector<WayStage>& way, const Box& box) {
    std::size_t found = way.size();
    for (const auto i : indices(way))
        if (way[i].box == box) found = i;
    return found;
}

void press(TransformerPanel& p, Rect r, const std::vector<WayStage>& way, const WayPlaces& at,
           std::size_t chosen) {
    if (p.state.picture) return;
    const Hit hit = p.hit("stages", r);
    for (const auto i : indices(way)) {
        if (!hit.hovered || !at.columns[i].contains({p.mouse().x, r.y})) continue;
        const WayStage& s = way[i];
        const TransformerStudy& study = transformer_of(p);
        p.tooltip(hit, worded("{} · {}: mean {}, σ {}", place_of(study, s.box),
                              short_name(study, s), fixed_text(s.mean, 2), fixed_text(s.std, 2)));
        if (hit.pressed) choose_box(p, s.box);
    }
    if (!hit.focused) return;
    p.focus_ring(hit, r, 4);
    const int step = key_pressed(Key::right, true) ? 1 : key_pressed(Key::left, true) ? -1 : 0;
    const auto count = static_cast<int>(way.size());
    // An Add & Norm has two stages: only the one that stands for its box is stopped at.
    for (int i = chosen < way.size() ? static_cast<int>(chosen) + step : 0;
         step != 0 && i >= 0 && i < count; i += step)
        if (const auto at_i = static_cast<std::size_t>(i); stage_for(way, way[at_i].box) == at_i)
            return choose_box(p, way[at_i].box);
}

} // namespace

void way_panel(TransformerPanel& p) {
    const IdScope scope(p, "token-way");
    const std::string_view title = "One token’s way";
    if (says_why_not(p, title)) return;
    const TransformerStudy& study = transformer_of(p);
    const TokenOf token = token_in_focus(p);
    const std::vector<WayStage> way = study.way(token.side, token.token);
    const int layers = study.layers(token.side);
    const std::string hint =
        worded("{}, through {} · {}", study.word(token.side, token.token),
               layers == 1 ? worded("{} layer", layers) : worded("{} layers", layers),
               norm_words_of(study));
    Rect inside = p.framed({.title = title, .hint = hint});

    Rect names = cut_left(inside, inside.w >= 420.0f ? k_names_w : 0);
    const WayPlaces at = places_of(inside, way);
    const std::size_t chosen = stage_for(way, chosen_box(p));
    const Rect pressable = inside;

    // Rows: layers, σ, mean ± σ, values, names of the stages.
    std::vector<std::string> stds, labels;
    std::vector<double> largest;
    for (const WayStage& s : way) {
        stds.push_back(fixed_text(s.std, 2));
        labels.emplace_back(short_name(study, s));
        largest.push_back(static_cast<double>(s.values.cwiseAbs().maxCoeff()));
    }
    const auto std_role =
        role_for(p, stds, at.pitch, {TextRole::number_small, TextRole::number_narrow});
    // Names too wide for their columns take turns on two lines.
    const auto label_role_in = [&](float width) {
        return role_for(p, labels, width, {TextRole::small, TextRole::number_narrow});
    };
    const std::size_t turns = label_role_in(at.pitch) ? 1 : 2;
    const float label_w = at.pitch * static_cast<float>(turns);
    const auto label_role = label_role_in(label_w);
    const float line = 18;
    const auto cut_row = [&](float h, std::string_view name) {
        const Rect row = cut_top(inside, h);
        Rect left = cut_top(names, h);
        left.w = std::max(0.0f, left.w - 4.0f);
        if (left.w > 0) soft_label(p, left, name);
        return row;
    };
    const auto crossing = [](const Rect& column, const Rect& row) {
        return Rect{column.x, row.y, column.w, row.h};
    };
    for (const WayGroup& group : at.groups) {
        const bool lit = chosen < way.size() && way[chosen].layer == group.layer;
        const Rect around = crossing(group.rect.inset(-4, 0), inside);
        if (lit) p.canvas.fill_rect(around, p.theme.background, 5);
        std::string name = group_name(study, token.side, group.layer);
        if (small_width(p, name) > group.rect.w)
            name = group.layer >= 0 && group.layer < layers ? std::to_string(group.layer + 1) : "";
        Rect head = around.inset(4, 0);
        p.label(cut_top(head, line), name, TextRole::small, lit ? p.theme.ink : p.theme.ink_soft);
    }
    cut_row(line, "");
    if (std_role) {
        const Rect row = cut_row(line, "σ");
        for (const auto i : indices(way))
            p.label(crossing(at.columns[i], row), stds[i], *std_role,
                    p.theme.ink_of(colour_of(way[i].what)), Align::center);
    }
    const float labels_h = label_role ? line * static_cast<float>(turns) : 0;
    const float chart_h = (inside.h - labels_h) * 0.52f;
    const Rect axis{names.x, names.y, names.w, chart_h};
    const Rect chart = cut_row(chart_h, "");
    spreads(p, chart, axis, way, at);
    if (names.w > 0) soft_label(p, {names.x, chart.y, names.w * 0.5f, line}, "μ±σ");
    const Rect values = cut_row(inside.h - labels_h, tr("values")).inset(0, 2);
    const double limit = common_limit(largest);
    for (const auto i : indices(way)) {
        const float w = std::min(at.pitch * 0.62f, 24.0f);
        const Rect strip = crossing(at.columns[i].inset((at.columns[i].w - w) / 2, 0), values);
        const Matrix<float> column = way[i].values;
        const auto over = small_map(p, strip, {fmt::format("way/{}", i), column, limit});
        if (over && !p.state.picture) p.next.hovered = BoxCell{way[i].box, token.token, over->row};
        if (i == chosen) p.canvas.stroke_rect(strip.inset(-2), p.theme.ink, 2, 2);
        if (!label_role) continue;
        const float middle = at.columns[i].center().x;
        const float half =
            std::min({label_w / 2, middle - p.rect.x, p.rect.right() - middle}); // within the panel
        p.label({middle - half, inside.y + line * static_cast<float>(i % turns), 2 * half, line},
                labels[i], *label_role,
                way[i].what == What::norm ? p.theme.ink_of(Stage::x_hat) : p.theme.ink_soft,
                Align::center);
    }
    press(p, pressable, way, at, chosen);
}

} // namespace normscope
