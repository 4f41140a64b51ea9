#include "app/io/csv.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"

#include <utility>

namespace normscope {

void read_paste(App::State& s, const std::shared_ptr<Paste>& paste) {
    constexpr std::size_t k_read_at_once = 1 << 20; // bytes
    const auto work = [paste, from = s.document()](const Progress& progress) -> Result<Command> {
        auto table = parse_block(paste->text, progress);
        if (!table)
            return Command([why = worded("{} Nothing was pasted", sentence(table.error()))](
                               App::State& then) { then.refuse(why); });
        paste->numbers = std::move(*table);
        return Command([paste, from](App::State& then) {
            if (same_objects(then.document(), from))
                then.ui.pasted = paste;
            else
                then.refuse("Nothing was pasted: the document has changed since. Paste again");
        });
    };
    run_errand(s, paste->text.size() > k_read_at_once ? Where::on_a_worker : Where::here, "Pasting",
               work);
}

void copy_to_clipboard(App::State& s, const std::shared_ptr<const Table>& numbers) {
    const Matrix<double>& values = numbers->values;
    run_errand(s, where_to_work(values.size()),
               worded("Copying {}×{} numbers", values.rows(), values.cols()),
               [numbers](const Progress& progress) -> Result<Command> {
                   auto text = TRY(write_csv(*numbers, '\t', Digits::float64, progress));
                   return Command([lines = std::move(text)](App::State& then) {
                       ImGui::SetClipboardText(lines.c_str());
                       note_deed(then, "numbers-copied");
                   });
               });
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
