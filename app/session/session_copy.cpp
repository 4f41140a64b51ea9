#include "app/session/session_copy.h"

#include "app/session/archive.h"
#include "app/session/session_records.h"

namespace normscope {

namespace {

// The keys before the names and the matrices, which may be long.
std::string first_keys(std::string_view session) {
    const std::size_t end = session.find(",\n  \"tokens\": ");
    std::string keys(session.substr(0, end));
    return end == session.npos ? keys : keys + "}";
}

} // namespace

Result<SessionCopy> read_session_copy(std::string_view bytes, const std::string& name) {
    if (!has_records(bytes)) return read_copy_settings(bytes, name);
    const auto recorded = read_records(bytes);
    if (!recorded)
        return fail("{}: the copy was not written to its end: nothing can be read", name);
    return read_copy_settings(recorded->settings, name, &recorded->matrices);
}

std::optional<CopyHead> read_copy_head(std::string_view bytes) {
    if (bytes.empty()) return std::nullopt;
    CopyHead head;
    head.is_known = has_records(bytes) || bytes.starts_with('{');
    if (!head.is_known) return head;
    if (has_records(bytes)) {
        const auto recorded = read_records(bytes);
        if (!recorded) return std::nullopt;
        bytes = recorded->settings;
    }
    // A copy may be damaged: a member of a wrong type leaves the others.
    const auto json = parse_json(first_keys(bytes), "");
    if (!json || !json->is_object()) return head;
    bool saved = false; // of an earlier version, which copied large documents before they changed
    Index version = 0;
    const std::string unnamed;
    Reader reader({*json, unnamed, {}, true});
    reader("title", head.title);
    reader("file", head.file);
    reader("saved", saved);
    reader("version", version);
    head.is_known = version <= k_session_version;
    return saved ? std::nullopt : std::optional(head);
}

} // namespace normscope
