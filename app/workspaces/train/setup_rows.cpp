#include "app/charts/number_format.h"
#include "app/io/class_column.h"
#include "app/io/load.h"
#include "app/language/language.h"
#include "app/model/choices.h"
#include "app/workspaces/shared/labelled_rows.h"
#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr std::array<double, 12> k_train_widths = {4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256};
constexpr std::array<double, 14> k_batches = {1,  2,  4,  8,   12,  16,  24,
                                              32, 48, 64, 128, 256, 384, 512};
constexpr std::array<double, 14> k_race_steps = {50,   100,  200,  300,  400,  500,  800,
                                                 1000, 1500, 2000, 3000, 4000, 5000, 10000};
constexpr std::array<double, 9> k_warmups = {0, 10, 20, 50, 60, 100, 200, 500, 1000};
// A row shows at most so many columns.
constexpr std::array<std::string_view, 12> k_column_ids = {"1", "2", "3", "4",  "5",  "6",
                                                           "7", "8", "9", "10", "11", "12"};
constexpr double k_least_rate = 1e-4, k_most_rate = 10;
constexpr std::array<ChoiceName, 2> k_mask_choices = {{{"on", "on"}, {"off", "off"}}};
constexpr std::array<std::string_view, 2> k_place_hints = {"Before the activation: φ(N(Wh + b))",
                                                           "After the activation: N(φ(Wh + b))"};
constexpr std::array<std::string_view, 3> k_train_skip_hints = {"h + F(h)", "F(h) alone",
                                                                "h + α·F(h), α learned from 0 on"};

// Those that data are there for: one's own points need a file.
std::vector<Choice<Task>> raced_tasks(const RaceSetup& setup) {
    std::vector<Choice<Task>> out;
    for (const auto& choice : choices(Task{}))
        if (choice.value != Task::own || !setup.input->given.points.classes.empty())
            out.push_back(choice);
    return out;
}

std::vector<Choice<Activation>> activations_of(const TrainConfig& c) {
    if (is_transformer(c.model)) return {choice_of(Activation::relu), choice_of(Activation::gelu)};
    return {choice_of(Activation::relu), choice_of(Activation::tanh), choice_of(Activation::gelu)};
}

template<class E>
std::vector<ChoiceName> names_in(const std::vector<Choice<E>>& table) {
    std::vector<ChoiceName> out;
    for (const auto& choice : table) out.push_back({choice.id, choice.label});
    return out;
}

// The control of a row: where it stands, what it shows and what it sets.
struct RowControl {
    Ui& ui;
    Rect r;
    std::span<const ChoiceName> names; // of a row of choices
    const RaceSetup& setup;
    const TrainConfig& now;
    TrainConfig& next;
    std::span<const Index> class_columns;
    std::optional<Index>& class_column;

    template<auto... Path>
    std::optional<int> choice(int current, std::span<const std::string_view> hints = {}) const {
        return wrapped_choice(ui, setting<Path...>(), r, names, current, hints);
    }
    template<auto Member, class E>
    std::optional<E> one_of(const std::vector<Choice<E>>& table) const {
        const auto at = std::ranges::find(table, now.*Member, &Choice<E>::value);
        const auto c = choice<Member>(static_cast<int>(at - table.begin()));
        return c ? std::optional(table[static_cast<std::size_t>(*c)].value) : std::nullopt;
    }
    template<auto Member>
    void track(const SliderSpec& spec) const {
        slide_into(ui, setting<Member>(), r, spec, next.*Member);
    }
};
using Control = void (*)(const RowControl&);

template<auto Member>
void of_enum(const RowControl& row) {
    choose_into(row.ui, setting<Member>(), row.r, row.next.*Member);
}

void whole(const RowControl& row, NamePart part, Index TrainConfig::*member,
           std::span<const double> steps, double reset, std::string_view hint) {
    const auto value = static_cast<double>(row.now.*member);
    slide_into(row.ui, part, row.r, listed(value, steps, reset, hint), row.next.*member);
}

// The columns of one's own points that may be the class.
std::span<const Index> class_columns_of(const Frame& f) {
    TrainMemory& memory = f.memory.of<TrainMemory>();
    const Shared<RaceInput>& input = f.document.train.input;
    const Points& points = input->given.points;
    if (points.classes.empty()) return {};
    if (!memory.classes_in.is(input)) {
        memory.classes_in = input;
        std::vector<Index>& columns = memory.class_columns = class_columns(points);
        std::erase(columns, points.names.class_at);
        if (columns.size() >= k_column_ids.size()) columns.resize(k_column_ids.size() - 1);
        columns.insert(std::ranges::upper_bound(columns, points.names.class_at),
                       points.names.class_at);
    }
    return memory.class_columns;
}

