#include "app/session/lesson/lesson.h"
#include "app/cli/options.h"
#include "app/io/file.h"
#include "app/platform/fonts.h"
#include "app/shell/files/spoken.h"
#include "app/shell/lessons/play_lesson.h"
#include "core/base/printable.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <utility>
#include <vector>

namespace normscope {

namespace {

LessonFonts fonts_of(FontLoader& loader) {
    return [&loader](ImFontAtlas& atlas, float scale, const std::string& text) {
        return loader.load(atlas, scale, text);
    };
}

CommandResult list_lessons(std::ostream& out, std::ostream& notes) {
    const auto assets = TRY(find_assets());
    const LessonShelf shelf = load_lessons(assets / "lessons");
    std::size_t widest = 0;
    for (const Lesson& lesson : shelf.lessons) widest = std::max(widest, lesson.id.size());
    for (const Lesson& lesson : shelf.lessons)
        out << fmt::format("{:<{}}  {}: {}\n", lesson.id, widest, lesson.title, lesson.question);
    for (const std::string& problem : shelf.problems)
        notes << "normscope: " << printable(problem) << '\n';
    return {};
}

// The program's data; from now on that language is spoken, else English.
Result<std::filesystem::path> assets_in(const std::string& language) {
    auto assets = TRY(find_assets());
    const auto problems =
        TRY(speak_language(assets, language.empty() ? languages().front().id : language));
    if (!problems.empty()) return fail(problems.front());
    return assets;
}

CommandResult write_handout(const std::string& file, const std::string& to,
                            const std::string& language, std::ostream& out) {
    const auto assets = TRY(assets_in(language));
    const Lesson lesson = TRY(load_lesson(file));
    FontLoader loader;
    const std::filesystem::path tasks(to);
    const LessonFonts fonts = fonts_of(loader);
    Result<Handout> made;
    finish(make_handout(lesson, assets, fonts, made));
    const Handout handout = TRY(std::move(made));
    for (const auto& [path, pdf] :
         {std::pair(tasks, &handout.tasks), {solutions_beside(tasks), &handout.solutions}}) {
        TRY(write_file_atomically(path, *pdf));
        out << printable(path.string()) << '\n';
    }
    return {};
}

CommandResult check_lessons(const std::vector<std::string>& files, const std::string& language,
                            std::ostream& out) {
    const auto assets = TRY(assets_in(language));
    std::size_t found = 0;
    for (const std::string& file : files) {
        std::vector<std::string> problems;
        const auto lesson = load_lesson(file);
        FontLoader loader;
        if (lesson)
            problems = play_lesson(*lesson, assets, fonts_of(loader));
        else
            problems.push_back(error_text(lesson.error()));
        for (const std::string& problem : problems) out << printable(problem) << '\n';
        if (problems.empty())
            out << fmt::format("{}: {} steps played, all is well\n", printable(file),
                               lesson->steps.size());
        found += problems.size();
    }
    if (found == 0) return {};
    return fail("lesson check: {} problem{}", found, found == 1 ? "" : "s");
}

} // namespace

CommandAction define_lessons(CLI::App&) {
    return [](const CommandContext& context) { return list_lessons(context.out, context.notes); };
}

CommandAction define_lesson(CLI::App& app) {
    const auto files = std::make_shared<std::vector<std::string>>();
    app.require_subcommand(1);
    CLI::App* const check =
        app.add_subcommand("check", "Play a lesson without a window and say what is wrong with it");
    const auto language = std::make_shared<std::string>();
    add_language(*check, *language);
    check->add_option("FILE", *files, "Lessons, .json")->required()->type_name("");
    const auto file = std::make_shared<std::string>();
    const auto to = std::make_shared<std::string>();
    CLI::App* const handout = app.add_subcommand(
        "handout", "A lesson on paper: a PDF of its tasks, and one with the solutions beside it");
    add_language(*handout, *language);
    handout->add_option("FILE", *file, "A lesson, .json")->required()->type_name("");
    handout->add_option("--out", *to, "The tasks; the solutions are NAME-solutions.pdf")
        ->required()
        ->type_name("NAME.pdf");
    return [=](const CommandContext& context) {
        return handout->parsed() ? write_handout(*file, *to, *language, context.out)
                                 : check_lessons(*files, *language, context.out);
    };
}

} // namespace normscope
