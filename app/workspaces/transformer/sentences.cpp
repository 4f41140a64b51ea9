#include "app/io/text.h"
#include "app/language/language.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_sentences_title_h = 28, k_chip_h = 30, k_name_h = 26;
constexpr std::array<ChoiceName, 2> k_targets = {{{"given", "Given"}, {"decoded", "Decoded"}}};
constexpr std::array<std::string_view, 2> k_target_words = {
    "The decoder reads the words that it should have written (teacher forcing)",
    "The decoder reads the words that it has chosen, each the likeliest one"};
constexpr float k_least_chip = 34, k_most_chip = 150;

float chip_width(const Ui& ui, std::string_view word) {
    return std::clamp(ui.canvas.text_size(word, TextRole::label).w + ui.px(18), ui.px(k_least_chip),
                      ui.px(k_most_chip));
}

std::string_view title_of(const TransformerConfig& config, SentenceSide side) {
    if (side == SentenceSide::source) return "Source";
    return has_decoder(config) ? "Target, shifted right" : "Target";
}

// Whether a side is read or asked for; a decoder alone has no source.
bool has_side(const TransformerConfig& config, SentenceSide side) {
    return side == SentenceSide::target || has_encoder(config);
}

std::string new_word(const TransformerSetup& setup) {
    return setup.weights ? setup.weights->vocabulary.back() : std::string("word");
}

bool is_decoding(const TransformerSetup& setup, SentenceSide side) {
    return setup.decoded && side == SentenceSide::target;
}

void edit_word(const TransformerSetup& setup, Actions& a, SentenceSide side, std::size_t i,
               std::string_view word) {
    Words words = *setup.words(side);
    if (word.empty())
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    else
        words[i] = std::string(word);
    if (words != *setup.words(side)) a.edits.push_back(SetWords{side, std::move(words)});
}

void chip_frame(Ui& ui, Rect r, const Hit& hit, bool pinned) {
    ui.canvas.fill_rect(r, hit.hovered ? ui.theme.control_hover : ui.theme.control, ui.px(4));
    ui.canvas.stroke_rect(r, pinned ? ui.theme.ink : ui.theme.border, ui.px(pinned ? 2 : 1),
                          ui.px(4));
}

void word_label(Ui& ui, Rect r, const std::string& word, Color color) {
    const AsTyped typed(ui.canvas);
    ui.label(r.inset(ui.px(6), 0), word, TextRole::label, color, Align::center);
}

// A click pins `token`, which a stack reads this word as; none: nobody reads it.
void chip(Ui& ui, Rect r, const Frame& f, Actions& a, SentenceSide side, std::size_t i,
          std::optional<TokenOf> token) {
    const IdScope scope(ui, std::to_string(i + 1));
    const TransformerSetup& setup = f.document.transformer;
    const std::string& word = (*setup.words(side))[i];
    const Hit hit = ui.hit("word", r);
    if (f.view.of<TransformerView>().added == side && i + 1 == setup.words(side)->size() &&
        word == new_word(setup)) {
        a.view.of<TransformerView>().added.reset();
        ui.begin_text_edit(hit.id, word, true);
    }
    if (ui.editing_text(hit.id)) {
        if (const auto typed = ui.edit_text(hit.id, r, TextRole::label, Align::left))
            edit_word(setup, a, side, i, trim(*typed));
        return;
    }
    const bool pinned = token && f.view.of<TransformerView>().pinned == token;
    chip_frame(ui, r, hit, pinned);
    word_label(ui, r, word, ui.theme.ink);
    ui.focus_ring(hit, r, ui.px(4));
    ui.tooltip(hit, "Click to type another word; Delete takes it out");
    if (hit.clicked) {
        if (token) a.view.of<TransformerView>().pinned = token;
        ui.begin_text_edit(hit.id, word, true);
    } else if (hit.focused && key_pressed(Key::del) && setup.words(side)->size() > 1) {
        edit_word(setup, a, side, i, {});
    }
}

// What stands in the chips of a side: its words; while the decoder reads its own choice those that
// it has chosen, the one that it would choose next, and of the target what it does not reach yet.
Words shown_words(const Frame& f, SentenceSide side) {
    const TransformerSetup& setup = f.document.transformer;
    Words words = *setup.words(side);
    const TransformerStudy& study = transformer_of(f);
    if (!is_decoding(setup, side) || study.error()) return words;
    const Words& tokens = study.tokens(StackSide::decoder);
    for (std::size_t i = 0; i < words.size() && i < tokens.size(); ++i)
        words[i] = i + 1 < tokens.size() ? tokens[i + 1]
                                         : study.vocabulary()[static_cast<std::size_t>(
                                               study.likeliest(static_cast<Index>(i)))];
    return words;
}

