#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"

#include <utility>

namespace normscope {

TrainConfig with_task(const TrainConfig& now, Task task) {
    if (kind_of(task) == kind_of(now.task)) {
        TrainConfig next = now;
        next.task = task;
        return next;
    }
    TrainConfig next = usual_config(task);
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

Result<Shared<RaceInput>> with_text(const Shared<RaceInput>& now) {
    if (!now->given.text.empty()) return now;
    auto text = read_asset("texts/sonnets.txt");
    if (!text) return tl::unexpected(text.error());
    RaceInput out = *now;
    out.name = "Three sonnets";
    out.given.text = std::move(*text);
    return Shared<RaceInput>(std::move(out));
}

Result<Edit> race_on_file(const Document& d, const std::string& name, std::string bytes) {
    RaceInput input;
    input.name = name;
    const bool is_text = name.ends_with(".txt");
    if (is_text) {
        input.given.text = std::move(bytes);
    } else {
        auto table = read_class_csv(bytes, name);
        if (!table) return tl::unexpected(table.error());
        input.given.points = std::move(table->points);
    }
    const SetRace edit{with_task(d.train.common, is_text ? Task::text : Task::own), false,
                       Shared<RaceInput>(std::move(input))};
    if (const auto raced = apply(d, edit); !raced)
        return fail(name + ": " + error_text(raced.error()));
    return Edit(edit);
}

} // namespace normscope