std::vector<ChoiceName> class_names_of(const Frame& f) {
    const PointNames& names = f.document.train.input->given.points.names;
    std::vector<ChoiceName> out;
    for (const Index column : class_columns_of(f)) {
        const Index feature = column - (column > names.class_at ? 1 : 0);
        out.push_back(
            {k_column_ids[out.size()], column == names.class_at
                                           ? names.class_column
                                           : names.features[static_cast<std::size_t>(feature)]});
    }
    return out;
}

void class_choice(const RowControl& row) {
    const PointNames& names = row.setup.input->given.points.names;
    const auto now =
        std::ranges::find(row.class_columns, names.class_at) - row.class_columns.begin();
    const std::string classes = worded("The classes are {}", list_arrays(names.classes));
    std::vector<std::string_view> hints(row.names.size(), tr("Learns this column as the classes"));
    hints[static_cast<std::size_t>(now)] = classes;
    const AsTyped columns(row.ui.canvas);
    if (const auto c =
            wrapped_choice(row.ui, "class-column", row.r, row.names, static_cast<int>(now), hints))
        row.class_column = row.class_columns[static_cast<std::size_t>(*c)];
}

struct SetupRow {
    std::string_view label;
    std::vector<ChoiceName> names; // none: a row of one line
    Control control;

    float height(const Ui& ui, float width) const {
        if (names.empty()) return ui.px(k_row_line);
        if (control != class_choice) return wrapped_choice_height(ui, width, names);
        const AsTyped columns(ui.canvas);
        return wrapped_choice_height(ui, width, names);
    }
};

