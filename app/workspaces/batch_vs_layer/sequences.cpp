#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr Size k_largest_sequence_cell{66, 26};
constexpr float k_sequence_line = 21;
constexpr float k_word_w = 78; // "+1 happens"
constexpr float k_side_w = 380;
constexpr float k_beside = 1150; // what can be set beside the sentences
constexpr float k_split = 640;   // and above them, in two columns
constexpr float k_split_h = 178, k_stacked_h = 320;
constexpr float k_sequence_names_h = 18;
constexpr float k_maps_h = 190; // of one norm: its head, names and five rows
constexpr float k_frame_h = 48, k_words_h = 70;

std::size_t sentences_in_a_row(float width) {
    return width >= 800.0f ? k_sentences : k_sentences / 2;
}

std::string amount(double by) {
    return by == 0 ? worded("exactly 0") : number_text(by, 2);
}

double z_of(const Sequences& s, const SentenceCell& cell) {
    return s.z(sequence_row(cell.sentence, cell.word), cell.feature);
}

std::string leak_words(const Sequences& s) {
    const std::string word(sentence_word(s.leak.sentence, s.leak.word));
    const double z = z_of(s, s.leak);
    std::string out = worded("+1 on “{}” (word {} of sentence {}): z of d{} goes from {} to {}.",
                             word, s.leak.word + 1, s.leak.sentence + 1, s.leak.feature,
                             fixed_text(z, 2), fixed_text(z + 1, 2));
    if (s.batch_moved.earlier && s.layer_moved.earlier)
        out +=
            ' ' + worded("Words before it move by up to {} under batch norm, {} under layer norm: "
                         "the future leaks into the past.",
                         amount(*s.batch_moved.earlier), amount(*s.layer_moved.earlier));
    else
        out += ' ' + worded("There are no earlier words.");
    if (s.batch_moved.later && s.layer_moved.later)
        out += ' ' + worded("Words after it: {} and {}.", amount(*s.batch_moved.later),
                            amount(*s.layer_moved.later));
    return out + ' ' +
           worded("Other sentences: {} and {}.", amount(s.batch_moved.others),
                  amount(s.layer_moved.others));
}

// The amounts moved, beside a norm's name: the word itself, earlier, later, other sentences.
std::string moved_words(const Sequences::Moved& moved) {
    return worded("itself {} · {} · {} · other sentences {}", amount(moved.itself),
                  moved.earlier ? worded("earlier words {}", amount(*moved.earlier))
                                : worded("no earlier words"),
                  moved.later ? worded("later words {}", amount(*moved.later))
                              : worded("no later words"),
                  amount(moved.others));
}

// One of the matrices that are shown below one another: z, or x̂ of a norm.
struct Shown {
    std::string_view id, title;
    const Matrix<double>& values; // before the +1
    const Matrix<double>& change;
    double limit;                            // of the colours
    double largest;                          // |change|; of both norms
    const Sequences::Moved* moved = nullptr; // none: it is z
    std::string_view norm = {};
};

// A cell's numbers, so that they can be computed again by hand.
std::string cell_words(const Sequences& s, const Shown& shown, const SentenceCell& cell) {
    const double z = z_of(s, cell);
    const std::string_view word = sentence_word(cell.sentence, cell.word);
    const std::string before = fixed_text(z, 2);
    const std::string out =
        cell == s.leak ? worded("“{}” (sentence {}), d{}: z = {} before, {} after the +1.", word,
                                cell.sentence + 1, cell.feature, before, fixed_text(z + 1, 2))
                       : worded("“{}” (sentence {}), d{}: z = {}.", word, cell.sentence + 1,
                                cell.feature, before);
    if (!shown.moved) return out;
    const Index row = sequence_row(cell.sentence, cell.word);
    const double x_hat = shown.values(row, cell.feature);
    return out + ' ' +
           worded("{}: x\u0302 = {} before, {} after +1 on “{}”, d{}.", shown.norm,
                  fixed_text(x_hat, 4), fixed_text(x_hat + shown.change(row, cell.feature), 4),
                  sentence_word(s.leak.sentence, s.leak.word), s.leak.feature);
}

void length_sliders(BatchPanel& p, Rect& area) {
    for (const auto i : indices(k_sentences)) {
        Rect row = cut_top(area, 26);
        soft_label(p, cut_left(row, 88), worded("Sentence {}", i + 1));
        const std::string name = fmt::format("{}.{}", setting<&BatchSetup::lengths>().word, i);
        constexpr int k_most = k_longest_sentence;
        auto lengths = p.document.batch.lengths;
        Index& length = lengths[i];
        SliderSpec spec = counted(static_cast<double>(length), 1, k_most, k_most,
                                  "The rest is padded with zeros");
        spec.text = length == 1 ? worded("1 word") : worded("{} words", length);
        spec.accepted = whole_numbers(1, k_most);
        if (const auto moved = slide<Index>(p, {name, true}, row, spec)) {
            length = *moved;
            p.edit(set<&BatchSetup::lengths>(lengths));
        }
    }
}

