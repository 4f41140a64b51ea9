#include "app/io/csv.h"
#include "app/language/language.h"
#include "app/session/link.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"

#include <fmt/format.h>
#include <utility>

namespace normscope {

void read_paste(App::State& s, const std::shared_ptr<Paste>& paste) {
    if (is_link(paste->text)) return open_path(s, paste->text);
    auto table = parse_block(paste->text);
    if (!table) return s.refuse(worded("{} Nothing was pasted", sentence(table.error())));
    paste->numbers = std::move(*table);
    s.ui.pasted = paste;
}

void copy_to_clipboard(App::State& s, const std::shared_ptr<const Table>& numbers) {
    ImGui::SetClipboardText(write_csv(*numbers, '\t').c_str());
    note_deed(s, "numbers-copied");
}

void copy_link(App::State& s, const FigureEntry* panel) {
    std::string page = s.services.page.empty() ? s.preferences.page : s.services.page;
    const Workspace& workspace = s.workspace();
    if (panel && !page.empty()) page += fmt::format("?panel={}.{}", workspace.id, panel->id);
    const auto link = first_document(s.examples).and_then([&](const Document& first) {
        const SessionView view = session_view(s, s.history.kept());
        return write_link(page, {s.document(), {}, {}, view}, first);
    });
    if (!link) return s.say(error_text(link.error()), StatusAction{"Save as…", ask_save_as});
    const std::string frame =
        panel ? fmt::format("<iframe src=\"{}\" width=\"{}\" height=\"{}\"></iframe>", *link,
                            panel->size.w, panel->size.h)
              : *link;
    ImGui::SetClipboardText(frame.c_str());
    s.say(panel ? worded("Copied: what shows {} on a page of your own", panel->label)
                : worded("Copied: a link of {} characters that opens this session", link->size()));
}

void copy_script(App::State& s, ScriptFor library) {
    const auto script = script_of(*Backward::of(s.document()), library);
    if (s.complains_of(script)) return;
    ImGui::SetClipboardText(script->c_str());
    note_deed(s, "script-copied");
    s.say(worded("Copied: a script for {} that makes Z, x\u0302, Y, dX, dγ and dβ",
                 label_of(library)));
}

} // namespace normscope
