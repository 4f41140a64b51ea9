// The person's own goes aside while a lesson's solution is shown, and comes back as it was.
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/hand.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/menus/menus.h"

#include <utility>

namespace normscope {

void keep_aside(App::State& s) {
    if (s.kept_aside) return;
    s.lesson->was_shown = true;
    s.kept_aside = {s.lesson->before,
                    s.files.left_unsaved,
                    std::exchange(s.files.recent, {}),
                    std::exchange(s.preferences, {}),
                    std::exchange(s.progress, {}),
                    s.view,
                    s.language,
                    {},
                    {},
                    ImGui::GetFrameCount()};
    s.kept_aside->clipboard = use_clipboard(
        {[](ClipboardCaller*) { return static_cast<std::string*>(clipboard_data())->c_str(); },
         [](ClipboardCaller*, const char* text) {
             *static_cast<std::string*>(clipboard_data()) = text;
         },
         &s.kept_aside->copied});
    s.outside = Outside::imagined(s.services.dirs.home);
}

void give_back(App::State& s) {
    if (!s.kept_aside) return;
    Files& files = s.files;
    files.waiting.clear();
    files.leaving = Quitting::no;
    s.dialogs.clear();
    s.dialog_ui = {};
    s.commands.clear();
    s.quit = false;
    s.outside = Outside();
    KeptAside own = std::move(*s.kept_aside);
    s.kept_aside.reset();
    use_clipboard(own.clipboard);
    files.left_unsaved = std::move(own.left_unsaved);
    files.recent = std::move(own.recent);
    s.preferences = std::move(own.preferences);
    s.progress = std::move(own.progress);
    s.view.theme = own.view.theme;
    s.view.ui_scale = own.view.ui_scale;
    s.view.reduce_motion = own.view.reduce_motion;
    if (std::exchange(s.language, own.language) != own.language) {
        use_language(s);
        translate_lessons(s);
    }
    if (s.lesson && std::exchange(s.lesson->was_shown, false)) {
        s.lesson->before = std::move(own.before);
        s.progress.set(s.lesson->player.lesson().id, s.lesson->player.record());
        return;
    }
    leave_lesson(s);
    s.own.reset();
    s.ghost.reset();
    s.history = std::move(own.before.history);
    look_as(s, std::move(own.before.view));
}

void end_show(App::State& s) {
    if (!s.lesson) return;
    if (const auto show = std::exchange(s.lesson->show, nullptr)) show->end(s);
}

} // namespace normscope
