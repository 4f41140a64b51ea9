#include "app/model/train/race_setup.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"

namespace normscope {

namespace {

constexpr std::string_view k_way_out = "the command “normscope train” takes more";

bool of_points(const TrainConfig& c) {
    return kind_of(c.task) == TaskKind::points;
}

// Settings of sequences and texts alone.
void words_look(const TrainConfig& now, FieldLook& look) {
    look.shown = !of_points(now);
}

void turns_look(const TrainConfig& now, FieldLook& look) {
    look.shown = now.task == Task::spirals;
}

void noise_look(const TrainConfig& now, FieldLook& look) {
    look.shown = of_points(now) && now.task != Task::own;
}

void length_look(const TrainConfig& now, FieldLook& look) {
    words_look(now, look);
    if (kind_of(now.task) != TaskKind::text) return;
    look.lo = 4;
    look.hi = 32;
    look.reset = 32;
    look.hint = "Characters that are read at once";
}

void layers_look(const TrainConfig& now, FieldLook& look) {
    if (is_transformer(now.model)) look.hi = 12;
    look.reset = usual_config(now.task).layers;
}

// A Transformer's feed-forward layers have no tanh.
void activation_look(const TrainConfig& now, FieldLook& look) {
    if (is_transformer(now.model))
        std::erase_if(look.choices, [](const ChoiceName& c) { return c.id == "tanh"; });
}

void norm_place_look(const TrainConfig& now, FieldLook& look) {
    look.shown = of_points(now);
    if (!norm_entry(now.norm).normalizes()) look.instead = "there is no norm";
}

void group_count_look(const TrainConfig& now, FieldLook& look) {
    groups_look(now, look);
    if (!look.shown) look.instead = "of group norm alone";
    look.shown = true;
}

// Learned positions come from the command line or a session: only then they are a choice.
void positions_look(const TrainConfig& now, FieldLook& look) {
    words_look(now, look);
    if (now.positions == Positions::learned) look.choices.clear();
}

void rate_look(const TrainConfig& now, FieldLook& look) {
    look.reset = usual_config(now.task).lr;
}

void follow_optimizer(TrainConfig& next, const TrainConfig& now) {
    next.optimizer = usual_optimizer(next.optimizer.kind, now.model);
}

} // namespace

template<>
std::span<const Field<TrainConfig>> fields() {
    using S = TrainConfig;
    static const Field<S> rows[] = {
        field<&S::task>("task", "Task"),
        field<&S::turns>(
            "turns", "Turns", {0, 100},
            {.help = "Turns of the spirals",
             .look = {.track = Track::linear, .lo = 0.25, .hi = 3, .hint = "Turns of the spirals"}},
            {.look = turns_look}),
        field<&S::noise>(
            "noise", "Noise", {0, 100},
            {.help = "How far points lie off",
             .look = {.track = Track::linear, .hi = 1, .hint = "How far the points lie off"}},
            {.look = noise_look}),
        field<&S::points>("points", "Points of a class", {5, 1000},
                          {.way_out = k_way_out,
                           .help = "Points of a class to train, and as many to test",
                           .command_most = 1e5}),
        field<&S::length>(
            "length", "Length", {1, 32},
            {.way_out = k_way_out,
             .help = "Symbols of a sequence; characters of a text read at once",
             .command_most = 1024,
             .look = {.track = Track::counted, .lo = 2, .hi = 16, .hint = "Symbols of a sequence"}},
            {.look = length_look}),
        field<&S::shortest>("shortest", "Shortest length", {0, 1024},
                            {.help = "Sequences have from here to --length symbols; 0: all have "
                                     "--length"}),
        field<&S::symbols>("symbols", "Symbols", {2, 100},
                           {.way_out = k_way_out,
                            .help = "Symbols that sequences are made of",
                            .command_most = 1e4}),
        field<&S::model>("model", "Model"),
        field<&S::layers>("layers", "Layers in training", {1, k_most_train_layers},
                          {.way_out = k_way_out,
                           .help = "Layers of each stack",
                           .command_most = 1024,
                           .look = {.row = "Layers",
                                    .track = Track::counted,
                                    .lo = 1,
                                    .hi = k_most_train_layers,
                                    .hint = "Layers of the model"}},
                          {.look = layers_look}),
        field<&S::width>("width", "Width in training", {1, 256},
                         {.way_out = k_way_out,
                          .help = "Features of a point or a token inside the model",
                          .command_most = 4096,
                          .look = {.row = "Width",
                                   .track = Track::listed,
                                   .steps = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256},
                                   .hint = "Features inside the model"}},
                         {.follow = follow_width<S, k_most_train_ffn>}),
        field<&S::heads>("heads", "Heads in training", {1, 4096},
                         {.help = "Heads of attention; they divide the width"}),
        field<&S::ffn>("ffn", "Feed-forward features in training", {1, k_most_train_ffn},
                       {.way_out = k_way_out,
                        .help = "Hidden features of the feed-forward layers",
                        .command_most = 65536}),
        field<&S::activation>(
            "activation", "Activation in training", {},
            {.help = "What follows a linear layer",
             .look = {.row = "Activation",
                      .choices = {{"relu", "ReLU"}, {"tanh", "tanh"}, {"gelu", "GELU"}}}},
            {.look = activation_look}),
        norm_row<S>("Norm in training"),
        groups_row<S>("Groups in training", 4096, 4096, {.look = group_count_look}),
        field<&S::norm_place>("norm_place", "Place of the MLP's norms", {},
                              {.look = {.row = "Place",
                                        .choices = {{"pre", "Before"}, {"post", "After"}},
                                        .hints = {"Before the activation: φ(N(Wh + b))",
                                                  "After the activation: N(φ(Wh + b))"}}},
                              {.look = norm_place_look}),
        field<&S::placement>("placement", "Placement in training", {},
                             {.look = {.row = "Placement"}}, {.look = words_look}),
        field<&S::skip>(
            "skip", "Skip in training", {},
            {.help = "What goes around the layers",
             .look = {.row = "Skip",
                      .hints = {"h + F(h)", "F(h) alone", "h + α·F(h), α learned from 0 on"}}}),
        field<&S::positions>(
            "positions", "Positions in training", {},
            {.help = "What is added to a word for its place",
             .look = {.row = "Positions",
                      .choices = {{"sinusoidal", "Sinusoidal"}, {"none", "None"}}}},
            {.look = positions_look}),
        field<&S::masked>("mask", "Mask in training", {}, {.look = {.row = "Mask"}},
                          {.look = words_look}),
        field<&S::eps>("eps", "ε in training", {0}),
        field<&S::optimizer, &OptimizerConfig::kind>("optimizer", "Optimizer", {}, {},
                                                     {.follow = follow_optimizer}),
        field<&S::optimizer, &OptimizerConfig::momentum>("momentum", "Momentum of the optimizer",
                                                         {0, 1}),
        field<&S::optimizer, &OptimizerConfig::beta1>("beta1", "β₁", {0, 1}),
        field<&S::optimizer, &OptimizerConfig::beta2>("beta2", "β₂", {0, 1}),
        field<&S::optimizer, &OptimizerConfig::eps>("optimizer_eps", "ε of the optimizer", {0}),
        field<&S::optimizer, &OptimizerConfig::weight_decay>("weight_decay", "Weight decay",
                                                             {0, 1000}),
        field<&S::lr>("lr", "Learning rate of the run", {0},
                      {.look = {.row = "Rate",
                                .track = Track::two_digits,
                                .lo = 1e-4,
                                .hi = 10,
                                .hint = "Learning rate: what multiplies the gradient in a step"}},
                      {.look = rate_look}),
        field<&S::schedule>("schedule", "Schedule", {},
                            {.help = "What the learning rate does over the steps"}),
        field<&S::warmup>("warmup", "Warm-up", {0, 1e7},
                          {.help = "Steps over which the learning rate rises",
                           .look = {.track = Track::listed,
                                    .steps = {0, 10, 20, 50, 60, 100, 200, 500, 1000},
                                    .hint = "Steps over which the learning rate rises"}}),
        field<&S::clip>("clip", "Clip"),
        field<&S::batch>(
            "batch", "Batch in training", {1, 512},
            {.way_out = k_way_out,
             .help = "Points or sentences of a step",
             .command_most = 4096,
             .look = {.row = "Batch",
                      .track = Track::listed,
                      .steps = {1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 384, 512},
                      .hint = "Examples of a step"}}),
        field<&S::steps>("steps", "Steps", {1, k_most_race_steps},
                         {.way_out = k_way_out,
                          .help = "Steps to train",
                          .command_most = 1e7,
                          .look = {.track = Track::listed,
                                   .steps = {50, 100, 200, 300, 400, 500, 800, 1000, 1500, 2000,
                                             3000, 4000, 5000, 10000},
                                   .hint = "Steps of the race"}}),
        field<&S::seed>(
            "seed", "Seed of the run", k_any_seed,
            {.look = {.row = "Seed",
                      .hint = "Of the points, the weights and the batches: click to type",
                      .next_hint = "Other points, weights and batches"}}),
    };
    // The norm and the optimizer have rows for what is in them.
    static_assert(std::size(rows) ==
                  member_count<S>() - 2 + k_norm_settings + member_count<OptimizerConfig>());
    return rows;
}

std::string train_name(const TrainConfig& c) {
    const std::string layers =
        c.layers == 1 ? worded("{} layer", c.layers) : worded("{} layers", c.layers);
    const std::string name =
        is_transformer(c.model)
            ? worded("{}, {} {} of {}", label_of(c.task), norm_name(c.norm, c.placement),
                     id_of(c.model), layers)
            : worded("{}, MLP of {} with {}", label_of(c.task), layers,
                     norm_entry(c.norm).normalizes() ? worded("{} norm", id_of(c.norm.kind))
                                                     : worded("no norm"));
    return c.skip == Skip::none     ? worded("{}, no skip", name)
           : c.skip == Skip::rezero ? worded("{}, ReZero", name)
                                    : name;
}

} // namespace normscope