// One of them where the decoder reads its own choice.
void decoded_chip(Ui& ui, Rect r, const Frame& f, Actions& a, std::size_t i,
                  const std::string& word) {
    const IdScope scope(ui, std::to_string(i + 1));
    const Words& tokens = transformer_of(f).tokens(StackSide::decoder);
    const std::string& wanted = (*f.document.transformer.target)[i];
    const bool read = i + 1 < tokens.size(), next = i + 1 == tokens.size();
    const Hit hit = ui.hit("word", r);
    const TokenOf token{StackSide::decoder, static_cast<Index>(read ? i + 1 : i)};
    const bool pinned = read && f.view.of<TransformerView>().pinned == token;
    if (read)
        chip_frame(ui, r, hit, pinned);
    else if (next)
        dashed_rect(ui, r, ui.theme.ink_soft);
    word_label(ui, r, word, read || next ? ui.theme.ink : ui.theme.ink_soft.with_alpha(0.6f));
    ui.focus_ring(hit, r, ui.px(4));
    ui.tooltip(hit, !read && !next   ? "The target's word; the decoder has not come to it"
                    : word == wanted ? std::string(read ? "Its own choice, and the target's word"
                                                        : "Its next choice, and the target's word")
                                     : worded("{}; the target has “{}” here",
                                              read ? "Its own choice" : "Its next choice", wanted));
    if (hit.clicked && (read || next)) a.view.of<TransformerView>().pinned = token;
}

// The token of a stack that a word is read as.
std::optional<TokenOf> token_of(const TransformerConfig& config, SentenceSide side, std::size_t i) {
    if (side == SentenceSide::source) return TokenOf{StackSide::encoder, static_cast<Index>(i)};
    if (!has_decoder(config)) return std::nullopt;
    return TokenOf{StackSide::decoder, static_cast<Index>(i) + 1};
}

void sentence(Ui& ui, Rect area, const Frame& f, Actions& a, SentenceSide side) {
    const IdScope scope(ui, side == SentenceSide::source ? "source" : "target");
    const TransformerSetup& setup = f.document.transformer;
    const Words words = shown_words(f, side);
    FlowLayout chips(ui, area, k_chip_h);
    if (is_decoding(setup, side)) {
        for (std::size_t i = 0; i < words.size(); ++i)
            decoded_chip(ui, chips.next(chip_width(ui, words[i])), f, a, i, words[i]);
        return;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto token = token_of(setup.config, side, i);
        if (token && side == SentenceSide::target && i + 1 == words.size())
            token.reset(); // nobody reads it
        chip(ui, chips.next(chip_width(ui, words[i])), f, a, side, i, token);
    }
    if (ui.state.picture) return;
    const bool room = words.size() < k_most_words;
    if (button(ui, "add", chips.next(ui.px(k_least_chip)),
               {"+", ButtonLook::quiet, room,
                room ? "Add a word" : "A sentence has no more than 16 words"})) {
        Words more = words;
        more.push_back(new_word(setup));
        a.edits.push_back(SetWords{side, std::move(more)});
        a.view.of<TransformerView>().added = side;
    }
}

float sentence_height(const Ui& ui, const Words& words, float width) {
    FlowLayout chips(ui, {0, 0, width, 1e6f}, k_chip_h);
    for (const std::string& word : words) chips.next(chip_width(ui, word));
    chips.next(ui.px(k_least_chip));
    return chips.bottom();
}

} // namespace

float sentences_height(const Ui& ui, const Frame& f, float width) {
    float height = ui.px(20 + k_sentences_title_h);
    for (const SentenceSide side : {SentenceSide::source, SentenceSide::target})
        if (has_side(f.document.transformer.config, side))
            height +=
                ui.px(k_name_h + 12) + sentence_height(ui, shown_words(f, side), width - ui.px(20));
    return height;
}

void sentences_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "sentences");
    Rect inside = panel(ui, "", r, {.title = "Sentences", .hint = "click a word and type"});
    const TransformerSetup& setup = f.document.transformer;
    for (const SentenceSide side : {SentenceSide::source, SentenceSide::target}) {
        if (!has_side(setup.config, side)) continue;
        Rect title = cut_top(inside, ui.px(k_name_h));
        if (side == SentenceSide::target && has_decoder(setup.config) && !ui.state.picture) {
            const Rect choice = cut_right(title, segmented_width(ui, k_targets));
            if (const auto c = segmented(ui, "target-reads", choice, k_targets,
                                         setup.decoded ? 1 : 0, k_target_words)) {
                a.edits.push_back(Decode{*c == 1 ? std::optional(0) : std::nullopt});
                a.view.of<TransformerView>().pinned.reset();
                a.view.running = false;
            }
        }
        soft_label(ui, title, title_of(setup.config, side));
        cut_top(inside, ui.px(4));
        sentence(ui, cut_top(inside, sentence_height(ui, shown_words(f, side), inside.w), ui.px(8)),
                 f, a, side);
    }
}

} // namespace normscope
