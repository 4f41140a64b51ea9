#include "app/shell/files/file_commands.h"

#include "app/charts/cairo_canvas.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/session/document_json.h"
#include "app/session/file_weights.h"
#include "app/session/link.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/caught.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <system_error>
#include <variant>

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_read_at_once = 1 << 22; // bytes; a larger file takes long

Result<FileContent> read_content(const OpenRequest& request) {
    const fs::path& path = request.path;
    if (request.copy)
        return TRY(
            read_session_copy(TRY(read_whole(request.copy->descriptor, path)), path.string()));
    if (lower_case(path.extension().string()) == ".safetensors") return TRY(open_safetensors(path));
    if (path.extension() != ".json") return TRY(load_file(path, request.array));
    const std::string stamp = file_stamp(path); // what comes while it is read is a change
    const std::string bytes = TRY(read_file(path));
    auto session = read_copy_settings(bytes, path.string());
    if (!session && is_lesson(bytes)) return TRY(read_lesson(bytes, path.string()));
    SessionCopy read = TRY(std::move(session));
    read.stamp = stamp;
    return read;
}

// X or F(X), where the file's name or shape tells.
std::optional<Input> input_of(const OpenRequest& request, const Matrix<double>& m,
                              const Document& d) {
    if (request.as != OpenAs::ask) return request.as == OpenAs::f ? Input::f : Input::x;
    if (request.fresh) return Input::x;
    std::string stem;
    for (const char c : request.path.stem().string())
        if (std::isalnum(static_cast<unsigned char>(c)))
            stem += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    constexpr std::array k_x{"x", "input", "inputs", "xin"};
    constexpr std::array k_f{"f", "fx", "sublayer", "attention", "attn", "ffn", "mlp"};
    if (find_in(k_x, stem)) return Input::x;
    if (find_in(k_f, stem)) return Input::f;
    // A matrix of another shape does not fit beside the other one: the document begins anew with it
    // as X.
    if (m.rows() != d.token_count() || m.cols() != d.feature_count()) return Input::x;
    return std::nullopt;
}

void open_session(App::State& s, const OpenRequest& from, SessionCopy session) {
    const Document& d = session.document;
    if (!fits_document(d.token_count(), d.feature_count()))
        return s.show(ask_part(from.path.filename().string(), d.token_count(), d.feature_count(),
                               [document = d](App::State& app, const CellBlock& part) {
                                   // The whole stays in its file.
                                   replace_document(app, cut_out(document, part));
                               }));
    if (from.copy) return take_back(s, from, std::move(session));
    const bool linked = is_link(from.path.native());
    if (from.fresh)
        begin_with(s, std::move(session.document));
    else
        replace_document(s, std::move(session.document),
                         linked ? std::string(tr("a link")) : from.path.filename().string());
    if (from.stays) session.view.workspace.clear();
    std::error_code error;
    *s.history.kept() = {linked ? fs::path() : fs::absolute(from.path, error), s.document(),
                         session.stamp};
    look_as_saved(s, session.view);
    if (!linked) s.files.recent.add(from.path);
}

// Asks which array of an archive is opened. Too many arrays for one row are named in a complaint.
void ask_array(App::State& s, const OpenRequest& request, const ArrayNames& arrays) {
    constexpr std::size_t k_most = 6;
    if (arrays.size() > k_most)
        return s.complain(worded("{}: holds {}: save one of them by itself with numpy.save",
                                 request.path.string(), list_arrays(arrays)));
    std::vector<Answer> answers{{"cancel", "Cancel", {}}};
    for (const std::string& name : arrays) {
        OpenRequest one = request;
        one.array = name;
        answers.push_back(
            {fmt::format("array-{}", answers.size() - 1), name, given(open_request, one)});
    }
    s.show(ask(worded("Open {}", request.path.filename().string()),
               worded("It holds {} arrays. Which one is to be opened?", arrays.size()),
               std::move(answers)));
}

