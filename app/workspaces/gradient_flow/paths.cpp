#include "app/charts/bars.h"
#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normscope {

namespace {

constexpr float k_path_words_w = 1500; // of the longest sentence below the bars, in one line
constexpr float k_bin_w = 14;          // a pair of bars has at least

Color count_color(const Theme& theme) {
    return mix(theme.panel, theme.ink_soft, 0.55f);
}

constexpr std::string_view k_count_hint =
    "At every Add a path takes the skip or the sublayer. Of K sublayers it can cross k in "
    "K!/(k!(K − k)!) ways: their share of all paths";
constexpr std::string_view k_energy_hint =
    "The gradient g at the input is the sum of parts, one for each path length. The bar is a "
    "part's squared norm over the sum of all parts' squared norms: a share of the parts, not of g, "
    "as the parts are not at right angles. A part's share of g itself is ⟨part, g⟩/‖g‖²: those sum "
    "to 100 % and are negative where a part works against the others. Hover a bar for both.";

void legend(Ui& ui, Rect row) {
    const auto entry = [&](Color color, std::string_view id, std::string_view words,
                           std::string_view hint) {
        const float left = row.x;
        const Rect swatch = cut_left(row, 12, 7);
        const float w = std::min(row.w, small_width(ui, words) + 1);
        ui.canvas.fill_rect({swatch.x, row.center().y - 6, 12, 12}, color, 2);
        soft_label(ui, cut_left(row, w), words);
        ui.tooltip(ui.hit(id, {left, row.y, row.x - left, row.h}, k_by_mouse), hint);
        cut_left(row, 18);
    };
    entry(count_color(ui.theme), "paths", "paths there are", k_count_hint);
    entry(ui.theme.of(Stage::x), "energy", "share of the gradient's parts", k_energy_hint);
}

// The buttons for a lit route: another route of its length, and no route.
void route_buttons(FlowPanel& p, Rect& row) {
    const std::string_view another = "Another route";
    const std::string_view none = "×";
    const float w = button_width(p, another) + button_width(p, none) + 4;
    if (w > row.w * 0.6f) return;
    const Rect out = cut_right(row, button_width(p, none), 4);
    if (button(p, "another-route", cut_right(row, button_width(p, another)),
               {another, "Of the same length, through other sublayers"}))
        ++p.next.route_seed;
    if (button(p, "no-route", out, {none, "Puts the route out"})) p.next.path_length.reset();
    cut_right(row, 10);
}

int sublayers_of(const StackConfig& stack) {
    return stack.blocks * sublayers_per_block(stack.sublayer);
}

std::optional<Index> bin_of(const std::vector<PathBin>& bins, std::optional<int> length) {
    if (!length) return std::nullopt;
    const auto at =
        std::ranges::find_if(bins, [&](const PathBin& bin) { return *length <= bin.last; });
    return at == bins.end() ? std::nullopt : std::optional<Index>(at - bins.begin());
}

std::string words_about(const PathBin& bin) {
    const bool one = bin.first == 1 && bin.last == 1;
    return worded(
        "{} crossed: {} of all paths, {} of the parts' squares, {} of the gradient itself "
        "(⟨part, g⟩/‖g‖²).",
        one ? worded("1 sublayer") : worded("{} sublayers", bin_name(bin)), share_text(bin.paths),
        share_text(bin.energy), share_text(bin.signed_share));
}

std::string words_of_waiting(const FlowPanel& p) {
    if (stopped_short(p)) return "Stopped before the gradient was split by path length.";
    std::string words = worded("Splitting the gradient by path length …");
    // The progress is that of all measurements: the split is their last part.
    if (studies_of(p).progress)
        words += ' ' + worded("{} of what is measured is done; Esc stops it.",
                              fixed_text(100 * *studies_of(p).progress, 0) + " %");
    return words;
}

// The words where no path brings anything: the energies, squares of norms, are all 0.
std::string words_of_nothing(const StackStudy& study) {
    if (study.seeds.front().flow.input_grad_norm == 0)
        return "There is nothing to split: no gradient reaches the input.";
    return "What reaches the input is too small to split: its square is 0 in floating point.";
}

bool brings_nothing(const PathLengths& lengths) {
    return std::ranges::all_of(lengths.energy_share, [](double share) { return share == 0; });
}

std::string words_about_all(const PathLengths& lengths, int sublayers, Residual skip) {
    if (skip == Residual::no_skip)
        return sublayers == 1
                   ? worded("Without a skip there is one path, through the one sublayer.")
                   : worded("Without a skip there is one path, through all {} sublayers.",
                            sublayers);
    const double direct = lengths.energy_share.empty() ? 0 : lengths.energy_share.front();
    return worded(
        "Mean length {} of {}, weighted by the parts' squares; the path that crosses none "
        "brings {} of them.",
        fixed_text(lengths.mean_length(), 2),
        sublayers == 1 ? worded("{} sublayer", sublayers) : worded("{} sublayers", sublayers),
        share_text(direct));
}

// "The route that is lit crosses 17: 13 blocks, 4 of them twice." Empty where its bar says it.
std::string words_of_route(const StackConfig& stack, const PathBin& bin, int length,
                           std::uint64_t seed) {
    const std::vector<std::uint8_t> route = typical_route(stack, length, seed);
    if (route.empty()) return {};
    const auto blocks = static_cast<int>(std::ranges::count(route, std::uint8_t{1}));
    const int twice = length - blocks;
    if (bin.first == bin.last && twice == 0) return {};
    if (twice == 0) return worded("The route that is lit crosses {}.", length);
    return worded("The route that is lit crosses {}: {}, {} of them twice.", length,
                  blocks == 1 ? worded("{} block", blocks) : worded("{} blocks", blocks), twice);
}

} // namespace

