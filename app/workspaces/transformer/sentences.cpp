#include "app/io/text.h"
#include "app/language/language.h"
#include "app/model/transformer/file_weights.h"
#include "app/workspaces/transformer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_chip_h = 30, k_name_h = 26;
constexpr ChoiceName k_targets[] = {{"given", "Given"}, {"decoded", "Decoded"}};
constexpr std::string_view k_target_words[] = {
    "The decoder reads the words that it should have written (teacher forcing)",
    "The decoder reads the words that it has chosen, each the likeliest one"};
constexpr float k_least_chip = 34, k_most_chip = 150;

std::string_view title_of(const TransformerConfig& config, SentenceSide side) {
    if (side == SentenceSide::source) return "Source";
    return has_decoder(config) ? "Target, shifted right" : "Target";
}

std::string new_word(const TransformerSetup& setup) {
    return setup.weights ? setup.weights->vocabulary.back() : std::string("word");
}

bool is_decoding(const TransformerSetup& setup, SentenceSide side) {
    return setup.decoded && side == SentenceSide::target;
}

// A word of a sentence.
struct Chip {
    SentenceSide side;
    std::size_t at;
    std::string word;                  // that stands in it
    bool read = true;                  // by a stack, or asked for
    bool next = false;                 // the decoder's next choice
    std::optional<TokenOf> token = {}; // that a stack reads it as, or that it follows
};

// The words of a side; while the decoder reads its own choice those that it has chosen, the one
// that it would choose next, and of the target what it does not reach yet.
std::vector<Chip> chips_of(const TransformerPanel& p, SentenceSide side) {
    const TransformerSetup& setup = p.document.transformer;
    const TransformerStudy& study = transformer_of(p);
    const bool decoding = is_decoding(setup, side) && !study.error();
    const Words& tokens = study.tokens(StackSide::decoder);
    std::vector<Chip> chips;
    for (const std::string& word : *setup.words(side)) {
        const std::size_t at = chips.size();
        const auto token = static_cast<Index>(at);
        Chip& chip = chips.emplace_back(Chip{side, at, word});
        if (decoding) {
            chip.read = at + 1 < tokens.size();
            chip.next = at + 1 == tokens.size();
            if (chip.read) chip.word = tokens[at + 1];
            if (chip.next) chip.word = entry_at(study.vocabulary(), study.likeliest(token));
        }
        const bool is_last = at + 1 == setup.words(side)->size();
        if (side == SentenceSide::source)
            chip.token = {StackSide::encoder, token};
        else if (chip.next)
            chip.token = {StackSide::decoder, token};
        else if (has_decoder(setup.config) && chip.read && !is_last) // nobody reads the last one
            chip.token = {StackSide::decoder, token + 1};
    }
    return chips;
}

void edit_word(TransformerPanel& p, const Chip& chip, std::string_view word) {
    const Words& before = *p.document.transformer.words(chip.side);
    Words words = before;
    if (word.empty())
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(chip.at));
    else
        words[chip.at] = std::string(word);
    if (words != before) p.edit(SetWords{chip.side, std::move(words)});
}

// A word that is read is typed over; a new one at once.
bool typed_over(TransformerPanel& p, Rect r, const Hit& hit, const Chip& chip) {
    const TransformerSetup& setup = p.document.transformer;
    const std::size_t count = setup.words(chip.side)->size();
    if (p.view.added == chip.side && chip.at + 1 == count && chip.word == new_word(setup)) {
        p.next.added.reset();
        p.begin_text_edit(hit.id, chip.word, true);
    }
    if (p.editing_text(hit.id)) {
        if (const auto typed = p.edit_text(hit.id, r, TextRole::label, Align::left))
            edit_word(p, chip, trim(*typed));
        return true;
    }
    if (hit.clicked)
        p.begin_text_edit(hit.id, chip.word, true);
    else if (hit.focused && key_pressed(Key::del) && count > 1)
        edit_word(p, chip, {});
    return false;
}

