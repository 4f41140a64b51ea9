#include "app/charts/palette.h"
#include "app/cli/inputs.h"
#include "app/io/file.h"
#include "app/model/edit.h"
#include "app/session/examples.h"
#include "app/session/session_file.h"
#include "app/shell/files/figure.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <fmt/format.h>
#include <memory>
#include <optional>

namespace normscope {

namespace {

constexpr Size k_least_pixels{120, 80}; // smaller figures are no more than their frame
constexpr float k_most_pixels = 30000;  // a side

// The command line as given; empty where nothing was said.
struct ExportOptions {
    std::string example;
    std::string session;
    std::string workspace;
    std::string figure;
    std::string theme;
    std::optional<Index> token;
    double width = 0; // pixels; 0: the figure's own
    double height = 0;
    double scale = 1;
    std::string out;
    StackOptions stack;
    PartOptions part;        // of the session
    std::vector<Edit> edits; // of the settings of the document's parts
};

// A figure of a stack shows nothing of an example's matrices, so that none need be named for it.
Checked<Document> load_document(const ExportOptions& options, bool hides_matrices) {
    const bool none = options.example.empty() && options.session.empty();
    if (none && hides_matrices) {
        auto document = load_example(std::string(k_default_example));
        // As the command `flow` takes it, so that both tell of the same stack.
        if (document) {
            document->flow.stack = StackConfig{};
            document->flow.seeds = k_usual_seeds;
        }
        return document;
    }
    if (none || (!options.example.empty() && !options.session.empty()))
        return usage_error("export: expected either --example or --session");
    if (!options.example.empty()) return load_example(options.example);
    const std::string bytes = TRY(read_file(options.session));
    Document document = TRY(read_session(bytes, options.session));
    const CellBlock part = TRY(chosen_part(options.part, options.session, document.token_count(),
                                           document.feature_count()));
    if (part.rows == document.token_count() && part.cols == document.feature_count())
        return document;
    return cut_out(document, part);
}

std::string figure_names() {
    std::string names = "workspace";
    for (const Workspace& workspace : workspace_table())
        for (const FigureEntry& figure : workspace.figures) names += ", " + std::string(figure.id);
    return names;
}

// The workspace that was named, or else the first that has the figure.
Checked<std::size_t> find_workspace(const ExportOptions& options) {
    const auto& workspaces = workspace_table();
    for (const auto i : indices(workspaces)) {
        if (workspaces[i].id == options.workspace) return i;
        if (!options.workspace.empty()) continue;
        for (const FigureEntry& figure : workspaces[i].figures)
            if (figure.id == options.figure) return i;
    }
    if (options.workspace.empty() && options.figure == "workspace") return std::size_t{0};
    if (options.workspace.empty())
        return usage_error("export: --figure: “{}” is not a figure: expected one of {}",
                           options.figure, figure_names());
    return usage_error("export: --workspace: “{}” is none of {}", options.workspace,
                       joined(workspaces, &Workspace::id));
}

// Puts the stack of the options in place of the document's own.
CommandResult apply_stack(const ExportOptions& options, bool hides_matrices, Document& document) {
    if (options.stack.said.empty() && !options.stack.seeds) return {};
    if (!hides_matrices)
        return usage_error("export: --figure: “{}” shows no stack: leave out --blocks and the "
                           "like, or choose a figure "
                           "of the gradient flow workspace",
                           options.figure);
    document.flow.stack = applied(options.stack.said, document.flow.stack);
    document.flow.seeds = options.stack.seeds.value_or(document.flow.seeds);
    if (const auto ok = check(document.flow); !ok) return usage_error("export: {}", ok.error());
    return {};
}

CommandResult run_export(const ExportOptions& options) {
    const auto format = figure_format_of(options.out);
    if (!format)
        return usage_error("export: --out: {} does not end in .png, .svg or .pdf", options.out);
    FigureRequest request;
    const std::size_t workspace = TRY(find_workspace(options));
    request.view.workspace = workspace;
    const bool hides_matrices = workspace_table()[workspace].hides_matrices;
    Document document = TRY(load_document(options, hides_matrices));
    TRY(apply_stack(options, hides_matrices, document));
    for (const Edit& edit : options.edits) {
        auto edited = normscope::apply(document, edit);
        if (!edited) return usage_error("export: {}", edited.error());
        document = std::move(*edited);
    }
    request.document = std::move(document);
    for (const ThemeKind kind : k_themes)
        if (options.theme == theme(kind).id) request.view.theme = kind;
    request.view.pinned_token = example_token(options.example);
    if (options.token) {
        if (*options.token >= request.document.token_count())
            return fail("{}: token {} is not there: expected 0 to {}.", request.document.title,
                        *options.token, request.document.token_count() - 1);
        request.view.pinned_token = *options.token;
    }
    request.figure = options.figure;
    request.size = {static_cast<float>(options.width), static_cast<float>(options.height)};
    request.scale = static_cast<float>(options.scale);
    const auto bytes = render_figure(request, *format);
    if (!bytes) return usage_error("export: {}", bytes.error());
    TRY(write_file_atomically(options.out, *bytes));
    return {};
}

} // namespace

CommandAction define_export(CLI::App& app) {
    const auto options = std::make_shared<ExportOptions>();
    app.add_option("--example", options->example, "The example to draw (see: examples)")
        ->type_name("NAME")
        ->check(unknown_example);
    app.add_option("--session", options->session, "The session to draw")
        ->type_name("FILE.normscope.json");
    define_part_options(app, options->part);
    app.add_option("--figure", options->figure, "One of " + figure_names())
        ->required()
        ->type_name("NAME");
    app.add_option("--workspace", options->workspace, "Whose figure; the first that has it")
        ->type_name("NAME");
    app.add_option("--theme", options->theme, "Its colours")
        ->check(CLI::IsMember({"light", "dark", "contrast"}));
    add_number(app, "--token", options->token, {0}, "The token to pin, counted from 0")
        ->type_name("I");
    const std::string pixels = "Pixels; the figure's own if not said";
    add_number(app, "--width", options->width, {k_least_pixels.w, k_most_pixels}, pixels);
    add_number(app, "--height", options->height, {k_least_pixels.h, k_most_pixels}, pixels);
    add_number(app, "--scale", options->scale, {0.5, 8}, "Size of text and lines, 1 is 100 %");
    app.add_option("--out,out", options->out, "The file to write")
        ->required()
        ->type_name("FILE.(png|svg|pdf)");
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>)
            for (const Field<S>& field : fields<S>())
                if (!field.words.help.empty()) {
                    const auto take = [options, &field](const FieldValue& value) {
                        options->edits.push_back(SetField<S>{&field, value});
                    };
                    CLI::Option* const option = add_field_option(app, option_name(field, part.key),
                                                                 field, field.get(S{}), take);
                    if (option) option->group("Workspaces"); // none: a flag, a list
                }
    });
    define_stack_options(app, options->stack, "--stack-width", k_most_flow_seeds);
    return [options](const CommandContext&) { return run_export(*options); };
}

} // namespace normscope
