#include "app/shell/files/file_commands.h"

#include "app/charts/cairo_canvas.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/session/document_json.h"
#include "app/session/file_weights.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <system_error>
#include <variant>

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_read_at_once = 1 << 20; // bytes; a larger file is read on a worker

Result<FileContent> read_content(const OpenRequest& request, const Progress& progress) {
    const fs::path& path = request.path;
    // tl::expected leaks where one Result is turned into another.
    const auto as_content = [](auto&& content) { return FileContent(std::move(content)); };
    return caught(path.string(), [&]() -> Result<FileContent> {
        if (request.copy)
            return read_whole(request.copy->descriptor, path)
                .and_then([&](const std::string& bytes) {
                    return read_session_copy(bytes, path.string(), progress);
                })
                .map(as_content);
        if (lower_case(path.extension().string()) == ".safetensors")
            return open_safetensors(path).map(as_content);
        if (path.extension() != ".json")
            return load_file(path, progress, request.array).map(as_content);
        const std::string stamp = file_stamp(path); // what comes while it is read is a change
        const auto bytes = TRY(read_file(path));
        auto session = TRY(read_copy_settings(bytes, path.string(), nullptr, progress));
        session.stamp = stamp;
        return session;
    });
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
    if (std::find(k_x.begin(), k_x.end(), stem) != k_x.end()) return Input::x;
    if (std::find(k_f.begin(), k_f.end(), stem) != k_f.end()) return Input::f;
    // What does not fit beside the other matrix begins anew, and that is with X.
    if (m.rows() != d.token_count() || m.cols() != d.feature_count()) return Input::x;
    return std::nullopt;
}

void open_session(App::State& s, const OpenRequest& from, SessionCopy session) {
    if (from.fresh)
        begin_with(s, std::move(session.document));
    else
        replace_document(s, std::move(session.document), from.path.filename().string());
    if (from.stays) session.view.workspace.clear();
    std::error_code error;
    *s.history.kept() = {fs::absolute(from.path, error), s.document(), session.stamp};
    look_as_saved(s, session.view);
    s.files.recent.add(from.path);
}

// Of an archive of several arrays. More than have room beside one another are named only.
void ask_array(App::State& s, const OpenRequest& request, const ArrayNames& arrays) {
    constexpr std::size_t k_most = 6;
    if (arrays.size() > k_most)
        return s.complain(worded("{}: holds {}: save one of them by itself with numpy.save",
                                 request.path.string(), list_arrays(arrays)));
    std::vector<Answer> answers{{"cancel", "Cancel", {}}};
    for (const std::string& name : arrays) {
        OpenRequest one = request;
        one.array = name;
        answers.push_back({fmt::format("array-{}", answers.size() - 1), name,
                           [one](App::State& app) { open_request(app, one); }});
    }
    s.show(ask(worded("Open {}", request.path.filename().string()),
               worded("It holds {} arrays. Which one is to be opened?", arrays.size()),
               std::move(answers)));
}

// The weights of a file become the document's Transformer, in the workspace that shows it.
void take_weights(App::State& s, const OpenRequest& from, const Safetensors& file) {
    const auto read = read_file_weights(file, s.document().transformer.config);
    if (!read) return s.complain(error_text(read.error()));
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

void take_content(App::State& s, OpenedFile file) {
    if (!file.content) {
        s.complain(error_text(file.content.error()));
        std::error_code error;
        if (!fs::exists(file.request.path, error)) s.files.recent.remove(file.request.path);
        return;
    }
    leave_part(s); // a file goes into the person's own document, or takes its place
    const Safetensors* const weights = std::get_if<Safetensors>(&*file.content);
    const std::string path = file.request.path.string();
    if (file.request.as != OpenAs::ask && !std::holds_alternative<LoadedFile>(*file.content))
        return s.complain(
            weights ? worded("{}: these are weights, not a matrix: open them by File, Open", path)
                    : worded("{}: this is a session, not a matrix: open it by File, Open", path));
    if (weights) return take_weights(s, file.request, *weights);
    if (SessionCopy* session = std::get_if<SessionCopy>(&*file.content))
        return file.request.copy ? take_back(s, file.request, std::move(*session))
                                 : open_session(s, file.request, std::move(*session));
    LoadedFile& loaded = std::get<LoadedFile>(*file.content);
    if (const ArrayNames* arrays = std::get_if<ArrayNames>(&loaded))
        return ask_array(s, file.request, *arrays);
    Table* table = std::get_if<Table>(&loaded);
    const auto input = table ? input_of(file.request, table->values, s.document()) : std::nullopt;
    if (input)
        set_input(s, file.request, std::move(*table), *input);
    else
        s.show(ask_matrix(std::move(file)));
}

void take_opened(App::State& s, OpenedFile file) {
    const std::string name = file.request.path.string();
    const auto taken = caught(name, [&]() -> Result<void> {
        take_content(s, std::move(file));
        return {};
    });
    if (!taken) s.complain(error_text(taken.error()));
}

void take_written(App::State& s, FileToWrite file, const Result<void>& done) {
    const Quitting leaving = std::exchange(s.files.leaving, Quitting::no);
    if (!done) return s.complain(error_text(done.error()));
    note_deed(s, file.session                                       ? "session-saved"
                 : figure_format_of(file.path.string()).has_value() ? "figure-exported"
                                                                    : "numbers-exported");
    const std::string path = file.path.string();
    if (file.outside.is_imagined())
        return s.say(worded("Shown only: a lesson's solution does not write {}", path));
    s.say(file.session ? worded("Saved {}", path) : worded("Exported {}", path));
    if (file.session) {
        forget_left(s, *file.session);
        // Changes made while it was written are unsaved still.
        *file.kept = {file.path, std::move(file.session), file_stamp(file.path)};
        s.files.recent.add(file.path);
    }
    if (leaving == Quitting::asks) ask_quit(s);
    if (leaving == Quitting::saves) save_and_quit(s);
}

} // namespace

