#include "app/io/csv.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/widgets/paragraph.h"

#include <utility>

namespace normscope {

void read_paste(App::State& s, const std::shared_ptr<Paste>& paste) {
    constexpr std::size_t k_read_at_once = 1 << 20; // bytes
    const auto work = [paste, from = s.document()](const Progress& progress) -> Result<Command> {
        auto table = parse_block(paste->text, progress);
        if (!table)
            return Command([why = sentence(table.error()) + worded(" Nothing was pasted")](
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

} // namespace normscope