// The weights of a file become the document's Transformer, in the workspace that shows it.
void take_weights(App::State& s, const OpenRequest& from, const Safetensors& file) {
    const auto read = read_file_weights(file, s.document().transformer.config);
    if (s.complains_of(read)) return;
    const TransformerConfig config = read->model.config;
    const std::string file_name = from.path.filename().string();
    std::string assumed;
    for (const FileSetting& setting : read->settings)
        if (setting.is_assumed())
            assumed += (assumed.empty() ? "" : ", ") +
                       error_text(describe_value(*setting.field, setting.field->get(config)));
    std::string told =
        worded("{}: {}, {} features", file_name, transformer_name(config), config.width);
    if (!assumed.empty()) told = worded("{}; the file does not say, so: {}", told, assumed);
    for (const std::string& note : read->notes) told += "; " + note;
    const auto shared = std::make_shared<const FileWeights>(kept_weights(*read, file_name));
    std::vector<Edit> edits{TakeWeights{shared}};
    if (!read->source.empty()) edits.push_back(SetWords{SentenceSide::source, read->source});
    if (!read->target.empty()) edits.push_back(SetWords{SentenceSide::target, read->target});
    if (!s.apply_edits(std::move(edits))) return;
    const auto& table = workspace_table();
    const auto shows = std::ranges::find_if(table, &Workspace::of_weights);
    if (shows != table.end()) s.view.workspace = static_cast<std::size_t>(shows - table.begin());
    s.files.recent.add(from.path);
    s.say(told);
}

void take_content(App::State& s, const OpenRequest& request, FileContent content) {
    const std::string path = request.path.string();
    if (const Lesson* const lesson = std::get_if<Lesson>(&content)) {
        if (request.as != OpenAs::ask)
            return s.complain(
                worded("{}: this is a lesson, not a matrix: open it by File, Open", path));
        if (!s.complains_of(begin_lesson(s, *lesson))) s.files.recent.add_lesson(request.path);
        return;
    }
    leave_part(s); // a file goes into the person's own document, or takes its place
    const Safetensors* const weights = std::get_if<Safetensors>(&content);
    if (request.as != OpenAs::ask && !std::holds_alternative<LoadedFile>(content))
        return s.complain(
            weights ? worded("{}: these are weights, not a matrix: open them by File, Open", path)
                    : worded("{}: this is a session, not a matrix: open it by File, Open", path));
    if (weights) return take_weights(s, request, *weights);
    if (SessionCopy* session = std::get_if<SessionCopy>(&content))
        return open_session(s, request, std::move(*session));
    LoadedFile& loaded = std::get<LoadedFile>(content);
    if (const ArrayNames* arrays = std::get_if<ArrayNames>(&loaded))
        return ask_array(s, request, *arrays);
    Table* table = std::get_if<Table>(&loaded);
    if (const auto input = table ? input_of(request, table->values, s.document()) : std::nullopt)
        set_input(s, request, std::move(*table), *input);
    else
        s.show(ask_matrix(request, std::move(loaded)));
}

void open_now(App::State& s, const OpenRequest& request) {
    const auto opened = caught(request.path.string(), [&]() -> Result<void> {
        const std::string& name = request.path.native();
        take_content(s, request,
                     is_link(name) ? TRY(read_link(name, TRY(first_document(s.examples))))
                                   : TRY(read_content(request)));
        return {};
    });
    if (!s.complains_of(opened)) return;
    std::error_code error;
    if (!fs::exists(request.path, error)) s.files.recent.remove(request.path);
}

void take_written(App::State& s, FileToWrite file, const Result<void>& done) {
    const Quitting leaving = std::exchange(s.files.leaving, Quitting::no);
    if (s.complains_of(done)) return;
    note_deed(s, file.session                                       ? "session-saved"
                 : figure_format_of(file.path.string()).has_value() ? "figure-exported"
                                                                    : "numbers-exported");
    const std::string path = // of a download, the name
        (s.services.page.empty() ? file.path : file.path.filename()).string();
    if (s.outside.is_imagined())
        return s.say(worded("Shown only: a lesson's solution does not write {}", path));
    s.say(file.session ? worded("Saved {}", path) : worded("Exported {}", path));
    if (file.session) {
        forget_left(s, *file.session);
        *file.kept = {file.path, std::move(file.session), file_stamp(file.path)};
        s.files.recent.add(file.path);
    }
    if (leaving == Quitting::asks) ask_quit(s);
    if (leaving == Quitting::saves) save_and_quit(s);
}

} // namespace

