// The command that writes a handout, a turn at a time, while the window goes on.
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/play_lesson.h"
#include "core/base/caught.h"

#include <chrono>
#include <functional>
#include <imgui.h>
#include <memory>
#include <optional>
#include <semaphore>
#include <thread>
#include <utility>

namespace normscope {
namespace {

// Long work with ImGui, which one thread may use at a time: it is cut into turns, and in each the
// thread that asks for it waits.
class Turns {
  public:
    using Rest = std::function<void()>; // ends the turn; throws where the work is given up
    explicit Turns(const std::function<void(const Rest&)>& work)
        : thread_(&Turns::run, this, work) {}
    ~Turns() { // the work is given up
        given_up_ = true;
        turn_.release();
        thread_.join();
    }

    // Returns at the next rest, or false at the work's end.
    bool take_one() {
        if (over_) return false;
        turn_.release();
        turn_over_.acquire();
        return !over_;
    }

  private:
    struct GivenUp {};
    void run(const std::function<void(const Rest&)>& work) {
        try {
            begin_turn();
            work([this] { rest(); });
        } catch (const GivenUp&) {
        }
        over_ = true;
        turn_over_.release();
    }
    void begin_turn() {
        turn_.acquire();
        if (given_up_) throw GivenUp();
    }
    void rest() {
        turn_over_.release();
        begin_turn();
    }

    std::binary_semaphore turn_{0}, turn_over_{0};
    bool over_ = false, given_up_ = false; // handed over with the turns
    std::thread thread_;
};

} // namespace

// What is being made, and where it goes.
struct HandoutWork {
    std::filesystem::path tasks;
    Outside outside; // where they are
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
    work.outside = s.outside;
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
        if (const auto written = work.outside.write(path, *pdf); !written)
            return s.complain(error_text(written.error()));
    if (!work.outside.is_imagined())
        s.say(worded("Saved {} and {}", work.tasks.string(), solutions.filename().string()));
}

// The browser has asked about the tasks' file.
void accept_handout(App::State& s, const fs::path& tasks) {
    const fs::path solutions = solutions_beside(tasks);
    if (!s.outside.exists(solutions)) return begin_handout(s, tasks);
    s.show(ask("Replace the solutions?",
               worded("{} exists. The handout's solutions take its place.",
                      quoted(solutions.filename().string())),
               {{"cancel", "Cancel", {}},
                {"replace", "Replace", [tasks](App::State& app) { begin_handout(app, tasks); }}}));
}

} // namespace

void ask_handout(App::State& s) {
    if (!s.lesson) return;
    browse(s, {.title = "Save the handout: tasks, and solutions beside them",
               .saving = true,
               .name = s.lesson->player.lesson().id + "-handout",
               .formats = {{"PDF", ".pdf"}},
               .accept = accept_handout});
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
