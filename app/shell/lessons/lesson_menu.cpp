// The menu of lessons, and what is offered at the end of one.
#include "app/charts/cairo_canvas.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/shell/menus/menus.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace normscope {
namespace {

Command to_lesson(const std::string& id, int path) {
    return [id, path](App::State& s) { s.complains_of(begin_lesson(s, id, path)); };
}

// Path 0 has all lessons.
bool is_on_path(const Lesson& lesson, int path) {
    return path == 0 || (lesson.path > 0 && lesson.path <= path);
}

// The menu's item for a lesson of a path.
MenuItem item_of(App::State& s, const Lesson& lesson, int path) {
    const bool finished = s.progress.of(lesson.id).finished;
    return {.id = lesson.id,
            .label = worded("{} {} · {} min{}", lesson_number(s, lesson.id), lesson.title,
                            lesson.minutes, finished ? " ✓" : ""),
            .run = [&s, id = lesson.id, path] { to_lesson(id, path)(s); },
            .checked = s.lesson && s.lesson->player.lesson().id == lesson.id,
            .hint = lesson.question};
}

void ask_lesson(App::State& s) {
    browse(s, {.title = "Open a lesson",
               .accept = [](App::State& app, const std::filesystem::path& path) {
                   open_path(app, path);
               }});
}

} // namespace

std::size_t lesson_number(const App::State& s, const std::string& id) {
    const Lesson* const at = find_in(s.lessons, id, &Lesson::id);
    return at ? static_cast<std::size_t>(at - s.lessons.data()) + 1 : 0;
}

void finish_lesson(App::State& s) {
    LessonPlayer& player = s.lesson->player;
    player.finish();
    std::vector<AskedAbout> undone;
    const auto& steps = player.lesson().steps;
    for (const auto i : indices(steps))
        if (!player.complete(i))
            undone.push_back({worded("Step {}: {}", i + 1, steps[i].title),
                              std::string(player.answered(i) ? tr("Its task is not done.")
                                                             : tr("Its question is open.")),
                              {{fmt::format("step-{}", i + 1), "Go there", to_step(i)}}});
    std::vector<Answer> answers{{"stay", "Stay", {}}, {"close", "Close the lesson", leave_lesson}};
    const int path = s.lesson->path;
    const std::size_t number = lesson_number(s, player.lesson().id);
    auto next =
        number > 0 ? s.lessons.begin() + static_cast<std::ptrdiff_t>(number) : s.lessons.end();
    while (next != s.lessons.end() && !is_on_path(*next, path)) ++next;
    if (next != s.lessons.end())
        answers.push_back({"next", worded("Next: {}", next->title), to_lesson(next->id, path)});
    const auto [right, made] = player.score();
    s.show(ask(undone.empty() ? "The lesson is finished" : "Some of the lesson is not done",
               worded("Right at the first try: {} of {} predictions. Your own document comes back "
                      "when you close the lesson.",
                      right, made),
               std::move(answers), std::move(undone)));
}

std::vector<MenuItem> lesson_items(App::State& s) {
    std::vector<MenuItem> items, path_items;
    for (const Lesson& lesson : s.lessons) items.push_back(item_of(s, lesson, 0));
    std::set<int> paths;
    for (const Lesson& lesson : s.lessons)
        if (lesson.path > 0) paths.insert(lesson.path);
    for (const int path : paths) {
        MenuItem& item = path_items.emplace_back();
        item.id = fmt::format("path-{}", path);
        item.label = worded("{} minutes", path);
        for (const Lesson& lesson : s.lessons)
            if (is_on_path(lesson, path)) item.children.push_back(item_of(s, lesson, path));
    }
    const auto forget = [&s] {
        leave_lesson(s);
        s.progress.forget();
        s.say("All answers and scores are forgotten");
    };
    return in_groups(
        {items,
         path_items,
         {{"open", "Open a lesson…", does(s, ask_lesson)},
          recent_menu(s, s.files.recent.lessons())},
         {{.id = "handout",
           .label = k_draws_pdf ? "Save a handout as PDF…" : "Save a handout as SVG pages…",
           .run = does(s, ask_handout),
           .enabled = s.lesson && s.services.fonts && !s.handout,
           .hint = "The lesson on paper: tasks with empty boxes, and the solutions beside them."},
          {"close", "Close the lesson", does(s, leave_lesson), {}, s.lesson != nullptr},
          {"forget", "Forget my answers", forget, {}, s.lesson || !s.progress.empty()}}});
}

} // namespace normscope
