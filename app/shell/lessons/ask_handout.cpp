// The command that writes a handout, a turn at a time, while the window goes on.
#include "app/charts/cairo_canvas.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/play_lesson.h"
#include "core/base/caught.h"

#include <chrono>
#include <imgui.h>
#include <memory>
#include <optional>
#include <utility>

namespace normscope {

// The handout that is being written: its lesson, its files and its pages.
struct HandoutWork {
    std::filesystem::path tasks;
    Outside outside; // the place of both files
    Lesson lesson;
    std::filesystem::path assets;
    LessonFonts fonts;
    Result<Handout> made;
    std::optional<Turns> turns; // last: goes before what it reads
};

namespace {

namespace fs = std::filesystem;

constexpr auto k_turns_of_a_frame = std::chrono::milliseconds(12);

void begin_handout(App::State& s, const fs::path& tasks) {
    if (!s.lesson) return s.complain("The handout was not written: the lesson is closed");
    if (s.handout) return s.complain("A handout is being written: try again in a moment");
    s.handout = std::make_shared<HandoutWork>(HandoutWork{
        tasks, s.outside, s.lesson->player.lesson(), s.assets, s.services.fonts, {}, {}});
    HandoutWork& work = *s.handout;
    work.turns.emplace(make_handout(work.lesson, work.assets, work.fonts, work.made));
    s.say("Writing the handout: the lesson is played for its numbers…");
}

void write_handout(App::State& s, const HandoutWork& work) {
    if (s.complains_of(work.made)) return;
    const Handout& handout = *work.made;
    const fs::path solutions = solutions_beside(work.tasks);
    for (const auto& [path, pages] :
         {std::pair(work.tasks, &handout.tasks), {solutions, &handout.solutions}})
        if (s.complains_of(work.outside.write(path, *pages))) return;
    if (!work.outside.is_imagined())
        s.say(worded("Saved {} and {}", work.tasks.string(), solutions.filename().string()));
}

// The browser of files has asked about the tasks' file.
void accept_handout(App::State& s, const fs::path& tasks) {
    const fs::path solutions = solutions_beside(tasks);
    if (!s.outside.exists(solutions)) return begin_handout(s, tasks);
    s.show(ask("Replace the solutions?",
               worded("{} exists. The handout's solutions take its place.",
                      quoted(solutions.filename().string())),
               {{"cancel", "Cancel", {}}, {"replace", "Replace", given(begin_handout, tasks)}}));
}

} // namespace

void ask_handout(App::State& s) {
    if (!s.lesson) return;
    browse(s, {.title = "Save the handout: tasks, and solutions beside them",
               .saving = true,
               .name = s.lesson->player.lesson().id + "-handout",
               .formats = {{k_draws_pdf ? "PDF" : "SVG pages", std::string(k_pages_ending)}},
               .accept = accept_handout});
}

void keep_up_handout(App::State& s) {
    if (!s.handout) return;
    s.frames_wanted = 2;
    ImGuiContext* const own = ImGui::GetCurrentContext();
    const auto until = std::chrono::steady_clock::now() + k_turns_of_a_frame;
    HandoutWork& work = *s.handout;
    Result<bool> goes_on = true;
    while (goes_on && *goes_on && std::chrono::steady_clock::now() < until) {
        goes_on =
            caught(work.lesson.title, [&]() -> Result<bool> { return work.turns->take_one(); });
        ImGui::SetCurrentContext(own);
    }
    if (goes_on && *goes_on) return;
    if (!goes_on) work.made = tl::unexpected(goes_on.error());
    const std::shared_ptr<HandoutWork> over = std::exchange(s.handout, nullptr);
    write_handout(s, *over);
}

} // namespace normscope