void statistics_table(Ui& ui, Rect& area, const Sequences& s) {
    const float name_w = 96;
    const auto row = [&](std::string_view name, TextRole role, bool strong, auto&& text) {
        Rect r = cut_top(area, k_sequence_line);
        soft_label(ui, cut_left(r, name_w), name);
        const float w = r.w / k_sentence_features;
        for (const auto d : indices(k_sentence_features))
            ui.label(cut_left(r, w), text(d), role, strong ? ui.theme.ink : ui.theme.ink_soft);
    };
    row("Batch norm", TextRole::small, false, [](Index d) { return fmt::format("d{}", d); });
    const auto numbers = [&](std::string_view name, const Vector<double>& values) {
        row(name, TextRole::number_small, true, [&](Index d) { return fixed_text(values(d), 3); });
    };
    numbers("μ with pad", s.mean_counted);
    numbers("μ without", s.mean_left_out);
    numbers("σ² with pad", s.variance_counted);
    numbers("σ² without", s.variance_left_out);
}

// One sentence: its words as rows, and a dash for each value of padding. Returns the word's value
// under the mouse.
std::optional<SentenceCell> block(BatchPanel& p, Rect area, const Sequences& s, const Shown& shown,
                                  Index sentence) {
    const IdScope scope(p, std::to_string(sentence));
    const bool leaks = sentence == s.leak.sentence;
    const Index first = sequence_row(sentence, 0);
    const Index length = entry_at(p.document.batch.lengths, sentence);
    std::vector<std::string> words;
    for (const auto w : indices(k_longest_sentence))
        words.push_back(w < length ? std::string(sentence_word(sentence, w)) : worded("pad"));
    if (leaks) entry_at(words, s.leak.word).insert(0, "+1 ");
    const Names features = numbered_names('d', k_sentence_features);
    cut_left(area, k_word_w);
    cut_top(area, k_sequence_names_h);
    const Matrix<double> values = shown.values.middleRows(first, length); // none of padding
    const HeatmapPort port = fit_port(area, k_longest_sentence, k_sentence_features,
                                      k_largest_sequence_cell, p.canvas.scale());
    Heatmap map;
    map.values = values;
    map.port = port;
    map.format = choose_cell_format(p.canvas, area, port, values);
    map.id = 230;
    map.limit = shown.limit;
    name_edges(map, words, k_word_w, features, k_sequence_names_h);
    if (leaks) {
        map.marks.strong = CellBlock{s.leak.word, s.leak.feature, 1, 1};
        map.marks.row_name = s.leak.word;
        map.marks.col_name = s.leak.feature;
    }
    HeatmapPicture unused; // so few cells are never a picture
    draw_heatmap(p.canvas, p.theme, area, map, unused);
    for (Index w = length; w < k_longest_sentence; ++w)
        for (const auto d : indices(k_sentence_features)) {
            const Rect pad = cell_rect(area, port, w, d);
            p.canvas.stroke_rect(pad, p.theme.border, 1, 2);
            p.canvas.text_in(pad, "–", TextRole::number_small, p.theme.ink_soft, Align::center);
        }
    draw_glow(p, area, map.port,
              {{0, 0, length, k_sentence_features}, shown.largest, [&](Index w, Index d) {
                   return shown.change(first + w, d);
               }});
    const Rect cells{area.x, area.y, std::min(area.w, map.port.cell_w * k_sentence_features),
                     std::min(area.h, map.port.cell_h * k_longest_sentence)};
    const Hit hit = p.hit("", cells, {.kind = PartKind::cells});
    p.focus_ring(hit, cells, 3);
    p.tooltip(hit, "Click a word's value to raise it by 1; arrow keys go to the next one. Its "
                   "numbers are in the line below");
    std::optional<SentenceCell> under; // the mouse
    if (const auto cell =
            cell_at(area, map.port, k_longest_sentence, k_sentence_features, p.mouse());
        cell && cell->row < length)
        under = {sentence, cell->row, cell->col};
    const auto raise = [&](const SentenceCell& to) {
        if (!(to == s.leak)) p.edit(set<&BatchSetup::leak>(to));
    };
    if (hit.released && hit.clicked) {
        if (under) raise(*under);
    } else if (hit.focused) {
        const auto step = [](Key on, Key back) {
            return Index{key_pressed(on, true)} - Index{key_pressed(back, true)};
        };
        const Index down = step(Key::down, Key::up), right = step(Key::right, Key::left);
        const SentenceCell from = leaks ? s.leak : SentenceCell{sentence, 0, 0};
        if (down != 0 || right != 0 || hit.clicked)
            raise({sentence, std::clamp<Index>(from.word + down, 0, length - 1),
                   std::clamp<Index>(from.feature + right, 0, k_sentence_features - 1)});
    }
    return hit.hovered ? under : std::nullopt;
}