std::vector<PathBin> path_bins(const StackConfig& stack, const PathLengths& lengths, int most) {
    const int k = sublayers_of(stack);
    const int others = std::max(1, most - 1);
    const int width = std::max(1, (k + others - 1) / others);
    std::vector<PathBin> bins;
    // The path along the skips alone has its own.
    for (int first = 0, last = 0; first <= k; first = last + 1) {
        last = first == 0 ? 0 : std::min(k, first + width - 1);
        PathBin bin{first, last};
        for (int length = bin.first; length <= bin.last; ++length) {
            if (stack.skip == Residual::no_skip)
                bin.paths += length == k ? 1 : 0;
            else
                bin.paths += path_count(k, length) * std::exp2(-k);
            const auto at = static_cast<std::size_t>(length);
            if (at < lengths.energy_share.size()) bin.energy += lengths.energy_share[at];
            if (at < lengths.signed_share.size()) bin.signed_share += lengths.signed_share[at];
        }
        bins.push_back(bin);
    }
    return bins;
}

std::string bin_name(const PathBin& bin) {
    if (bin.first == bin.last) return std::to_string(bin.first);
    return std::to_string(bin.first) + "–" + std::to_string(bin.last);
}

std::vector<std::uint8_t> typical_route(const StackConfig& stack, int length, std::uint64_t seed) {
    const int k = sublayers_of(stack);
    const bool one_path = stack.skip == Residual::no_skip; // through all
    if (length < 0 || length > k || (one_path && length != k)) return {};
    const int per_block = sublayers_per_block(stack.sublayer);
    std::vector<int> order = first_places(k);
    Random random(seed);
    std::vector<std::uint8_t> crossed(static_cast<std::size_t>(stack.blocks), 0);
    for (const auto i : indices(length)) { // Fisher and Yates, as far as needed
        const auto left = static_cast<std::uint64_t>(k - i);
        const auto at = static_cast<std::size_t>(i) + random.below(left);
        std::swap(entry_at(order, i), order[at]);
        entry_at(crossed, entry_at(order, i) / per_block) = 1;
    }
    return crossed;
}

