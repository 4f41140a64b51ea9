// The command that writes a handout, a turn at a time, while the window goes on.
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/shell/files/file_browser.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/questions.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/handout.h"
#include "app/shell/lessons/turns.h"
#include "core/base/caught.h"

#include <chrono>
#include <imgui.h>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace normscope {

// What is being made, and where it goes.
struct HandoutWork {
    std::filesystem::path tasks;
    std::optional<Result<Handout>> made;
    std::unique_ptr<Turns> turns; // last: ends before what it writes to goes
};

namespace {

namespace fs = std::filesystem;

constexpr auto k_turns_of_a_frame = std::chrono::milliseconds(12);

void begin_handout(App::State& s, const fs::path& tasks) {
    if (!s.lesson) return s.complain("The handout was not written: the lesson is closed");
    if (s.handout) return s.complain("A handout is being written: try again in a moment");
    s.handout = std::make_shared<HandoutWork>();
    HandoutWork& work = *s.handout;
    work.tasks = tasks;
    const auto make = [&work, lesson = s.lesson->player.lesson(), assets = s.assets,
                       fonts = s.services.fonts](const Turns::Rest& rest) {
        work.made = caught(lesson.title, [&] { return make_handout(lesson, assets, fonts, rest); });
    };
    work.turns = std::make_unique<Turns>(make);
    s.say("Writing the handout: the lesson is played for its numbers…");
}

void write_handout(App::State& s, const HandoutWork& work) {
    if (!*work.made) return s.complain(error_text(work.made->error()));
    const Handout& handout = **work.made;
    const fs::path solutions = solutions_beside(work.tasks);
    for (const auto& [path, pdf] :
         {std::pair(work.tasks, &handout.tasks), {solutions, &handout.solutions}})
        if (const auto written = write_file_atomically(path, *pdf); !written)
            return s.complain(error_text(written.error()));
    s.say(worded("Saved ") + work.tasks.string() + worded(" and ") + solutions.filename().string());
}

// The browser has asked about the tasks' file.
void accept_handout(App::State& s, const fs::path& tasks) {
    const fs::path solutions = solutions_beside(tasks);
    std::error_code error;
    if (!fs::exists(solutions, error)) return begin_handout(s, tasks);
    s.show(ask("Replace the solutions?",
               quoted(solutions.filename().string()) +
                   worded(" exists. The handout's solutions take its place."),
               {{"cancel", "Cancel", {}},
                {"replace", "Replace", [tasks](App::State& app) { begin_handout(app, tasks); }}}));
}

} // namespace

void ask_handout(App::State& s) {
    if (!s.lesson) return;
    BrowserRequest r = browser_request(s, "Save the handout: tasks, and solutions beside them");
    r.saving = true;
    r.name = s.lesson->player.lesson().id + "-handout";
    r.formats = {{"PDF", ".pdf"}};
    r.accept = accept_handout;
    s.show(browse(std::move(r)));
}

void keep_up_handout(App::State& s) {
    if (!s.handout) return;
    s.frames_wanted = std::max(s.frames_wanted, 2);
    ImGuiContext* const own = ImGui::GetCurrentContext();
    const auto until = std::chrono::steady_clock::now() + k_turns_of_a_frame;
    bool goes_on = true;
    while (goes_on && std::chrono::steady_clock::now() < until) {
        goes_on = s.handout->turns->take_one();
        ImGui::SetCurrentContext(own);
    }
    if (goes_on) return;
    const std::shared_ptr<HandoutWork> work = std::exchange(s.handout, nullptr);
    write_handout(s, *work);
}

} // namespace normscope
