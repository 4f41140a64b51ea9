#include "app/session/link.h"

#include "app/io/zip.h"
#include "app/session/document_json.h"
#include "core/base/base64.h"
#include "core/base/caught.h"

namespace normscope {
namespace {

constexpr std::string_view k_link_mark = "#s=";
constexpr std::size_t k_most_text = std::size_t{1} << 20; // before it is packed

} // namespace

bool is_link(std::string_view text) {
    const std::size_t scheme = text.find("://");
    return scheme != text.npos && text.find('#', scheme) != text.npos;
}

Result<std::string> write_link(std::string_view page, const SessionCopy& session,
                               const Document& first) {
    if (page.empty())
        return fail(
            worded("The address of a page with NormScope is not known: save the session and "
                   "run “normscope link SESSION --page ADDRESS” once"));
    auto patch = patch_of(session_json({first, {}, {}}),
                          session_json({session.document, {}, {}, session.view}));
    patch["version"] = k_session_version;
    const std::string text = patch.dump(-1, ' ', false, decltype(patch)::error_handler_t::replace);
    std::string link(page.substr(0, page.find('#')));
    link += k_link_mark;
    if (text.size() <= k_most_text) link += to_base64(pack(text), Base64::url);
    if (text.size() > k_most_text || link.size() > k_longest_link)
        return fail(worded("A link to this session would have more than {} characters: hand out "
                           "its file",
                           k_longest_link));
    return link;
}

Result<SessionCopy> read_link(std::string_view link, const Document& first) {
    const std::string name(tr("The link"));
    const std::size_t mark = link.find(k_link_mark);
    if (mark == link.npos)
        return fail(worded("{}: it names no session. Copy it again, whole", name));
    const auto text = unpack(from_base64(link.substr(mark + k_link_mark.size())), Packing::gzip,
                             k_most_text, name);
    if (!text) return fail(worded("{}: it is damaged or cut short. Copy it again, whole", name));
    return caught(name, [&] {
        return read_json(*text, name, [&](const JsonPlace& patch) {
            nlohmann::json session = session_json({first, {}, {}});
            session.merge_patch(patch.json);
            return read_session_json({session, name});
        });
    });
}

} // namespace normscope
