#include "app/cli/screenshot.h"

#include "app/charts/cairo_canvas.h"
#include "app/cli/window_options.h"

#include <CLI/CLI.hpp>
#include <memory>

namespace normscope {

CommandAction define_screenshot(CLI::App& app) {
    const auto request = std::make_shared<WindowRequest>();
    request->start.persist = false;
    define_window_options(app, *request);
    app.add_option("--out", request->screenshot, "The picture to write")
        ->required()
        ->type_name("FILE.png");
    return [request](const CommandContext& context) -> CommandResult {
        if (figure_format_of(request->screenshot) != FigureFormat::png)
            return usage_error("screenshot: --out: " + request->screenshot +
                               " does not end in .png");
        if (const CommandResult there = file_is_there(*request); !there) return there;
        const Result<int> status = context.open_window(*request);
        if (!status) return data_error(status.error().message);
        return {};
    };
}

} // namespace normscope