std::string hint_of(const TransformerSetup& setup, const Chip& chip) {
    if (!is_decoding(setup, chip.side)) return "Click to type another word; Delete takes it out";
    const std::string& wanted = (*setup.target)[chip.at];
    if (!chip.read && !chip.next) return "The target's word; the decoder has not come to it";
    if (chip.word == wanted)
        return chip.read ? "Its own choice, and the target's word"
                         : "Its next choice, and the target's word";
    return worded("{}; the target has “{}” here", chip.read ? "Its own choice" : "Its next choice",
                  wanted);
}

void draw_chip(TransformerPanel& p, Rect r, const Chip& chip) {
    const IdScope scope(p, std::to_string(chip.at + 1));
    const TransformerSetup& setup = p.document.transformer;
    const Hit hit = p.hit("word", r);
    if (!is_decoding(setup, chip.side) && typed_over(p, r, hit, chip)) return;
    if (chip.read) {
        const bool pinned = chip.token && p.view.pinned == chip.token;
        draw_plate(p, hit, r, 4);
        p.canvas.stroke_rect(r, pinned ? p.theme.ink : p.theme.border, pinned ? 2 : 1, 4);
    } else if (chip.next) {
        dashed_rect(p, r, p.theme.ink_soft);
    }
    p.label(r.inset(6, 0), Text::typed(chip.word), TextRole::label,
            chip.read || chip.next ? p.theme.ink : p.theme.ink_soft.with_alpha(0.6f),
            Align::center);
    p.focus_ring(hit, r, 4);
    p.tooltip(hit, hint_of(setup, chip));
    if (hit.clicked && chip.token) p.next.pinned = chip.token;
}

// Returns the height that the chips take.
float sentence(TransformerPanel& p, Rect area, SentenceSide side) {
    const IdScope scope(p, side == SentenceSide::source ? "source" : "target");
    const TransformerSetup& setup = p.document.transformer;
    FlowLayout flow(area, k_chip_h);
    const std::vector<Chip> chips = chips_of(p, side);
    for (const Chip& chip : chips) {
        const float w = p.text_width(Text::typed(chip.word), TextRole::label) + 18;
        draw_chip(p, flow.next(std::clamp(w, k_least_chip, k_most_chip)), chip);
    }
    const Rect add = flow.next(k_least_chip);
    const bool room = chips.size() < k_most_words;
    if (!is_decoding(setup, side) && !p.state.picture &&
        button(p, "add", add,
               {"+", room ? "Add a word" : "A sentence has no more than 16 words", room,
                ButtonLook::quiet})) {
        Words more = *setup.words(side);
        more.push_back(new_word(setup));
        p.edit(SetWords{side, std::move(more)});
        p.next.added = side;
    }
    return flow.bottom() - area.y;
}

} // namespace

void sentences_panel(TransformerPanel& p) {
    Column rows = p.column("sentences", {.title = "Sentences", .hint = "click a word and type"});
    const TransformerSetup& setup = p.document.transformer;
    for (const SentenceSide side : {SentenceSide::source, SentenceSide::target}) {
        // A decoder alone has no source.
        if (side == SentenceSide::source && !has_encoder(setup.config)) continue;
        Rect title = rows.next(k_name_h, 4);
        if (side == SentenceSide::target && has_decoder(setup.config) && !p.state.picture) {
            const Rect choice = cut_right(title, segmented_width(p, k_targets));
            if (const auto c = segmented(p, "target-reads", choice, k_targets,
                                         setup.decoded ? 1 : 0, k_target_words)) {
                p.edit(Decode{*c == 1 ? std::optional(0) : std::nullopt});
                p.next.pinned.reset();
                p.actions.view.running = false;
            }
        }
        soft_label(p, title, title_of(setup.config, side));
        if (side == SentenceSide::source)
            soft_label(p, title, "<pad> is filler, masked", Align::right);
        rows.measured([&](Rect r) { return sentence(p, r, side); }, 8);
    }
}

} // namespace normscope
