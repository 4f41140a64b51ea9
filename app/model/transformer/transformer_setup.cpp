#include "app/model/transformer/transformer_setup.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"

namespace normscope {

namespace {

constexpr Bounds k_from_one{1, std::numeric_limits<std::int32_t>::max()};

std::string_view architecture_name(Architecture arch) {
    switch (arch) {
    case Architecture::encoder_decoder:
        return "encoder–decoder";
    case Architecture::encoder:
        return "encoder";
    case Architecture::decoder:
        return "decoder";
    }
    return {};
}

} // namespace

template<>
std::span<const Field<TransformerConfig>> fields() {
    using S = TransformerConfig;
    static const Field<S> rows[] = {
        field<&S::arch>("arch", "Architecture", {}, {.help = "Which stacks there are"}),
        field<&S::layers>("layers", "Layers", {1, k_most_transformer_layers},
                          {.way_out = "the command “normscope transformer” takes deeper stacks",
                           .help = "Layers of each stack",
                           .command_most = 1024}),
        field<&S::width>("width", "Width", {1, k_widest_transformer},
                         {.way_out = "the command “normscope transformer” takes wider stacks",
                          .help = "Features of a token",
                          .command_most = 8192}),
        field<&S::heads>("heads", "Heads", k_from_one,
                         {.help = "Heads of attention; they divide the width"}),
        field<&S::ffn>("ffn", "Feed-forward features", {1, 16 * k_widest_transformer},
                       {.way_out = "the command “normscope transformer” takes more",
                        .help = "Hidden features of the feed-forward layers",
                        .command_most = k_from_one.most}),
        field<&S::activation>("activation", "Activation", {},
                              {.help = "What follows W₁ in the feed-forward layers",
                               .choices = {{"relu", "ReLU"}, {"gelu", "GELU"}}}),
        field<&S::norm, &Norm::kind>("norm", "Norm of the Transformer", {},
                                     {.help = "Which values share a mean and a variance"}),
        field<&S::norm, &Norm::groups>(
            "groups", "Groups of the Transformer", {1, k_widest_transformer},
            {.help = "Group norm: groups of a token's features, which they divide",
             .command_most = 8192},
            {.unsaid = [](const S& s) { return s.norm.groups == Norm().groups; }}),
        field<&S::placement>("placement", "Placement", {}, {.help = "Where the norms stand"}),
        field<&S::skip>("skip", "Skip", {},
                        {.help = "What goes around the sublayers",
                         .choices = {{"add", "Add"}, {"none", "None"}}}),
        field<&S::positions>("positions", "Positions", {},
                             {.help = "What is added to a word for its place"}),
        field<&S::longest>("longest", "Learned positions", k_from_one, {},
                           {.unsaid = [](const S& s) { return s.longest == S().longest; }}),
        field<&S::masked>("mask", "Mask"),
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
    // What a file alone can say, and the final norm, which the placement decides where nothing is
    // said.
    constexpr std::size_t k_of_files = 4;
    static_assert(std::size(rows) + k_of_files + 1 == member_count<S>() - 1 + k_norm_settings);
    return rows;
}

std::string transformer_name(const TransformerConfig& c) {
    StackConfig like;
    like.norm = c.norm;
    like.placement = c.placement;
    const std::string layers = has_cross_attention(c)
                                   ? worded("{} + {} layers", encoder_layers(c), decoder_layers(c))
                               : c.layers == 1 ? worded("{} layer", c.layers)
                                               : worded("{} layers", c.layers);
    return worded("{} {}{}, {}", norm_name(like), architecture_name(c.arch),
                  c.skip == Residual::no_skip ? ", no skip" : "", layers);
}

} // namespace normscope