Where where_to_work(Index values) {
    constexpr Index k_at_once = 1 << 17; // that are written or made
    return values <= k_at_once ? Where::here : Where::on_a_worker;
}

Result<void> write_made(const FileToWrite& file, AtLink at_link, const Progress& progress,
                        const MakeFile& make) {
    constexpr double k_made = 0.9; // share of the time
    const auto bytes = TRY(make(progress.part(0, k_made)));
    TRY(progress.at(k_made));
    return file.outside.write(file.path, bytes, at_link, progress.part(k_made, 1));
}

void write(App::State& s, Where where, FileToWrite file, AtLink at_link, const MakeFile& make) {
    Files& files = s.files;
    const std::string name = file.path.filename().string();
    file.outside = s.outside;
    const auto work = [file, at_link, make](const Progress& progress) {
        return write_made(file, at_link, progress, make);
    };
    if (where == Where::here)
        return take_written(s, std::move(file), caught(name, [&] { return work({}); }));
    if (files.writing.busy())
        return s.complain(worded("“{}” is being written: try again in a moment",
                                 files.being_written.path.filename().string()));
    files.being_written = std::move(file);
    files.writing.start(worded("Writing {}", name), work);
}

Files::~Files() {
    opening.stop();
    errand.stop();
    if (!being_written.session) writing.stop();
}

std::string Files::busy_note() const {
    const auto note = [](const auto& job) {
        if (job.stopped()) return worded("{}… It stops as soon as it can.", job.name());
        const int percent = static_cast<int>(100 * job.share());
        return percent > 0 ? worded("{}… {} %", job.name(), percent) : job.name() + "…";
    };
    if (opening.slow()) return note(opening);
    if (errand.slow()) return note(errand);
    return writing.slow() ? note(writing) : std::string();
}

void Files::stop() {
    if (opening.slow())
        opening.stop();
    else if (errand.slow())
        errand.stop();
    else
        writing.stop();
}

void run_errand(App::State& s, Where where, const std::string& name,
                const Job<Command>::Work& work) {
    const auto finish = [&](const Result<Command>& done) {
        if (done)
            (*done)(s);
        else
            s.complain(error_text(done.error()));
    };
    if (where == Where::here) return finish(caught(name, [&] { return work({}); }));
    if (s.files.errand.busy())
        return s.complain(worded("{} goes on: try again in a moment", s.files.errand.name()));
    s.files.errand.start(name, work);
}

void open_request(App::State& s, OpenRequest request) {
    if (const auto can = s.outside.can_read(request.path); !can)
        return s.complain(error_text(can.error()));
    std::error_code error;
    const std::uintmax_t size = fs::file_size(request.path, error);
    // A packed file may be far larger than it looks.
    const fs::path kind = request.path.extension();
    const bool at_once = (error || size <= k_read_at_once) && kind != ".gz" && kind != ".npz";
    if (at_once && !s.files.busy() && s.dialogs.empty()) {
        auto content = read_content(request, {});
        return take_opened(s, {std::move(request), std::move(content)});
    }
    s.files.waiting.push_back(std::move(request));
}

void open_path(App::State& s, const fs::path& path, OpenAs as) {
    open_request(s, {path, as});
}

