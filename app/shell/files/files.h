#pragma once
#include "app/io/load.h"
#include "app/io/safetensors/safetensors.h"
#include "app/model/history.h"
#include "app/session/lesson/lesson.h"
#include "app/session/session_file.h"
#include "app/shell/files/autosave.h"
#include "app/shell/files/outside.h"
#include "app/shell/files/user_files.h"
#include "app/shell/frame/app.h"
#include "core/base/result.h"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// The use of a file that is opened.
enum class OpenAs : std::uint8_t {
    ask, // a session opens at once; a dialog asks about a matrix whose name and shape do not tell
    x,
    f
};

struct OpenRequest {
    std::filesystem::path path;
    OpenAs as = OpenAs::ask;
    // The program was started with it: a matrix begins a new document instead of going into the one
    // there is, and there is nothing before it to go back to.
    bool fresh = false;
    bool stays = false;     // in the workspace there is, whatever a session says
    std::string array = {}; // of a .npz, once it was chosen
    // Unsaved work that another run left; null: a file of the user's.
    std::shared_ptr<HeldFile> copy = nullptr;
};

using FileContent = std::variant<SessionCopy, LoadedFile, Safetensors, Lesson>;

struct FileToWrite {
    std::filesystem::path path;
    std::optional<Document> session = {};     // none: an export
    std::shared_ptr<KeptFile> kept = nullptr; // of the session
};

// A document with changes, and the file it has, if any.
struct Unsaved {
    Document document;
    std::shared_ptr<KeptFile> kept;
    std::string changed = {}; // last, as undo names it
};

// The end of the program waits for this once a session is saved.
enum class Quitting : std::uint8_t {
    no,   // it is not about to end
    asks, // about what is unsaved still
    saves // all of it, one after the other
};

// The files that the program remembers.
struct Files {
    RecentFiles recent;
    std::vector<Unsaved> left_unsaved; // those that another one took the place of
    Quitting leaving = Quitting::no;
    // Long commands. Each begins a frame of its own once no question is open, so that the screen
    // announces the command first.
    std::deque<Command> waiting;
    Autosave autosave;
};

} // namespace normscope
