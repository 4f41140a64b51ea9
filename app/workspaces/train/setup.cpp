#include "app/io/class_column.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/language/language.h"
#include "app/layout/settings.h"
#include "app/model/printed_number.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <utility>

namespace normscope {

namespace {

// A row shows at most so many columns.
constexpr std::string_view k_column_ids[] = {"1", "2", "3", "4",  "5",  "6",
                                             "7", "8", "9", "10", "11", "12"};

// The lane whose settings are shown, if there is one.
std::optional<std::size_t> shown_lane(const TrainPanel& p) {
    const auto lane = p.view.lane;
    return lane && *lane < p.document.train.lanes->size() ? lane : std::nullopt;
}

// A task as it is usually trained, where it needs another kind of model than the one there is.
TrainConfig with_task(const TrainConfig& now, Task task) {
    TrainConfig next = now;
    next.task = task;
    if (kind_of(task) == kind_of(now.task)) return next;
    next = kind_of(task) == TaskKind::points ? default_race().common : usual_config(task);
    next.task = task;
    next.seed = now.seed;
    if (kind_of(task) == TaskKind::sequences) {
        next.width = 32;
        next.batch = 16;
        next.steps = 500;
    }
    if (kind_of(task) == TaskKind::text) {
        next.width = 64;
        next.ffn = 256;
        next.batch = 8;
        next.steps = 400;
    }
    return next;
}

// The number of steps is the race's, whatever else held before a branch.
TrainConfig with_steps_of_race(const RaceSetup& setup, TrainConfig now, const TrainConfig& next) {
    now.steps = next.steps;
    if (now != next || next.schedule == Schedule::linear) return next;
    TrainConfig out = setup.common;
    out.steps = next.steps;
    return out;
}

// "From 640: Learning rate → 0.03": what the first lane that branched last did.
std::string branch_words(const RaceSetup& setup) {
    const auto step = last_branch(setup);
    if (!step) return {};
    for (const Lane& lane : *setup.lanes)
        if (!lane.past.empty() && lane.past.back().until == *step)
            if (auto told = error_text(describe_difference(lane.past.back().config,
                                                           config_of(setup, lane), Wording()));
                !told.empty()) {
                // The words “of the run” and “in training” go without saying here.
                for (const std::string_view where : {" of the run", " in training"})
                    if (const auto at = told.find(where); at != std::string::npos)
                        told.erase(at, where.size());
                return worded("From {}: {}", *step, told);
            }
    return worded("Branched at step {}", *step);
}

// The choice whether a change branches a race under way or begins it anew, as a change of the
// setting under the hand may do in any case.
void change_row(TrainPanel& p, Rect row) {
    const RaceSetup& setup = p.document.train;
    if (!can_branch(setup)) {
        soft_label(p, row, "A change begins the race anew");
        return;
    }
    const std::string here = worded("from step {}", setup.step);
    const std::array<ChoiceName, 2> choices = {{{"here", here}, {"anew", "from 0"}}};
    const std::array<std::string_view, 2> hints = {
        "Goes on from this step with its weights. Another depth or width, a norm or none, ReZero, "
        "another task or seed has other shapes or data: that begins anew at 0",
        "Begins anew with the first weights"};
    const Rect r = cut_right(row, segmented_width(p, choices));
    const bool goes_on = p.view.go_on && !p.view.begins_anew;
    if (const auto c = segmented(p, "change", r, choices, goes_on ? 0 : 1, hints))
        p.next.go_on = *c == 0;
    p.label(row, p.view.begins_anew ? "This begins the race anew" : "A change goes on",
            TextRole::small, p.view.begins_anew ? p.theme.ink : p.theme.ink_soft);
}

// The control that has the hand, the mouse or the keyboard, of those drawn from `first` on.
const NamedPart* under_hand(const Ui& ui, std::size_t first) {
    if (!ui.state.parts) return nullptr;
    const auto drawn = std::span<const NamedPart>(*ui.state.parts).subspan(first);
    const auto at = std::ranges::find_if(drawn, [&](const NamedPart& part) {
        return part.in_sight().contains(ui.canvas.pixels(ui.mouse())) ||
               (ui.state.focus_visible && part.id == ui.state.focus);
    });
    return at == drawn.end() ? nullptr : &*at;
}

// The setting as that control would make it; of a track any other value stands for all.
FieldValue value_of(const NamedPart& control, const FieldInfo& field, FieldValue now) {
    if (auto* const chosen = std::get_if<Chosen>(&now)) {
        for (const auto i : indices(field.words.choices))
            if (control.name.ends_with("." + std::string(field.words.choices[i].id)))
                chosen->at = i;
    } else if (auto* const whole = std::get_if<std::int64_t>(&now)) {
        ++*whole;
    } else if (auto* const seed = std::get_if<std::uint64_t>(&now)) {
        ++*seed;
    } else if (auto* const number = std::get_if<double>(&now)) {
        ++*number;
    }
    return now;
}

std::string value_text(const FieldInfo& field, const FieldValue& value) {
    if (const auto* const chosen = std::get_if<Chosen>(&value))
        return std::string(tr(field.words.choices[chosen->at].label));
    if (const auto* const whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    if (const auto* const seed = std::get_if<std::uint64_t>(&value)) return std::to_string(*seed);
    return short_text(std::get<double>(value));
}

// The rows of settings, of all lanes or of one.
struct SetupRows {
    TrainPanel& p;
    Column& rows;
    std::optional<std::size_t> lane;
    const TrainConfig& now;
    TrainConfig& next;

    void draw(std::initializer_list<std::string_view> keys) const {
        settings_by(now, next, keys, [&](const Field<TrainConfig>& field, FieldLook& look) {
            if (const std::string why = no_meaning(field); !why.empty()) look.instead = why;
            const std::size_t first = p.state.parts ? p.state.parts->size() : 0;
            auto value = setting_row(rows, field, look, field.get(now), field.get(TrainConfig{}));
            if (const NamedPart* const control = under_hand(p, first))
                p.next.begins_anew = begins_anew(field, value_of(*control, field, field.get(now)));
            return value;
        });
    }
    bool begins_anew(const Field<TrainConfig>& field, const FieldValue& value) const {
        TrainConfig changed = now;
        field.set(changed, value);
        return !goes_on(now, changed);
    }
    // Why the row cannot be used here: lanes of one race have the setting alike, or each has its
    // own.
    std::string no_meaning(const Field<TrainConfig>& field) const {
        const std::vector<Lane>& lanes = *p.document.train.lanes;
        const bool of_lanes = std::ranges::count(lane_fields(), &field) > 0;
        if (lane)
            return of_lanes ? std::string()
                            : worded("{}, as in all lanes", value_text(field, field.get(now)));
        const bool own = std::ranges::all_of(lanes, [&](const Lane& one) {
            return std::ranges::count(one.differences, &field, &LaneDifference::field) > 0;
        });
        return own ? worded("each lane has its own: click one") : std::string();
    }
};

// The head of the settings: those of all lanes, or of the lane that was clicked.
void whose_settings(TrainPanel& p, Rect row) {
    const RaceSetup& setup = p.document.train;
    const auto lane = shown_lane(p);
    if (!lane) {
        const std::string branched = branch_words(setup);
        if (!branched.empty() &&
            right_button(p, "begin-anew", row,
                         {"Anew", branches_later(setup)
                                      ? "Trains from step 0 with the settings of the branch"
                                      : "Trains from step 0 with these settings"},
                         6))
            p.edit(BeginAnew{});
        soft_label(p, row,
                   branched.empty() ? "Of all lanes; click a lane to change it alone" : branched);
        return;
    }
    if (right_button(p, "all-lanes", row, {"All lanes", "Shows the settings that all lanes have"},
                     6))
        p.next.lane.reset();
    lane_heading(p, row, lane_at(p, *lane));
}

// The input with a text: three sonnets, where there is none. Error: they are not found.
Result<Shared<RaceInput>> with_text(const Shared<RaceInput>& now) {
    if (!now->given.text.empty()) return now;
    RaceInput out = *now;
    out.name = "Three sonnets";
    out.given.text = TRY(read_asset("texts/sonnets.txt"));
    return Shared<RaceInput>(std::move(out));
}

// Errors: those of with_class().
Result<Shared<RaceInput>> with_class_column(const Shared<RaceInput>& now, Index column) {
    RaceInput out = *now;
    out.given.points = TRY(with_class(out.given.points, column, out.name));
    return Shared<RaceInput>(std::move(out));
}

void set_race(TrainPanel& p, const TrainConfig& next, bool go_on,
              const Result<Shared<RaceInput>>& input) {
    if (input)
        p.edit(SetRace{next, go_on, *input});
    else
        p.state.complaint = sentence(input.error());
}

// One's own points, the last task, need a file.
void task_row(const SetupRows& to) {
    TrainPanel& p = to.p;
    Rect row = to.rows.row("Task");
    if (to.lane) return soft_label(p, row, to.no_meaning(*set<&TrainConfig::task>({}).field));
    const std::string_view own = "Your data…";
    if (right_button(p, "your-data", row,
                     {own,
                      "A table with two or more columns and one of classes (.csv, .npy …), or a "
                      "text (.txt)"}))
        p.actions.own_file = true;
    std::vector<ChoiceName> tasks = names_of<Task>();
    if (p.document.train.input->given.points.classes.empty()) tasks.pop_back();
    if (const auto task =
            drop_down(p, setting<&TrainConfig::task>(), row, tasks, static_cast<int>(to.now.task)))
        to.next = with_task(to.now, entry_at(choices(Task{}), *task).value);
}

// The columns of one's own points that may be the class.
const std::vector<Index>& class_columns_of(const TrainPanel& p) {
    TrainMemory& memory = memory_of(p);
    const Shared<RaceInput>& input = p.document.train.input;
    std::vector<Index>& columns = memory.class_columns;
    if (memory.classes_in.is(input)) return columns;
    memory.classes_in = input;
    const Points& points = input->given.points;
    columns = class_columns(points);
    std::erase(columns, points.names.class_at);
    if (columns.size() >= std::size(k_column_ids)) columns.resize(std::size(k_column_ids) - 1);
    columns.insert(std::ranges::upper_bound(columns, points.names.class_at), points.names.class_at);
    return columns;
}

// The column that is chosen to be the class from now on.
std::optional<Index> class_row(const SetupRows& to) {
    TrainPanel& p = to.p;
    const PointNames& names = p.document.train.input->given.points.names;
    const std::string classes = worded("The classes are {}", list_arrays(names.classes));
    const std::vector<Index>& columns = class_columns_of(p);
    std::vector<ChoiceName> shown;
    std::vector<std::string_view> hints;
    int now = 0;
    for (const Index column : columns) {
        const bool is_class = column == names.class_at;
        if (is_class) now = static_cast<int>(shown.size());
        const Index feature = column - (column > names.class_at ? 1 : 0);
        shown.push_back({k_column_ids[shown.size()],
                         is_class ? names.class_column : entry_at(names.features, feature), true});
        hints.push_back(is_class ? classes : tr("Learns this column as the classes"));
    }
    const Rect row = to.rows.row_of(tr("Class"), shown);
    if (to.lane) {
        soft_label(p, row, worded("{}, as in all lanes", names.class_column));
        return std::nullopt;
    }
    const auto chosen = wrapped_choice(p, "class-column", row, shown, now, hints);
    if (!chosen) return std::nullopt;
    return entry_at(columns, *chosen);
}

} // namespace

Result<Edit> race_on_file(const Document& d, const std::filesystem::path& path) {
    RaceInput input;
    input.name = path.filename().string();
    const bool is_text = path.extension() == ".txt";
    if (is_text)
        input.given.text = TRY(read_file(path));
    else
        input.given.points = TRY(load_points(path));
    const SetRace edit{with_task(d.train.common, is_text ? Task::text : Task::own), false,
                       Shared<RaceInput>(std::move(input))};
    if (const auto raced = apply(d, edit); !raced)
        return fail("{}: {}", path.filename().string(), raced.error());
    return Edit(edit);
}

void race_setup_panel(TrainPanel& p) {
    Column rows = p.column("setup", {.title = "Setup"});
    whose_settings(p, rows.next(28));
    change_row(p, rows.next(28));
    p.next.begins_anew = false;
    const RaceSetup& setup = p.document.train;
    const auto lane = shown_lane(p);
    const TrainConfig now =
        lane ? config_at(setup, (*setup.lanes)[*lane], setup.step) : common_at(setup, setup.step);
    TrainConfig next = now;
    const SetupRows to{p, rows, lane, now, next};
    std::optional<Index> class_column;
    const std::size_t first = p.state.parts ? p.state.parts->size() : 0;
    task_row(to);
    if (now.task == Task::own) class_column = class_row(to);
    if (under_hand(p, first)) p.next.begins_anew = true; // other data
    to.draw({"norm", "skip", "layers", "lr"});
    Rect row = rows.next(k_row_line, k_row_gap);
    soft_label(p, cut_right(row, row.w - more_width(p)), "Rate: how far one step moves the weights",
               Align::right);
    if (more(p, row, p.view.more_setup, p.next.more_setup))
        to.draw({"noise", "turns", "length", "width", "activation", "groups", "norm_place",
                 "placement", "positions", "mask", "optimizer", "warmup", "schedule", "batch",
                 "steps", "seed"});
    if (class_column)
        return set_race(p, next, false, with_class_column(setup.input, *class_column));
    if (next == now) return;
    const bool go_on = p.view.go_on;
    if (lane) return p.edit(SetLane{*lane, next, go_on});
    next = with_steps_of_race(setup, now, next);
    if (next.task == Task::text && now.task != Task::text)
        return set_race(p, next, go_on, with_text(setup.input));
    p.edit(SetRace{next, go_on});
}

} // namespace normscope