// What there is to set.
std::vector<SetupRow> rows_of(const Frame& f, const TrainConfig& c, bool of_lane) {
    const RaceSetup& setup = f.document.train;
    std::vector<SetupRow> out;
    const bool points = kind_of(c.task) == TaskKind::points;
    const auto add = [&](bool there, std::string_view label, std::vector<ChoiceName> names,
                         Control control) {
        if (there) out.push_back({label, std::move(names), control});
    };
    add(!of_lane, "Task", names_in(raced_tasks(setup)), [](const RowControl& row) {
        if (const auto task = row.one_of<&TrainConfig::task>(raced_tasks(row.setup)))
            row.next = with_task(row.now, *task);
    });
    add(!of_lane && c.task == Task::own, "Class", class_names_of(f), class_choice);
    add(!of_lane && points && c.task != Task::own, "Noise", {}, [](const RowControl& row) {
        row.track<&TrainConfig::noise>(
            linear(row.now.noise, 0, 1, 0.1, "How far the points lie off"));
    });
    add(!of_lane && c.task == Task::spirals, "Turns", {}, [](const RowControl& row) {
        row.track<&TrainConfig::turns>(linear(row.now.turns, 0.25, 3, 1, "Turns of the spirals"));
    });
    add(!of_lane && !points, "Length", {}, [](const RowControl& row) {
        const auto length = static_cast<double>(row.now.length);
        row.track<&TrainConfig::length>(
            kind_of(row.now.task) == TaskKind::text
                ? counted(length, 4, 32, 32, "Characters that are read at once")
                : counted(length, 2, 16, 8, "Symbols of a sequence"));
    });
    add(true, "Layers", {}, [](const RowControl& row) {
        const int most = is_transformer(row.now.model) ? 12 : k_most_train_layers;
        row.track<&TrainConfig::layers>(counted(
            row.now.layers, 1, most, usual_config(row.now.task).layers, "Layers of the model"));
    });
    add(!of_lane, "Width", {}, [](const RowControl& row) {
        if (const auto v = slide<Index>(row.ui, setting<&TrainConfig::width>(), row.r,
                                        listed(static_cast<double>(row.now.width), k_train_widths,
                                               16, "Features inside the model")))
            row.next = with_width(row.now, *v, k_most_train_ffn);
    });
    add(true, "Activation", names_in(activations_of(c)), [](const RowControl& row) {
        if (const auto a = row.one_of<&TrainConfig::activation>(activations_of(row.now)))
            row.next.activation = *a;
    });
    add(true, "Norm", names_of<NormKind>(), [](const RowControl& row) {
        if (const auto kind = wrapped_choice(row.ui, setting<&TrainConfig::norm, &Norm::kind>(),
                                             row.r, row.now.norm.kind))
            row.next.norm = {*kind, fitting_groups(row.now.norm.groups, row.now.width)};
    });
    add(has_groups(c.norm), "Groups", {}, [](const RowControl& row) {
        if (const auto groups = group_stepper(row.ui, setting<&TrainConfig::norm, &Norm::groups>(),
                                              row.r, row.now.norm.groups, row.now.width))
            row.next.norm.groups = *groups;
    });
    add(points && norm_entry(c.norm).normalizes(), "Place", {{"pre", "Before"}, {"post", "After"}},
        [](const RowControl& row) {
            if (const auto at = row.choice<&TrainConfig::norm_place>(
                    row.now.norm_place == NormPlace::pre ? 0 : 1, k_place_hints))
                row.next.norm_place = *at == 0 ? NormPlace::pre : NormPlace::post;
        });
    add(!points, "Placement", names_of<Placement>(), of_enum<&TrainConfig::placement>);
    add(true, "Skip", names_of<Skip>(), [](const RowControl& row) {
        choose_into(row.ui, setting<&TrainConfig::skip>(), row.r, row.next.skip,
                    k_train_skip_hints);
    });
    add(!points, "Positions", {{"sinusoidal", "Sinusoidal"}, {"none", "None"}},
        [](const RowControl& row) {
            if (const auto at = row.choice<&TrainConfig::positions>(
                    row.now.positions == Positions::none ? 1 : 0))
                row.next.positions = *at == 1 ? Positions::none : Positions::sinusoidal;
        });
    add(!points, "Mask", {}, [](const RowControl& row) {
        if (const auto at = segmented(row.ui, setting<&TrainConfig::masked>(), row.r,
                                      k_mask_choices, row.now.masked ? 0 : 1))
            row.next.masked = *at == 0;
    });
    add(true, "Optimizer", names_of<Optimizer>(), [](const RowControl& row) {
        if (const auto kind =
                wrapped_choice(row.ui, setting<&TrainConfig::optimizer, &OptimizerConfig::kind>(),
                               row.r, row.now.optimizer.kind))
            row.next.optimizer = usual_optimizer(*kind, row.now.model);
    });
    add(true, "Rate", {}, [](const RowControl& row) {
        SliderSpec spec = log_slider(row.now.lr, k_least_rate, k_most_rate);
        spec.reset = usual_config(row.now.task).lr;
        spec.text = number_text(row.now.lr, 3);
        spec.hint = "Learning rate: what multiplies the gradient in a step";
        row.track<&TrainConfig::lr>(spec);
    });
    add(true, "Warm-up", {}, [](const RowControl& row) {
        whole(row, setting<&TrainConfig::warmup>(), &TrainConfig::warmup, k_warmups, 0,
              "Steps over which the learning rate rises");
    });
    add(true, "Schedule", names_of<Schedule>(), of_enum<&TrainConfig::schedule>);
    add(!of_lane, "Batch", {}, [](const RowControl& row) {
        whole(row, setting<&TrainConfig::batch>(), &TrainConfig::batch, k_batches, 32,
              "Examples of a step");
    });
    add(!of_lane, "Steps", {}, [](const RowControl& row) {
        whole(row, setting<&TrainConfig::steps>(), &TrainConfig::steps, k_race_steps, 1000,
              "Steps of the race");
    });
    add(!of_lane, "Seed", {}, [](const RowControl& row) {
        if (const auto seed = seed_row(row.ui, setting<&TrainConfig::seed>(), row.r, row.now.seed,
                                       "Of the points, the weights and the batches: click to type",
                                       "Other points, weights and batches"))
            row.next.seed = *seed;
    });
    return out;
}

} // namespace

float setup_rows_height(const Ui& ui, const Frame& f, const TrainConfig& now, bool of_lane,
                        float width) {
    float height = 0;
    for (const SetupRow& row : rows_of(f, now, of_lane))
        height += row.height(ui, width) + ui.px(k_row_step - k_row_line);
    return height;
}

SetupChange setup_rows(Ui& ui, Rect r, const Frame& f, const TrainConfig& now, bool of_lane) {
    SetupChange out{now, {}};
    LabelledRows rows(ui, r);
    for (const SetupRow& row : rows_of(f, now, of_lane)) {
        const Rect place = rows.next(row.label, row.height(ui, r.w - ui.px(k_row_label_w)));
        row.control({ui, place, row.names, f.document.train, now, out.config, class_columns_of(f),
                     out.class_column});
    }
    return out;
}

} // namespace normscope