void take_finished_files(App::State& s) {
    Files& files = s.files;
    if (const auto done = files.writing.take()) {
        if (!*done && files.writing.stopped()) {
            files.leaving = Quitting::no;
            s.say(worded("Stopped: {} is as it was", files.being_written.path.string()));
        } else {
            take_written(s, std::move(files.being_written), *done);
        }
    }
    if (const auto done = files.errand.take()) {
        if (files.errand.stopped())
            s.say(worded("Stopped: {}", files.errand.name()));
        else if (*done)
            s.defer(**done);
        else
            s.complain(error_text(done->error()));
    }
    // What is asked is answered first; a matrix that was read is set by an errand.
    if (!s.dialogs.empty() || files.errand.busy()) return;
    if (auto content = files.opening.take()) {
        if (files.opening.stopped())
            s.say(worded("Stopped: {} was not opened",
                         std::exchange(files.being_opened, {}).path.string()));
        else
            return take_opened(s, {std::move(files.being_opened), std::move(*content)});
    }
    if (files.opening.busy() || files.waiting.empty()) return;
    files.being_opened = std::move(files.waiting.front());
    files.waiting.pop_front();
    const OpenRequest next = files.being_opened;
    files.opening.start(next.copy ? "Bringing back unsaved work"
                                  : worded("Opening {}", next.path.filename().string()),
                        [next](const Progress& progress) { return read_content(next, progress); });
}

void set_input(App::State& s, const OpenRequest& from, Table table, Input input) {
    leave_part(s);
    s.history.settle(false);
    const std::string name = from.path.filename().string();
    const Index tokens = table.values.rows(), features = table.values.cols();
    const auto edit = std::make_shared<const Edit>(SetInput{input, std::move(table.values),
                                                            std::move(table.token_names),
                                                            std::move(table.feature_names), name});
    const Document before = from.fresh ? blank_document(1, 1) : s.document();
    const auto work = [=](const Progress&) -> Result<Command> {
        const auto made = normscope::apply(before, *edit);
        if (!made && from.fresh) return fail("{}: {}", from.path.string(), made.error());
        std::string told = worded(
            "{} is {}: {} of {}", name, symbol(input),
            tokens == 1 ? worded("{} token", tokens) : worded("{} tokens", tokens),
            features == 1 ? worded("{} feature", features) : worded("{} features", features));
        std::optional<StatusAction> to_usual;
        if (made && !from.fresh) {
            told = worded("{}; kept: {}", told, settings_text(*made));
            const Input other = input == Input::x ? Input::f : Input::x;
            if ((before.token_count() != tokens || before.feature_count() != features) &&
                !input_values(before, other)->isZero(0))
                told = worded("{}; {}, of {}×{}, does not fit and is 0 now; Undo brings it back",
                              told, symbol(other), before.token_count(), before.feature_count());
            if (!neutral_params(before) && neutral_params(*made))
                told = worded("{}; γ and β are 1 and 0 again, as those that were set do not fit",
                              told);
            if (!has_usual_settings(*made))
                to_usual = {"Take the usual settings",
                            [](App::State& app) { app.apply_edits({TakeUsualSettings{}}); }};
        }
        return Command([=](App::State& then) {
            if (from.fresh) {
                begin_with(then, *made);
                then.history.mark_saved(); // nobody has changed it yet
            } else {
                if (!same_objects(then.document(), before))
                    return then.complain(
                        worded("{} was not opened: the document has changed since", name));
                if (!then.accept(*edit, made)) return;
                then.view.viewport = {};
            }
            then.files.recent.add(from.path);
            then.say(told, to_usual);
        });
    };
    run_errand(s, where_to_work(tokens * features), worded("Opening {}", name), work);
}

void open_example(App::State& s, std::size_t index) {
    const auto work = [example = s.examples[index]](const Progress&) -> Result<Command> {
        auto document = TRY(open_example(example));
        return [=](App::State& then) {
            leave_lesson(then);
            leave_part(then);
            const Document left = then.document();
            const std::shared_ptr<KeptFile> left_in = then.history.kept();
            Document next = document;
            next.scenes = left.scenes; // of several examples, one after the other
            replace_document(then, std::move(next));
            Document without_scenes = left;
            without_scenes.scenes = {};
            if (left_in->path.empty() && left_in->saved == without_scenes) forget_left(then, left);
            then.view.pinned_token = example.token;
            if (const auto workspace = workspace_index(example.workspace))
                then.view.workspace = *workspace;
            else if (workspace_table()[then.view.workspace].hides_matrices)
                then.view.workspace = 0;           // its matrices are nowhere to be seen there
            then.history.kept()->saved = document; // an example is there to be opened again
            then.say(example.about);
        };
    };
    const auto* recipe = std::get_if<ActivationRecipe>(&s.examples[index].source);
    run_errand(s, where_to_work(recipe ? recipe->tokens * recipe->features : 0),
               worded("Opening {}", s.examples[index].title), work);
}

} // namespace normscope
