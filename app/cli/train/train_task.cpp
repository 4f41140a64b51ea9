#include "app/cli/train/train_task.h"

#include "app/cli/options.h"
#include "app/io/asset_dir.h"
#include "app/io/class_csv.h"
#include "app/io/file.h"

#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Checked<std::string> read_all(const fs::path& path) {
    auto bytes = read_file(path);
    if (!bytes) return data_error(bytes.error().message);
    return std::move(*bytes);
}

Checked<TaskSource> load_file_task(const fs::path& path) {
    auto bytes = read_all(path);
    if (!bytes) return tl::unexpected(bytes.error());
    TaskSource out;
    out.file = path.filename().string();
    if (path.extension() == ".txt") {
        out.task = Task::text;
        out.input.text = std::move(*bytes);
        return out;
    }
    auto table = read_class_csv(*bytes, path.string());
    if (!table) return data_error(table.error().message);
    out.task = Task::own;
    out.input.points = std::move(table->points);
    return out;
}

} // namespace

Checked<TaskSource> load_task(const std::string& name) {
    std::vector<std::string> ids = ids_of<Task>();
    std::erase(ids, std::string(id_of(Task::own)));
    if (std::ranges::find(ids, name) == ids.end()) {
        std::error_code ignored;
        if (fs::exists(name, ignored)) return load_file_task(name);
        return usage_error(fmt::format("train: --task {}: there is no such task and no such file; "
                                       "the tasks are {}, or a .csv with a column of classes, or a "
                                       ".txt",
                                       name, fmt::join(ids, ", ")));
    }
    TaskSource out;
    out.task = from_id<Task>(name);
    if (out.task != Task::text) return out;
    auto text = read_asset("texts/sonnets.txt");
    if (!text) return data_error(text.error().message);
    out.input.text = std::move(*text);
    return out;
}

} // namespace normscope
