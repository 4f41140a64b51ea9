#include "app/model/transformer/transformer_setup.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"
#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"

#include <algorithm>
#include <span>

namespace normscope {

namespace {

constexpr Bounds k_from_one{1, std::numeric_limits<std::int32_t>::max()};

// Numbers that divide the width; another width keeps as many heads as it can.
void heads_look(const TransformerConfig& now, FieldLook& look) {
    constexpr Index k_most_shown = 16;
    for (Index heads = 1; heads <= std::min(now.width, k_most_shown); ++heads)
        if (now.width % heads == 0) look.steps.push_back(static_cast<double>(heads));
    look.shown = look.steps.size() > 1;
}

std::vector<Index> ids_of(const Words& words, const Words& vocabulary) {
    std::vector<Index> ids;
    for (const std::string& word : words)
        ids.push_back(std::ranges::find(vocabulary, word) - vocabulary.begin());
    return ids;
}

Result<void> check_sentence(std::string_view which, const Words& words) {
    if (words.empty()) return fail("The {} needs a word: add one", which);
    if (words.size() > k_most_words)
        return fail("The {} has {} words; up to {} are shown: leave some out", which, words.size(),
                    k_most_words);
    for (const std::string& word : words) {
        if (word.find_first_not_of(' ') == std::string::npos)
            return fail("A word of the {} is empty: type one, or take it out", which);
        if (word.size() > k_longest_word)
            return fail("“{}…” is longer than a word of {} bytes may be", word.substr(0, 8),
                        k_longest_word);
    }
    return {};
}

// Words must be in the file's vocabulary, which stays as it is.
Result<void> check_known(const TransformerSetup& setup, const Words& words) {
    if (!setup.weights) return {};
    const Words& known = setup.weights->vocabulary;
    for (const std::string& word : words)
        if (!find_in(known, word)) {
            constexpr std::size_t k_named = 8;
            std::string some = joined(std::span(known).first(std::min(k_named, known.size())));
            if (known.size() > k_named) some += " …";
            return fail("“{}” is not among the {} words of {}: {}", word, known.size(),
                        setup.weights->name, some);
        }
    return {};
}

bool is_there(const TransformerConfig& config, const TakenOut& piece) {
    const int layers =
        piece.side == StackSide::encoder ? encoder_layers(config) : decoder_layers(config);
    return piece.layer >= 0 && piece.layer < layers && piece.block >= 0 &&
           piece.block < blocks_of(config, piece.side);
}

} // namespace

template<>
std::span<const Field<TransformerConfig>> fields() {
    using S = TransformerConfig;
    static const Field<S> rows[] = {
        field<&S::arch>(
            "arch", "Architecture", {},
            {.help = "Which stacks there are",
             .look = {.row = "Stacks",
                      .choices = {{"encoder-decoder", "Both"},
                                  {"encoder", "Encoder"},
                                  {"decoder", "Decoder"}},
                      .hints = {"Encoder and decoder, as drawn in 2017",
                                "The encoder alone, as in BERT", "The decoder alone, as in GPT"}}}),
        field<&S::layers>("layers", "Layers", {1, k_most_transformer_layers},
                          {.way_out = "the command “normscope transformer” takes deeper stacks",
                           .help = "Layers of each stack",
                           .command_most = 1024,
                           .look = {.name = "layer-count", // “layers” is the figure
                                    .row = "Layers N",
                                    .track = Track::counted,
                                    .lo = 1,
                                    .hi = k_most_transformer_layers,
                                    .reset = 3,
                                    .hint = "Layers of each stack"}}),
        field<&S::width>("width", "Width", {1, k_widest_transformer},
                         {.way_out = "the command “normscope transformer” takes wider stacks",
                          .help = "Features of a token",
                          .command_most = 8192,
                          .look = {.row = "Width d",
                                   .track = Track::listed,
                                   .steps = {4, 8, 16, 32, 64, 96, 128, 256, 512},
                                   .reset = 16,
                                   .hint = "Features of a token"}},
                         {.follow = follow_width<S, std::numeric_limits<Index>::max()>}),
        field<&S::heads>(
            "heads", "Heads", k_from_one,
            {.help = "Heads of attention; they divide the width",
             .look = {.track = Track::listed, .reset = 2, .hint = "They share the width"}},
            {.look = heads_look}),
        field<&S::ffn>("ffn", "Feed-forward features", {1, 16 * k_widest_transformer},
                       {.way_out = "the command “normscope transformer” takes more",
                        .help = "Hidden features of the feed-forward layers",
                        .command_most = k_from_one.most,
                        .look = {.row = "FFN ×",
                                 .track = Track::counted,
                                 .lo = 1,
                                 .hi = 8,
                                 .reset = 4,
                                 .hint = "Hidden features, in widths"}},
                       {.look = [](const S& now, FieldLook& look) { look.unit = now.width; }}),
        field<&S::activation>("activation", "Activation", {},
                              {.help = "What follows W₁ in the feed-forward layers",
                               .choices = {{"relu", "ReLU"}, {"gelu", "GELU"}}}),
        norm_row<S>("Norm of the Transformer"),
        groups_row<S>("Groups of the Transformer", k_widest_transformer, 8192),
        field<&S::placement>("placement", "Placement", {}, {.help = "Where the norms stand"}),
        field<&S::skip>("skip", "Skip", {},
                        {.help = "What goes around the sublayers",
                         .choices = {{"add", "Add"}, {"none", "None"}},
                         .look = {.hints = {"x + F(x)", "F(x) alone"}}}),
        field<&S::positions>("positions", "Positions", {},
                             {.help = "What is added to a word for its place"}),
        field<&S::longest>("longest", "Learned positions", k_from_one, {},
                           {.unsaid = [](const S& s) { return s.longest == S().longest; }}),
        field<&S::masked>(
            "mask", "Mask", {},
            {.look = {.hints = {"The decoder's self-attention sees no later word",
                                "It sees every word, also those to come"}}},
            {.look = [](const S& now, FieldLook& look) { look.shown = has_decoder(now); }}),
        field<&S::init>("init", "Weights of the Transformer", {},
                        {.help = "How the weights are drawn"}),
        field<&S::tied>("tied", "One table for all words"),
        field<&S::vocabulary>("vocab", "Vocabulary of the Transformer", {2, 1e6},
                              {.help = "Words of the vocabulary"}),
        field<&S::embed_scale>("embed_scale", "Scale of the embedding", {},
                               {.help = "Multiplies the rows of the embedding: √width, or 1"}),
        field<&S::label_smoothing>("label_smoothing", "Label smoothing", {0, 1},
                                   {.help = "Share of the label that all words get alike"}),
        field<&S::eps>("eps", "ε of the Transformer", {0},
                       {.help = "ε, added to the variance inside the root"}),
        field<&S::seed>("seed", "Seed of the Transformer", k_any_seed),
    };
    // Settings that a file alone can have, and the final norm, which the placement decides where
    // nothing is said.
    constexpr std::size_t k_of_files = 4;
    static_assert(std::size(rows) + k_of_files + 1 == member_count<S>() - 1 + k_norm_settings);
    return rows;
}

std::string transformer_name(const TransformerConfig& c) {
    const std::string_view stacks = !has_decoder(c)   ? "encoder"
                                    : !has_encoder(c) ? "decoder"
                                                      : "encoder–decoder";
    const std::string layers = has_cross_attention(c)
                                   ? worded("{} + {} layers", encoder_layers(c), decoder_layers(c))
                               : c.layers == 1 ? worded("{} layer", c.layers)
                                               : worded("{} layers", c.layers);
    return c.skip == Residual::no_skip
               ? worded("{} {}, no skip, {}", norm_name(c.norm, c.placement), stacks, layers)
               : worded("{} {}, {}", norm_name(c.norm, c.placement), stacks, layers);
}

template<>
std::span<const Field<TakenOut>> fields() {
    using S = TakenOut;
    static const Field<S> rows[] = {
        field<&S::side>("side", "Stack"),
        field<&S::layer>("layer", "Layer", {0, k_most_transformer_layers - 1}),
        field<&S::block>("block", "Block", {0, 2}),
        field<&S::piece>("piece", "Piece"),
    };
    static_assert(std::size(rows) == member_count<S>());
    return rows;
}

int blocks_of(const TransformerConfig& config, StackSide side) {
    return side == StackSide::decoder && has_cross_attention(config) ? 3 : 2;
}

bool is_taken_out(const TransformerSetup& setup, const TakenOut& piece) {
    return find_in(*setup.taken_out, piece);
}

void drop_what_is_gone(TransformerSetup& setup) {
    std::vector<TakenOut> left = *setup.taken_out;
    const auto gone =
        std::erase_if(left, [&](const TakenOut& piece) { return !is_there(setup.config, piece); });
    if (gone > 0) setup.taken_out = std::move(left);
}

TransformerSetup default_transformer() {
    TransformerSetup setup;
    setup.config.layers = 3;
    setup.config.width = 16;
    setup.config.heads = 2;
    setup.config.ffn = 64;
    setup.config.label_smoothing = 0;
    setup.config.seed = 7;
    setup.source = Words{"I", "am", "studying", "layer", "norms"};
    setup.target = Words{"norms", "layer", "studying", "am", "I"};
    return setup;
}

Words vocabulary_of(const TransformerSetup& setup) {
    if (setup.weights) return setup.weights->vocabulary;
    Words all{std::string(k_start_word)};
    for (const Words* words : {&*setup.source, &*setup.target})
        for (const std::string& word : *words)
            if (!find_in(all, word)) all.push_back(word);
    return all;
}

TransformerConfig config_of(const TransformerSetup& setup) {
    TransformerConfig config = setup.config;
    config.vocabulary = static_cast<Index>(vocabulary_of(setup).size());
    if (!setup.weights) config.longest = static_cast<Index>(k_most_words);
    return config;
}

int most_decoded(const TransformerSetup& setup) {
    return static_cast<int>(setup.target->size()) - 1;
}

Sentence sentence_of(const TransformerSetup& setup) {
    const Words vocabulary = vocabulary_of(setup);
    Sentence sentence;
    sentence.source = ids_of(*setup.source, vocabulary);
    if (std::ranges::count(*setup.source, k_padding_word) > 0)
        for (const std::string& word : *setup.source)
            sentence.padding.push_back(word == k_padding_word);
    // A file's vocabulary may have no padding; nobody sees it, so that it may be any word.
    std::ranges::replace(sentence.source, std::ssize(vocabulary), Index{0});
    const std::vector<Index> target = ids_of(*setup.target, vocabulary);
    sentence.target = {0};
    sentence.target.insert(sentence.target.end(), target.begin(), target.end() - 1);
    if (has_decoder(setup.config) || sentence.source.size() == target.size())
        sentence.labels = target;
    return sentence;
}

Result<void> check(const TransformerSetup& setup) {
    TRY(check_fields(setup.config));
    for (const auto& [which, words] :
         {std::pair("source", &*setup.source), {"target", &*setup.target}}) {
        TRY(check_sentence(which, *words));
    }
    Words seen = *setup.source;
    std::erase(seen, k_padding_word);
    TRY(check_known(setup, seen));
    TRY(check_known(setup, *setup.target));
    if (seen.empty())
        return fail("The source is all {}, which no word looks at: leave another word in it",
                    k_padding_word);
    if (setup.weights && !fits(setup.config, *setup.weights))
        return fail("The Transformer has other sizes than the weights of {}", setup.weights->name);
    if (const auto words = static_cast<Index>(std::max(setup.source->size(), setup.target->size()));
        setup.weights && setup.config.positions == Positions::learned &&
        words > setup.config.longest)
        return fail("{} has learned positions for {} words, and a sentence has {}: leave "
                    "some out",
                    setup.weights->name, setup.config.longest, words);
    if (setup.decoded && (*setup.decoded < 0 || *setup.decoded > most_decoded(setup)))
        return fail("The decoder has read {} words of its own: with a target of {} "
                    "words it can read 0 to {}",
                    *setup.decoded, setup.target->size(), most_decoded(setup));
    for (const TakenOut& piece : *setup.taken_out)
        if (!is_there(setup.config, piece) || std::ranges::count(*setup.taken_out, piece) != 1)
            return fail("Layer {}, block {} of the {} cannot be without its {}: it is "
                        "not there, or listed twice",
                        piece.layer + 1, piece.block + 1, choice_of(piece.side).label,
                        choice_of(piece.piece).id);
    return check_config(config_of(setup));
}

} // namespace normscope
