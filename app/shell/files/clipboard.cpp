#include "app/io/csv.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"

#include <utility>

namespace normscope {

void read_paste(App::State& s, const std::shared_ptr<Paste>& paste) {
    auto table = parse_block(paste->text);
    if (!table) return s.refuse(worded("{} Nothing was pasted", sentence(table.error())));
    paste->numbers = std::move(*table);
    s.ui.pasted = paste;
}

void copy_to_clipboard(App::State& s, const std::shared_ptr<const Table>& numbers) {
    ImGui::SetClipboardText(write_csv(*numbers, '\t').c_str());
    note_deed(s, "numbers-copied");
}

void copy_script(App::State& s, ScriptFor library) {
    const auto script = script_of(*Backward::of(s.document()), library);
    if (!script) return s.complain(error_text(script.error()));
    ImGui::SetClipboardText(script->c_str());
    note_deed(s, "script-copied");
    s.say(worded("Copied: a script for {} that makes Z, x\u0302, Y, dX, dγ and dβ",
                 label_of(library)));
}

} // namespace normscope