// All sentences. `readout` takes the numbers of the cell under the mouse.
void sentence_row(BatchPanel& p, Rect area, const Sequences& s, const Shown& shown,
                  std::string& readout) {
    const IdScope scope(p, shown.id);
    cut_bottom(area, 8);
    Rect head = cut_top(area, 24);
    left_words(p, head, shown.title, TextRole::title,
               p.theme.ink_of(shown.moved ? Stage::x_hat : Stage::z), 10);
    p.label(head,
            shown.moved ? moved_words(*shown.moved)
                        : worded("before the +1, which goes to “{}”, d{}",
                                 sentence_word(s.leak.sentence, s.leak.word), s.leak.feature),
            TextRole::small, p.theme.ink_of(Stage::y));
    const std::size_t columns = sentences_in_a_row(area.w);
    const std::size_t rows = k_sentences / columns;
    const float gap = 16;
    const float w = (area.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float h = (area.h - gap / 2 * static_cast<float>(rows - 1)) / static_cast<float>(rows);
    for (const auto i : indices(k_sentences)) {
        const Rect at{area.x + static_cast<float>(i % columns) * (w + gap),
                      area.y + static_cast<float>(i / columns) * (h + gap / 2), w, h};
        if (const auto cell = block(p, at, s, shown, static_cast<Index>(i)))
            readout = cell_words(s, shown, *cell);
    }
}

// The settings and batch norm's statistics: one above the other, or side by side.
void side_panel(BatchPanel& p, Rect side, const Sequences& s, bool split) {
    Rect left = split ? cut_left(side, (side.w - 24.0f) / 2, 24.0f) : side;
    length_sliders(p, left);
    cut_top(left, 6);
    p.control<&BatchSetup::padding>(cut_top(left, 28, 6));
    Rect right = split ? side : left;
    statistics_table(p, right, s);
    cut_top(right, 4);
    soft_paragraph(
        p, right,
        "Zeros that only fill up shift batch norm's μ and σ². Layer norm has a μ and σ² a "
        "word: padding elsewhere cannot touch them.");
}

} // namespace

void sequences_panel(BatchPanel& p) {
    const IdScope scope(p, "sequences");
    const Sequences s = sequences(p.document.batch, p.document.eps);
    Rect inside = p.framed({.title = "Sequences", .hint = "padding, and the future that leaks"});
    const bool beside = inside.w >= k_beside, split = !beside && inside.w >= k_split;
    const float above = beside ? 0 : split ? k_split_h : k_stacked_h;
    const float maps = (3 * k_maps_h) * (sentences_in_a_row(inside.w) == k_sentences ? 1 : 2);
    p.needed = (k_frame_h + k_words_h) + above + maps;
    side_panel(p, beside ? cut_left(inside, k_side_w, 24) : cut_top(inside, above), s, split);
    const Rect words = cut_bottom(inside, k_words_h);
    std::string readout;
    const float row_h = std::floor(inside.h / 3);
    Matrix<double> raised = Matrix<double>::Zero(s.z.rows(), s.z.cols());
    raised(sequence_row(s.leak.sentence, s.leak.word), s.leak.feature) = 1;
    const double most =
        std::max(s.batch_change.cwiseAbs().maxCoeff(), s.layer_change.cwiseAbs().maxCoeff());
    const Shown matrices[] = {
        {"z", "z", s.z, raised, common_limit(std::array{s.z.cwiseAbs().maxCoeff()}), 1},
        {"batch", "x\u0302, batch norm", s.batch, s.batch_change, 2, most, &s.batch_moved,
         "Batch norm"},
        {"layer", "x\u0302, layer norm", s.layer, s.layer_change, 2, most, &s.layer_moved,
         "Layer norm"},
    };
    for (const Shown& shown : matrices) sentence_row(p, cut_top(inside, row_h), s, shown, readout);
    if (readout.empty() || !s.problem.empty())
        readout = s.problem.empty() ? leak_words(s) : s.problem + ".";
    paragraph(p, words, readout, TextRole::small, s.problem.empty() ? p.theme.ink : p.theme.error);
}

} // namespace normscope
