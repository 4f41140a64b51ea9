#include "app/model/batch_setup.h"

#include "app/language/language.h"
#include "app/model/document.h"
#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

// A batch of all tokens is kept as 0, so that it grows with the document.
void take_whole_batch(Document& d, const Document& /*before*/) {
    if (d.batch.batch >= d.token_count()) d.batch.batch = 0;
}

Wording changed_sentence(const BatchSetup& before, const BatchSetup& after) {
    const auto at = std::ranges::mismatch(before.lengths, after.lengths).in2;
    if (at == after.lengths.end()) return wording("Sentences as they are");
    return wording("Sentence {}: {}", at - after.lengths.begin() + 1,
                   *at == 1 ? wording("1 word") : wording("{} words", *at));
}

Wording raised_word(const BatchSetup& /*before*/, const BatchSetup& after) {
    return wording("+1 on word {} of sentence {}", after.leak.word + 1, after.leak.sentence + 1);
}

} // namespace

FieldValue to_value(const SentenceCell& cell) {
    return std::vector<Index>{cell.sentence, cell.word, cell.feature};
}
void from_value(const FieldValue& value, SentenceCell& cell) {
    const auto& at = std::get<std::vector<Index>>(value);
    cell = {at[0], at[1], at[2]};
}

template<>
std::span<const Field<BatchSetup>> fields() {
    using S = BatchSetup;
    static const Field<S> rows[] = {
        field<&S::batch>("size", "Batch", {0},
                         {.none = "all tokens", .help = "Tokens of the batch; 0: all of them"},
                         {.then = take_whole_batch}),
        field<&S::momentum>("momentum", "Momentum", {k_least_momentum, k_most_momentum},
                            {.help = "Momentum of the running statistics",
                             .look = {.track = Track::two_digits,
                                      .lo = k_least_momentum,
                                      .hi = k_most_momentum,
                                      .hint = "How much of each new batch is taken"}}),
        field<&S::updates>("updates", "Updates", {0, k_most_updates},
                           {.help = "How often the running statistics have seen the batch"}),
        field<&S::nan_update>("nan_update", "Update of the NaN batch", {0, k_most_updates},
                              {.none = "none", .help = "The update whose batch is NaN; 0: none"}),
        field<&S::seed>("seed", "Seed of the batches", k_any_seed),
        field<&S::lengths>("lengths", "The words of a sentence", {1, k_longest_sentence}, {},
                           {.told = changed_sentence}),
        field<&S::padding>("padding", "", {},
                           {.help = "Whether padding counts in batch norm's statistics"}),
        field<&S::leak>("leak", "The raised value", {}, {}, {.told = raised_word}),
    };
    static_assert(std::size(rows) == member_count<S>());
    return rows;
}

Index batch_size(const BatchSetup& setup, Index tokens) {
    return setup.batch == 0 ? tokens : std::min(setup.batch, tokens);
}

SentenceCell leak_cell(const BatchSetup& setup) {
    SentenceCell cell = setup.leak;
    cell.word = std::min(cell.word, entry_at(setup.lengths, cell.sentence) - 1);
    return cell;
}

Result<void> check(const BatchSetup& s) {
    TRY(check_fields(s));
    if (s.leak.sentence < 0 || s.leak.sentence >= static_cast<Index>(k_sentences) ||
        s.leak.word < 0 || s.leak.word >= k_longest_sentence || s.leak.feature < 0 ||
        s.leak.feature >= k_sentence_features)
        return fail("The raised value is [{}, {}, {}], but there are {} sentences of {} "
                    "words with {} features",
                    s.leak.sentence, s.leak.word, s.leak.feature, k_sentences, k_longest_sentence,
                    k_sentence_features);
    return {};
}

} // namespace normscope
