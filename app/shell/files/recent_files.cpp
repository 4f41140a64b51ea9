#include "app/shell/files/recent_files.h"

#include "app/io/file.h"
#include "app/session/json_reader.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t k_most = 10;

// As text that JSON can hold: a name that is not UTF-8 cannot be kept.
std::string text_of(const fs::path& path) {
    return path.string();
}

} // namespace

void RecentFiles::load(const fs::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "recent.json";
    std::error_code error;
    if (!fs::exists(file_, error)) return;
    const auto bytes = read_file(file_);
    if (!bytes) return;
    const auto parsed = parse_json(*bytes, file_.string());
    if (!parsed || !parsed->is_object()) return;
    const Json& json = *parsed;
    if (const auto files = json.find("files"); files != json.end() && files->is_array())
        for (const Json& entry : *files)
            if (entry.is_string() && paths_.size() < k_most &&
                fs::path(entry.get_ref<const std::string&>()).is_absolute())
                paths_.emplace_back(entry.get_ref<const std::string&>());
    if (const auto last = json.find("folder"); last != json.end() && last->is_string())
        last_folder_ = last->get_ref<const std::string&>();
    if (!fs::is_directory(last_folder_, error)) last_folder_.clear();
}

void RecentFiles::add(const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    if (error) return;
    std::erase(paths_, whole);
    paths_.insert(paths_.begin(), whole);
    if (paths_.size() > k_most) paths_.pop_back();
    last_folder_ = whole.parent_path();
    keep();
}

void RecentFiles::remove(const fs::path& file) {
    if (std::erase(paths_, file) > 0) keep();
}

void RecentFiles::visited(const fs::path& folder) {
    last_folder_ = folder;
    keep();
}

void RecentFiles::keep() const {
    if (file_.empty()) return;
    Json json{{"files", Json::array()}, {"folder", text_of(last_folder_)}};
    for (const fs::path& path : paths_) json["files"].push_back(text_of(path));
    std::error_code error;
    fs::create_directories(file_.parent_path(), error);
    // A list that cannot be kept is no reason to interrupt anyone. It may be a link of the user's.
    (void)write_file_atomically(fs::weakly_canonical(file_, error),
                                json.dump(2, ' ', false, Json::error_handler_t::replace));
}

} // namespace normscope
