#include "app/session/kept_json.h"

#include "app/io/file.h"
#include "app/session/json_reader.h"

#include <system_error>

namespace normscope {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json load_kept(const fs::path& file) {
    std::error_code error;
    if (!fs::exists(file, error)) return Json::object();
    const auto bytes = read_file(file);
    auto json = bytes ? parse_json(*bytes, file.string()) : tl::unexpected(bytes.error());
    return json && json->is_object() ? std::move(*json) : Json::object();
}

void keep_json(const fs::path& file, const Json& json) {
    if (file.empty()) return;
    std::error_code error;
    fs::create_directories(file.parent_path(), error);
    (void)write_file_atomically(fs::weakly_canonical(file, error),
                                json.dump(2, ' ', false, Json::error_handler_t::replace));
}

} // namespace normscope