void paths_panel(FlowPanel& p) {
    const IdScope scope(p, "path-lengths");
    const std::string_view title = "Which paths carry it?";
    const StackStudy* study = present_study(p);
    const std::string what = worded("by sublayers crossed · seed {}",
                                    study ? study->stack.seed : p.document.flow.stack.seed);
    const std::string hint = hint_beside(p, p.rect, title, outdated_hint(p, what));
    Rect inside = p.framed({.title = title, .hint = hint});
    if (hidden_until_revealed(p)) return instead(p, inside, "Shown when you reveal it.");
    if (study && study->error)
        return instead(p, inside,
                       "There is nothing to split: the stack above could not be measured.");
    if (study && study->paths_left_out)
        return instead(p, inside,
                       "Splitting the gradient of so large a stack by path length would take "
                       "minutes: its cost grows as the square of the depth. Take fewer blocks, "
                       "tokens or features.");
    // How many paths there are is known before what they carry.
    const StackConfig& stack = study ? study->stack : p.document.flow.stack;
    const bool split = study && !study->seeds.empty() && study->seeds.front().paths;
    const PathLengths lengths = split ? *study->seeds.front().paths : PathLengths{};
    const int most = std::max(4, static_cast<int>((inside.w - 60.0f) / k_bin_w));
    const std::vector<PathBin> bins = path_bins(stack, lengths, most);
    const auto n = std::ssize(bins);
    std::vector<double> paths, energy;
    std::vector<std::string> names;
    for (const PathBin& bin : bins) {
        paths.push_back(bin.paths);
        energy.push_back(bin.energy);
        names.push_back(bin_name(bin));
    }
    name_stack(p, inside, stack);
    if (has_room(p, inside, 32)) {
        Rect head = cut_top(inside, 28, 4);
        if (p.view.path_length && !p.state.picture) route_buttons(p, head);
        legend(p, head);
    }
    const float words_h = lines_height(p, inside.w, k_path_words_w);
    const Rect words = cut_bottom(inside, has_room(p, inside, words_h) ? words_h : 0, 4.0f);
    PairedBars chart{.first = paths,
                     .second = energy,
                     .names = names,
                     .hi = share_limit(paths, energy),
                     .first_color = count_color(p.theme),
                     .second_color = p.theme.of(Stage::x),
                     .x_title = tr("path length"),
                     .chosen = bin_of(bins, p.view.path_length)};
    const PairedBarsPlot plot = paired_bars_plot(p.canvas, inside, chart);
    const Rect target{plot.bars.x, plot.bars.y, plot.bars.w, plot.names.bottom() - plot.bars.y};
    const Hit hit = p.hit("lengths", target);
    if (hit.hovered) chart.lit = bar_at(target, n, p.mouse());

    std::optional<Index> wanted;
    if (hit.clicked && hit.released) wanted = chart.lit;
    if (hit.focused) {
        const Index at = chart.chosen.value_or(-1);
        if (key_pressed(Key::right, true)) wanted = std::min(n - 1, at + 1);
        if (key_pressed(Key::left, true)) wanted = at < 0 ? n - 1 : std::max<Index>(0, at - 1);
        if (key_pressed(Key::up)) ++p.next.route_seed;
        if (key_pressed(Key::escape) || key_pressed(Key::del)) p.next.path_length.reset();
    }
    if (wanted) {
        const PathBin& bin = entry_at(bins, *wanted);
        if (chart.chosen == wanted && hit.released)
            p.next.path_length.reset();
        else
            p.next.path_length = (bin.first + bin.last) / 2;
    }
    draw_paired_bars(p.canvas, p.theme, inside, chart);
    p.focus_ring(hit, target, 3);
    const Index shown = chart.lit.value_or(chart.chosen.value_or(-1));
    const bool one = split && shown >= 0;
    std::string says = !split                    ? words_of_waiting(p)
                       : brings_nothing(lengths) ? words_of_nothing(*study)
                       : one                     ? words_about(entry_at(bins, shown))
                             : words_about_all(lengths, sublayers_of(stack), stack.skip);
    if (chart.chosen)
        if (const std::string route = words_of_route(stack, entry_at(bins, *chart.chosen),
                                                     *p.view.path_length, p.view.route_seed);
            !route.empty())
            says += ' ' + route;
    if (split && !one && stack.skip == Residual::add && !p.state.picture)
        says += ' ' + worded("Press a bar to light a route of its length.");
    if (words.h > 0)
        paragraph(p, words, says, TextRole::small, one ? p.theme.ink : p.theme.ink_soft);
}

} // namespace normscope
