#include "app/model/transformer/edit_transformer.h"

#include <fmt/format.h>

namespace normscope {

namespace {

template<class Change>
Result<Document> with_transformer(const Document& before, Change&& change) {
    Document d = before;
    change(d.transformer);
    if (const auto ok = check(d.transformer); !ok) return tl::unexpected(ok.error());
    return d;
}

} // namespace

Result<Document> apply(const Document& before, const SetTransformer& e) {
    return with_transformer(before, [&](TransformerSetup& s) {
        s.config = e.config;
        drop_what_is_gone(s);
    });
}

Result<Document> apply(const Document& before, const TakeOut& e) {
    return with_transformer(before, [&](TransformerSetup& s) {
        std::vector<TakenOut> pieces = *s.taken_out;
        std::erase(pieces, e.piece);
        if (e.out) pieces.push_back(e.piece);
        s.taken_out = std::move(pieces);
    });
}

Result<Document> apply(const Document& before, const SetWords& e) {
    return with_transformer(before, [&](TransformerSetup& s) {
        (e.side == SentenceSide::source ? s.source : s.target) = e.words;
    });
}

std::string describe(const SetTransformer& e, const Document& before) {
    const auto told = describe_difference(before.transformer.config, e.config);
    return told && !told->empty() ? *told : std::string("Another Transformer");
}

std::string describe(const TakeOut& e, const Document& /*before*/) {
    return fmt::format("{} the {} of {} {}", e.out ? "Take out" : "Put back",
                       choice_of(e.piece.piece).id, choice_of(e.piece.side).label,
                       e.piece.layer + 1);
}

// Of one word that differs, that word.
std::string describe(const SetWords& e, const Document& before) {
    const Words& was = *before.transformer.words(e.side);
    const std::string_view which = e.side == SentenceSide::source ? "source" : "target";
    if (e.words.size() == was.size() + 1) return fmt::format("Add a word to the {}", which);
    if (e.words.size() + 1 == was.size()) return fmt::format("Take a word out of the {}", which);
    if (e.words.size() != was.size()) return fmt::format("Another {} sentence", which);
    std::size_t differ = 0, at = 0;
    for (std::size_t i = 0; i < was.size(); ++i)
        if (e.words[i] != was[i]) ++differ, at = i;
    return differ == 1 ? fmt::format("“{}” → “{}”", was[at], e.words[at])
                       : fmt::format("Another {} sentence", which);
}

} // namespace normscope
