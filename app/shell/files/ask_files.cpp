// The commands that ask for a file first.
#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/io/npy.h"
#include "app/language/language.h"
#include "app/session/session_file.h"
#include "app/shell/files/figure.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/caught.h"
#include "core/base/lists.h"

#include <cctype>
#include <type_traits>

namespace normscope {
namespace {

namespace fs = std::filesystem;

// A title as the beginning of a file name.
std::string file_stem(const std::string& title) {
    std::string stem;
    for (const char c : title) {
        const auto u = static_cast<unsigned char>(c);
        if (std::isalnum(u) && u < 128)
            stem += static_cast<char>(std::tolower(u));
        else if (!stem.empty() && !stem.ends_with('-'))
            stem += '-';
    }
    while (stem.ends_with('-')) stem.pop_back();
    return stem.empty() ? "untitled" : stem;
}

// The beginning of a name for what is written of the document: the session's own, or of its title.
std::string proposed_stem(const Unsaved& work) {
    const std::string name = document_name(work.document, work.kept->path);
    return work.kept->path.empty() ? file_stem(name) : name;
}
std::string proposed_stem(const App::State& s) {
    return proposed_stem({s.document(), s.history.kept()});
}

// A matrix in the precision it was computed in, as a file's bytes.
Result<std::string> matrix_bytes(const Derived& derived, Tensor which, bool npy) {
    const MatrixView view = derived.view(which);
    return view.visit([&](const auto* data) -> Result<std::string> {
        using S = std::remove_cv_t<std::remove_pointer_t<decltype(data)>>;
        const Eigen::Map<const Matrix<S>> values(data, view.rows(), view.cols());
        if (npy) return write_npy(Matrix<S>(values));
        const Document& d = derived.document();
        const Table table{values.template cast<double>(), *d.tokens, *d.features};
        return write_csv(table, ',', std::is_same_v<S, float> ? Digits::float32 : Digits::float64);
    });
}

FigureFormat format_of(const fs::path& path) {
    return figure_format_of(path.string()).value_or(FigureFormat::png);
}

} // namespace

void ask_open(App::State& s) {
    browse(s, {.title = "Open a session, a matrix, weights or a lesson",
               .accept = [](App::State& app, const fs::path& path) { open_path(app, path); }});
}

void ask_import(App::State& s, Input input) {
    const OpenAs as = input == Input::x ? OpenAs::x : OpenAs::f;
    browse(s,
           {.title = worded("Import as {}", symbol(input)),
            .accept = [as](App::State& app, const fs::path& path) { open_path(app, path, as); }});
}

void ask_save_as(App::State& s) {
    ask_where_to_save(s, {s.document(), s.history.kept()});
}

void ask_where_to_save(App::State& s, const Unsaved& work) {
    browse(s,
           {.title = worded("Save {} as", quoted(document_name(work.document, work.kept->path))),
            .saving = true,
            .name = proposed_stem(work),
            .formats = {{"Session", std::string(k_session_suffix)}},
            .accept = [work](App::State& app, const fs::path& path) { save_to(app, work, path); },
            .cancelled = [](App::State& app) { app.files.leaving = Quitting::no; }});
}

void ask_export_matrix(App::State& s, Tensor which) {
    const auto accept = [which](App::State& app, const fs::path& path, AtLink at_link) {
        write(app, {path}, at_link, [&] {
            return matrix_bytes(*Derived::of(app.document(), app.derived), which,
                                path.extension() == ".npy");
        });
    };
    const auto& [tensor, file, name] = entry_at(k_tensor_names, which);
    ask_to_write(s, worded("Export {}", name), fmt::format("{}-{}", proposed_stem(s), file),
                 {{"CSV", ".csv"}, {"NPY", ".npy"}}, accept);
}

void ask_export_figure(App::State& s, const std::string& id) {
    const auto accept = [id](App::State& app, const fs::path& path, AtLink at_link) {
        FigureRequest figure{app.document(), app.view, id};
        if (format_of(path) == FigureFormat::png) figure.scale = 2; // sharp on slides and in print
        // A stack may take seconds.
        do_next(app, worded("Drawing {}…", path.filename().string()),
                [figure, path, at_link](App::State& then) {
                    write(then, {path}, at_link,
                          [&] { return render_figure(figure, format_of(path), then.derived); });
                });
    };
    std::vector<BrowserRequest::Format> formats{{"PNG", ".png"}, {"SVG", ".svg"}};
    if (k_draws_pdf) formats.push_back({"PDF", ".pdf"});
    ask_to_write(s, "Export a figure", proposed_stem(s) + "-" + id, formats, accept);
}

void ask_own_file(App::State& s) {
    const Workspace& workspace = s.workspace();
    if (workspace.file_label.empty()) return;
    const auto accept = [&workspace](App::State& app, const fs::path& path) {
        if (app.complains_of(app.outside.can_read(path))) return;
        const auto edit =
            caught(path.string(), [&] { return workspace.take_file(app.document(), path); });
        if (app.complains_of(edit)) return;
        if (app.apply_edits({*edit})) app.files.recent.add(path);
    };
    browse(s, {.title = std::string(workspace.file_label), .accept = accept});
}

void ask_export_numbers(App::State& s) {
    const Workspace& workspace = s.workspace();
    if (workspace.numbers_label.empty()) return;
    const auto accept = [&workspace](App::State& app, const fs::path& path, AtLink at_link) {
        write(app, {path}, at_link,
              [&] { return Result<std::string>(workspace.numbers(app.memory, app.document())); });
    };
    ask_to_write(s, std::string(workspace.numbers_label),
                 proposed_stem(s) + "-" + std::string(workspace.id), {{"CSV", ".csv"}}, accept);
}

} // namespace normscope
