#pragma once
#include "app/io/file.h"
#include "app/session/session_file.h"
#include "app/shell/frame/state.h"
#include "app/words/script.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

// The commands of the menus File and Edit, and which document stands on the screen.
namespace normscope {

// Opens a session, or a matrix as `as` says.
void open_path(App::State& state, const std::filesystem::path& path, OpenAs as = OpenAs::ask);
void open_request(App::State& state, OpenRequest request);

// Announces a long command with `said`, and runs it in the next frame in which no question is open.
void do_next(App::State& state, const std::string& said, Command work);
// Runs the first of the waiting commands, at the beginning of every frame.
void do_waiting(App::State& state);

// Opens the example, or where it is of a workspace, its part alone: one step to undo.
void open_example(App::State& state, std::size_t index);
// The one whose name the bar shows: the workspace's own that is open, or else the document's.
const Example* shown_example(const App::State& state);
// By kind; those of other workspaces in submenus.
std::vector<MenuItem> example_items(App::State& state);

// Takes the document's place, as one step that can be undone; a document left with unsaved changes
// is remembered and asked about on quitting. `kept` is where the next one is kept, if anywhere.
void replace_document(App::State& state, Document next, const std::string& name = {},
                      std::shared_ptr<KeptFile> kept = nullptr);

// replace_document() for a document that the program is started with: no undo step leads back to
// the one before, unless a hand was quicker and has changed that one.
void begin_with(App::State& state, Document next, const std::string& name = {});

// A document that was left with unsaved changes is here again, or saved.
void forget_left(App::State& state, const Document& document);

// Forgets where a document was looked at, for another one. `own`: it is the person's own that is
// there again, looked at as it was left.
void look_anew(View& view, const View* own = nullptr);

// A scene or an example is looked at as it was kept.
void show_look(View& view, const std::map<std::string, double>& kept);

// An example is to be seen as it asks for. False: in whichever workspace is open.
bool look_at_example(View& view, const Example& example);

// Before another document takes the place of the one there is. False where nothing is unsaved.
bool note_left(App::State& state);

// A document that was left is there again, in place of the one there is.
void go_back_to(App::State& state, const Unsaved& left);

// The work that would be lost if the program ended now: that on the screen first, then that which
// was left last.
std::vector<Unsaved> unsaved_work(const App::State& state);

void save(App::State& state); // to its file; asks where there is none
// To another one. Asks where that was changed by somebody else since it was opened.
void save_to(App::State& state, const Unsaved& work, const std::filesystem::path& path);

// Numbers as tab-separated lines, which a spreadsheet pastes.
void copy_to_clipboard(App::State& state, const std::shared_ptr<const Table>& numbers);

// A link to the session goes to the clipboard, or what shows one of its panels on a page of somebody
// else. The message says why not, and offers a file.
void copy_link(App::State& state, const FigureEntry* panel = nullptr);
// A Python script that makes the document's numbers again goes to the clipboard.
void copy_script(App::State& state, ScriptFor library);
// Its numbers go to the cells that ask for them.
void read_paste(App::State& state, const std::shared_ptr<Paste>& paste);
// The bytes that `make` makes go into the file; the status line says how it went.
using MakeFile = std::function<Result<std::string>()>;
void write(App::State& state, FileToWrite file, AtLink at_link, const MakeFile& make);
// `write_to` writes to the path; where a link stands there, the user is asked first which file is
// meant.
using WriteTo = std::function<void(App::State&, const std::filesystem::path&, AtLink)>;
void write_at_link(App::State& state, const std::filesystem::path& path, const WriteTo& write_to);

void ask_open(App::State& state);
void ask_save_as(App::State& state);
void ask_where_to_save(App::State& state, const Unsaved& work);
void ask_import(App::State& state, Input input);
// The matrices in their order, as files and the screen name them.
inline constexpr Choice<Tensor> k_tensor_names[] = {{Tensor::x, "x", "X"},
                                                    {Tensor::f, "f", "F(X)"},
                                                    {Tensor::z, "z", "Z"},
                                                    {Tensor::x_hat, "x_hat", "x\u0302"},
                                                    {Tensor::y, "y", "Y"}};
void ask_export_matrix(App::State& state, Tensor which);
void ask_export_figure(App::State& state, const std::string& id); // or "workspace"
// The shown workspace's own file and numbers: Workspace::take_file and numbers.
void ask_own_file(App::State& state);
void ask_export_numbers(App::State& state);

// Quits, once nothing that was not saved would be lost or the hand says so. Until then nothing is
// given up.
void ask_quit(App::State& state);
// Saves what is unsaved first, one document after the other, unless one of them cannot be saved.
void save_and_quit(App::State& state);

// The document's file, or its title, in words for the title bar and questions.
std::string document_name(const App::State& state);
std::string document_name(const Document& document, const std::filesystem::path& file);

// In quotation marks, but for a name that has some of its own.
std::string quoted(const std::string& name);

// Puts an Add & Norm of a stack in the place of the person's own document, which waits with its
// undo history. `part`: what it is called, “block 3”.
void look_at_part(App::State& state, const std::string& part, Document document);

// The person's own document is there again, as it was left; nothing where none is looked at.
// Changes that were made to it are kept as a document that another took the place of.
void leave_part(App::State& state);

// As leave_part(), back in the workspace of the stack.
void lead_back(App::State& state);

// How the document that is kept so is looked at, for its file; nothing where it neither is shown
// nor waits for a lesson or a part.
SessionView session_view(const App::State& state, const std::shared_ptr<KeptFile>& kept);

// As it was looked at when it was saved; what its file does not say stays as it is.
void look_as_saved(App::State& state, const SessionView& view);

// Takes back the last step, or a run that goes on.
// Leads back to the stack from one of its blocks that has no step.
void undo(App::State& state);

// Makes the step that was undone last once more.
void redo(App::State& state);

// Offers copies that other runs left. Undo does not leave what was brought back for what the
// program was started with, unless that was changed.
void offer_recovery(App::State& state, std::vector<Autosave::LeftCopy> all);
// Names the copies in a format that this version does not know; they stay.
void tell_of_unknown_copies(App::State& state, const std::vector<Autosave::LeftCopy>& all);

// A copy that was chosen and read takes the document's place, and is its copy from now on.
void take_back(App::State& state, const OpenRequest& from, SessionCopy copy);

// A sentence or two, and a row of answers; Enter takes the last one, Esc none of them.
struct Answer {
    std::string id;
    std::string label;
    Command run; // may be empty: only closes
};
// One of the things that are asked about, with answers of its own.
struct AskedAbout {
    std::string name, detail;
    std::vector<Answer> answers;
};
std::unique_ptr<Dialog> ask(std::string title, std::string text, std::vector<Answer> answers,
                            std::vector<AskedAbout> list = {});

// Asks which matrix a file becomes, and which slice of a stack is taken.
std::unique_ptr<Dialog> ask_matrix(const OpenRequest& request, LoadedFile loaded);

// Asks which tokens and features of a larger matrix are opened. `take` gets the chosen block.
std::unique_ptr<Dialog> ask_part(const std::string& file, Index tokens, Index features,
                                 std::function<void(App::State&, const CellBlock&)> take);

// Applies a matrix from a file, or asks for a part of it where it is too large.
void set_input(App::State& state, const OpenRequest& from, Table table, Input input);

// A request to the file browser: for a file to open, or for a name to save under.
struct BrowserRequest {
    struct Format {
        std::string label;  // "PNG"
        std::string suffix; // ".png"
    };
    std::string title = {};
    bool saving = false;              // a name for a file to write, else a file that is there
    std::string name = {};            // when saving: the one it begins with, without a suffix
    std::vector<Format> formats = {}; // when saving: one of them ends the name
    std::function<void(App::State&, const std::filesystem::path&)> accept;
    std::function<void(App::State&)> cancelled = [](App::State&) {};
};

// Asks for a file, from the folder that was chosen last.
void browse(App::State& s, BrowserRequest request);

// Asks where to write. `write_to` hears what becomes of a link of that name.
void ask_to_write(App::State& s, std::string title, std::string name,
                  std::vector<BrowserRequest::Format> formats, WriteTo write_to);

} // namespace normscope
