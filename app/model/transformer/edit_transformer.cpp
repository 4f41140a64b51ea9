#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

// Settings that a file alone can have go with its weights.
void draw_weights(TransformerSetup& s) {
    const TransformerConfig usual;
    s.weights.reset();
    s.config.decoder_layers = usual.decoder_layers;
    s.config.final_norm = usual.final_norm;
    s.config.source_vocabulary = usual.source_vocabulary;
    s.config.rezero = usual.rezero;
}

// Takes words of the file, where the sentences have words that are not its own.
void take_known_words(TransformerSetup& s) {
    const Words& known = s.weights->vocabulary;
    const auto is_known = [&](const std::string& word) { return find_in(known, word) != nullptr; };
    if (std::ranges::all_of(*s.source, is_known) && std::ranges::all_of(*s.target, is_known))
        return;
    constexpr std::size_t k_words = 5;
    Words some;
    for (std::size_t i = 0; i < k_words; ++i)
        some.push_back(known[known.size() > 1 ? 1 + i % (known.size() - 1) : 0]);
    s.source = some;
    std::ranges::reverse(some);
    s.target = std::move(some);
}

struct ApplyTransformer {
    const Document& before;

    template<class Change>
    Result<Document> with_transformer(Change&& change) const {
        return with_part<TransformerSetup>(before, [&](TransformerSetup& after) {
            change(after);
            if (!has_decoder(after.config)) after.decoded.reset();
            if (after.decoded) after.decoded = std::min(*after.decoded, most_decoded(after));
        });
    }

    Result<Document> operator()(const SetTransformer& e) const {
        return with_transformer([&](TransformerSetup& s) {
            const bool drawn_anew =
                e.config.seed != s.config.seed || e.config.init != s.config.init;
            s.config = e.config;
            if (s.weights && (drawn_anew || !fits(s.config, *s.weights))) draw_weights(s);
            drop_what_is_gone(s);
        });
    }

    Result<Document> operator()(const TakeOut& e) const {
        return with_transformer([&](TransformerSetup& s) {
            std::vector<TakenOut>& pieces = s.taken_out.own();
            std::erase(pieces, e.piece);
            if (e.out) pieces.push_back(e.piece);
        });
    }

    Result<Document> operator()(const SetWords& e) const {
        return with_transformer([&](TransformerSetup& s) {
            (e.side == SentenceSide::source ? s.source : s.target) = e.words;
        });
    }

    Result<Document> operator()(const Decode& e) const {
        return with_transformer([&](TransformerSetup& s) { s.decoded = e.words; });
    }

    Result<Document> operator()(const TakeWeights& e) const {
        if (e.weights) TRY(check(*e.weights));
        return with_transformer([&](TransformerSetup& s) {
            if (!e.weights) return draw_weights(s);
            s.weights = e.weights;
            s.config = e.weights->model.config;
            s.taken_out = std::vector<TakenOut>{};
            s.decoded.reset();
            take_known_words(s);
        });
    }
};

struct DescribeTransformer {
    const Document& before;

    Wording operator()(const SetTransformer& e) const {
        return describe_difference(before.transformer.config, e.config,
                                   wording("Another Transformer"));
    }
    Wording operator()(const TakeOut& e) const {
        return wording("{} the {} of {} {}", e.out ? "Take out" : "Put back",
                       choice_of(e.piece.piece).id, choice_of(e.piece.side).label,
                       e.piece.layer + 1);
    }
    Wording operator()(const Decode& e) const {
        if (!e.words) return wording("Give the decoder the target");
        const auto was = before.transformer.decoded.value_or(-1);
        return *e.words < was  ? wording("Take back a decoded word")
               : *e.words == 0 ? wording("Decode")
                               : wording("Decode word {}", *e.words);
    }
    Wording operator()(const TakeWeights& e) const {
        return e.weights ? wording("Open the weights of {}", e.weights->name)
                         : wording("Draw the weights from seed {}", before.transformer.config.seed);
    }
    // The label names the word where one word differs.
    Wording operator()(const SetWords& e) const {
        const Words& was = *before.transformer.words(e.side);
        const Wording which =
            e.side == SentenceSide::source ? wording("source") : wording("target");
        if (e.words.size() == was.size() + 1) return wording("Add a word to the {}", which);
        if (e.words.size() + 1 == was.size()) return wording("Take a word out of the {}", which);
        if (e.words.size() != was.size()) return wording("Another {} sentence", which);
        std::size_t differ = 0, at = 0;
        for (const auto i : indices(was))
            if (e.words[i] != was[i]) ++differ, at = i;
        return differ == 1 ? wording("“{}” → “{}”", was[at], e.words[at])
                           : wording("Another {} sentence", which);
    }
};

} // namespace

Result<Document> apply_part(const Document& before, const TransformerEdit& edit) {
    return std::visit(ApplyTransformer{before}, edit);
}

Wording label_of_part(const TransformerEdit& edit, const Document& before) {
    return std::visit(DescribeTransformer{before}, edit);
}

} // namespace normscope