void write(App::State& s, FileToWrite file, AtLink at_link, const MakeFile& make) {
    const auto done = caught(file.path.filename().string(), [&]() -> Result<void> {
        const std::string bytes = TRY(make());
        return s.outside.write(file.path, bytes, at_link);
    });
    take_written(s, std::move(file), done);
}

void do_next(App::State& s, const std::string& said, Command work) {
    if (s.dialogs.empty()) s.say(said);
    s.files.waiting.push_back(std::move(work));
}

void do_waiting(App::State& s) {
    if (s.files.waiting.empty() || !s.dialogs.empty()) return;
    const Command next = std::move(s.files.waiting.front());
    s.files.waiting.pop_front();
    s.unsay();
    next(s);
}

void open_request(App::State& s, OpenRequest request) {
    if (s.complains_of(s.outside.can_read(request.path))) return;
    std::error_code error;
    const std::uintmax_t size = fs::file_size(request.path, error);
    // A packed file may be far larger than it looks.
    const fs::path kind = request.path.extension();
    const bool at_once = (error || size <= k_read_at_once) && kind != ".gz" && kind != ".npz";
    if (at_once && s.files.waiting.empty() && s.dialogs.empty()) return open_now(s, request);
    do_next(s,
            request.copy ? worded("Bringing back unsaved work…")
                         : worded("Opening {}…", request.path.filename().string()),
            given(open_now, request));
}

void open_path(App::State& s, const fs::path& path, OpenAs as) {
    open_request(s, {path, as});
}

void set_input(App::State& s, const OpenRequest& from, Table table, Input input) {
    const std::string name = from.path.filename().string();
    const Index tokens = table.values.rows(), features = table.values.cols();
    if (!fits_document(tokens, features))
        return s.show(ask_part(name, tokens, features,
                               [from, table, input](App::State& app, const CellBlock& part) {
                                   set_input(app, from, cut_out(table, part), input);
                               }));
    leave_part(s);
    s.history.settle(false);
    const Document before = from.fresh ? blank_document(1, 1) : s.document();
    const Edit edit = SetInput{input, std::move(table.values), std::move(table.token_names),
                               std::move(table.feature_names), name};
    std::string told =
        worded("{} is {}: {} of {}", name, symbol(input),
               tokens == 1 ? worded("{} token", tokens) : worded("{} tokens", tokens),
               features == 1 ? worded("{} feature", features) : worded("{} features", features));
    std::optional<StatusAction> to_usual;
    if (from.fresh) {
        const auto made = normscope::apply(before, edit);
        if (!made) return s.complain(from.path.string() + ": " + error_text(made.error()));
        begin_with(s, *made);
        s.history.mark_saved(); // nobody has changed it yet
    } else {
        if (!s.apply_edits({edit})) return;
        const Document& made = s.document();
        s.view.viewport = {};
        told = worded("{}; kept: {}", told, settings_text(made));
        const Input other = input == Input::x ? Input::f : Input::x;
        if ((before.token_count() != tokens || before.feature_count() != features) &&
            !input_values(before, other)->isZero(0))
            told = worded("{}; {}, of {}×{}, does not fit and is 0 now; Undo brings it back", told,
                          symbol(other), before.token_count(), before.feature_count());
        if (!neutral_params(before) && neutral_params(made))
            told = worded("{}; γ and β are 1 and 0 again, as those that were set do not fit", told);
        if (!has_usual_settings(made))
            to_usual = {"Take the usual settings",
                        [](App::State& app) { app.apply_edits({TakeUsualSettings{}}); }};
    }
    s.files.recent.add(from.path);
    s.say(told, to_usual);
}

} // namespace normscope
