#include "app/charts/cairo_canvas.h"
#include "app/charts/palette.h"
#include "app/cli/inputs.h"
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/lesson/lesson.h"
#include "app/session/link.h"
#include "app/workspaces/workspace_table.h"

#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <system_error>

namespace normscope {

namespace {

constexpr Bounds k_scales{static_cast<double>(k_least_ui_scale),
                          static_cast<double>(k_most_ui_scale)};

std::optional<int> parse_side(std::string_view text, int least) {
    int side = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, side);
    if (error != std::errc() || stop != end || side < least || side > k_max_window_side)
        return std::nullopt;
    return side;
}

// Why --lesson cannot name this one: there is none, or it has fewer steps; empty: it can.
std::string unknown_lesson(const std::string& wanted) {
    const WantedLesson asked = wanted_lesson(wanted);
    const auto assets = find_assets();
    // A file, or a program without its own, is not the command line's fault: who opens it says so.
    if (asked.is_file() || !assets) return {};
    const auto lesson = find_lesson(load_lessons(*assets / "lessons").lessons, asked.id);
    if (!lesson) return lesson.error().message;
    const std::size_t steps = lesson->steps.size();
    if (asked.step.value_or(0) < steps) return {};
    return fmt::format("“{}” has {} steps, found step {}", asked.id, steps, *asked.step + 1);
}

} // namespace

std::optional<WindowSize> parse_size(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == text.npos) return std::nullopt;
    const std::optional<int> width = parse_side(text.substr(0, cross), k_min_window_width);
    const std::optional<int> height = parse_side(text.substr(cross + 1), k_min_window_height);
    if (!width || !height) return std::nullopt;
    return WindowSize{*width, *height};
}

void add_language(CLI::App& app, std::string& id) {
    std::vector<std::string> known;
    for (const Language& language : languages()) known.emplace_back(language.id);
    app.add_option("--language", id, "The language of what is said on the screen")
        ->type_name("ID")
        ->check(CLI::IsMember(known));
}

void define_window_options(CLI::App& app, WindowRequest& request) {
    StartOptions& start = request.start;
    app.add_option_function<std::string>(
           "FILE", [&start](const std::string& path) { start.file = path; },
           std::string("A file or a link to open: .normscope.json, ") + k_matrix_files)
        ->type_name("");
    std::vector<std::string> workspaces;
    for (const Workspace& entry : workspace_table()) workspaces.emplace_back(entry.id);
    app.add_option("--workspace", start.workspace, "The workspace to start in")
        ->type_name("NAME")
        ->check(CLI::IsMember(workspaces));
    app.add_option("--panel", start.panels, "Panels of one workspace, shown alone: add-norm.card-y")
        ->type_name("NAME,NAME…");
    app.add_option("--example", start.example, "The example to start with (see: examples)")
        ->type_name("NAME")
        ->check(unknown_example);

    app.add_option("--lesson", start.lesson,
                   "The lesson to begin (see: lessons), ID:STEP at a step, or a lesson's file")
        ->type_name("ID")
        ->check(unknown_lesson);

    add_language(app, start.language);

    std::vector<std::string> themes;
    for (const ThemeKind kind : k_themes) themes.emplace_back(theme(kind).id);
    app.add_option_function<std::string>(
           "--theme",
           [&start](const std::string& id) {
               for (const ThemeKind kind : k_themes)
                   if (theme(kind).id == id) start.theme = kind;
           },
           "Colours of the interface")
        ->type_name("THEME")
        ->check(CLI::IsMember(themes));
    app.add_flag("--reduce-motion", start.reduce_motion, "Nothing moves by itself");
    add_number(app, "--scale", start.ui_scale, k_scales, "Size of text and controls, 1 is 100 %");
    app.add_option_function<std::string>(
           "--size", [&request](const std::string& text) { request.size = parse_size(text); },
           "Size of the window in pixels")
        ->type_name("1600x1000")
        ->check([](const std::string& text) {
            return parse_size(text) ? std::string()
                                    : fmt::format("expected WIDTHxHEIGHT in pixels, from {}x{} to "
                                                  "{}x{}, found {}",
                                                  k_min_window_width, k_min_window_height,
                                                  k_max_window_side, k_max_window_side, text);
        });
    app.add_flag("--small-screen", start.small_screen)->group("");     // a page asks for it
    app.add_option("--trace-frames", request.trace_frames)->group(""); // for tests: not in --help
}

CommandResult file_is_there(const WindowRequest& request) {
    const std::filesystem::path& file = request.start.file;
    std::error_code error;
    if (file.empty() || is_link(file.native()) || std::filesystem::exists(file, error) || error)
        return {};
    return fail("{}: there is no such file", file.string());
}

CommandAction define_screenshot(CLI::App& app) {
    const auto request = std::make_shared<WindowRequest>();
    request->start.persist = false; // it neither reads nor leaves recent files
    define_window_options(app, *request);
    app.add_option("--out", request->screenshot, "The picture to write")
        ->required()
        ->type_name("FILE.png");
    return [request](const CommandContext& context) -> CommandResult {
        if (figure_format_of(request->screenshot) != FigureFormat::png)
            return usage_error("screenshot: --out: {} does not end in .png", request->screenshot);
        TRY(file_is_there(*request));
        TRY(context.open_window(*request));
        return {};
    };
}

} // namespace normscope
