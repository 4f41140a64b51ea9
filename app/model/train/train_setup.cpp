#include "app/model/train/race_setup.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"

namespace normscope {

template<>
std::span<const Field<TrainConfig>> fields() {
    using S = TrainConfig;
    static const Field<S> rows[] = {
        field<&S::task>("task", "Task"),
        field<&S::turns>("turns", "Turns", {0, 100}, {.help = "Turns of the spirals"}),
        field<&S::noise>("noise", "Noise", {0, 100}, {.help = "How far points lie off"}),
        field<&S::points>("points", "Points of a class", {5, 1e5},
                          {.help = "Points of a class to train, and as many to test"}),
        field<&S::length>("length", "Length", {1, 1024},
                          {.help = "Symbols of a sequence; characters of a text read at once"}),
        field<&S::shortest>("shortest", "Shortest length", {0, 1024},
                            {.help = "Sequences have from here to --length symbols; 0: all have "
                                     "--length"}),
        field<&S::symbols>("symbols", "Symbols", {2, 1e4},
                           {.help = "Symbols that sequences are made of"}),
        field<&S::model>("model", "Model"),
        field<&S::layers>("layers", "Layers in training", {1, 1024},
                          {.help = "Layers of each "
                                   "stack"}),
        field<&S::width>("width", "Width in training", {1, 4096},
                         {.help = "Features of a point or a token inside the model"}),
        field<&S::heads>("heads", "Heads in training", {1, 4096},
                         {.help = "Heads of attention; they divide the width"}),
        field<&S::ffn>("ffn", "Feed-forward features in training", {1, 65536},
                       {.help = "Hidden features of the feed-forward layers"}),
        field<&S::activation>("activation", "Activation in training", {},
                              {.help = "What follows a linear layer"}),
        field<&S::norm, &Norm::kind>("norm", "Norm in training", {},
                                     {.help = "Which values share a mean and a variance"}),
        field<&S::norm, &Norm::groups>("groups", "Groups in training", {1, 4096},
                                       {.help = "Group norm: groups of a token's features, which "
                                                "they divide"}),
        field<&S::norm_place>("norm_place", "Place of the MLP's norms"),
        field<&S::placement>("placement", "Placement in training"),
        field<&S::skip>("skip", "Skip in training", {}, {.help = "What goes around the layers"}),
        field<&S::positions>("positions", "Positions in training", {},
                             {.help = "What is added to a word for its place"}),
        field<&S::masked>("mask", "Mask in training"),
        field<&S::eps>("eps", "ε in training", {0}),
        field<&S::optimizer, &OptimizerConfig::kind>("optimizer", "Optimizer"),
        field<&S::optimizer, &OptimizerConfig::momentum>("momentum", "Momentum of the optimizer",
                                                         {0, 1}),
        field<&S::optimizer, &OptimizerConfig::beta1>("beta1", "β₁", {0, 1}),
        field<&S::optimizer, &OptimizerConfig::beta2>("beta2", "β₂", {0, 1}),
        field<&S::optimizer, &OptimizerConfig::eps>("optimizer_eps", "ε of the optimizer", {0}),
        field<&S::optimizer, &OptimizerConfig::weight_decay>("weight_decay", "Weight decay",
                                                             {0, 1000}),
        field<&S::lr>("lr", "Learning rate of the run", {0}),
        field<&S::schedule>("schedule", "Schedule", {},
                            {.help = "What the learning rate does over the steps"}),
        field<&S::warmup>("warmup", "Warm-up", {0, 1e7},
                          {.help = "Steps over which the learning rate rises"}),
        field<&S::clip>("clip", "Clip"),
        field<&S::batch>("batch", "Batch in training", {1, 4096},
                         {.help = "Points or sentences of a step"}),
        field<&S::steps>("steps", "Steps", {1, 1e7}, {.help = "Steps to train"}),
        field<&S::seed>("seed", "Seed of the run", k_any_seed),
    };
    // The norm and the optimizer have rows for what is in them.
    static_assert(std::size(rows) ==
                  member_count<S>() - 2 + k_norm_settings + member_count<OptimizerConfig>());
    return rows;
}

std::string train_name(const TrainConfig& c) {
    const std::string layers =
        c.layers == 1 ? worded("{} layer", c.layers) : worded("{} layers", c.layers);
    std::string skip;
    if (c.skip == Skip::none) skip = worded(", no skip");
    if (c.skip == Skip::rezero) skip = ", ReZero";
    if (!is_transformer(c.model)) {
        const bool normalizes = norm_entry(c.norm).normalizes();
        return worded("{}, MLP of {} with {}{}", label_of(c.task), layers,
                      normalizes ? worded("{} norm", id_of(c.norm.kind)) : worded("no norm"), skip);
    }
    return worded("{}, {} {} of {}{}", label_of(c.task), norm_name(c.norm, c.placement),
                  id_of(c.model), layers, skip);
}

} // namespace normscope
