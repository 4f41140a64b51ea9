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
#include "app/study/job.h"
#include "core/base/result.h"

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace normscope {

// What a file that is being opened becomes.
enum class OpenAs : std::uint8_t {
    ask, // a session by itself; of a matrix the hand is asked where neither name nor shape tell
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

struct OpenedFile {
    OpenRequest request;
    Result<FileContent> content;
};

struct FileToWrite {
    std::filesystem::path path;
    std::optional<Document> session = {};     // none: an export
    std::shared_ptr<KeptFile> kept = nullptr; // of the session
    Outside outside = {};                     // where the path is; write() sets it
};

// A document with changes, and the file it has, if any.
struct Unsaved {
    Document document;
    std::shared_ptr<KeptFile> kept;
};

// The end of the program waits for this once a session is saved.
enum class Quitting : std::uint8_t {
    no,   // it is not about to end
    asks, // about what is unsaved still
    saves // all of it, one after the other
};

// The files that the program remembers, and what it reads and writes at the moment.
struct Files {
    explicit Files(const std::function<void()>& wake)
        : opening(wake), writing(wake), errand(wake) {}

    RecentFiles recent;
    std::vector<Unsaved> left_unsaved; // those that another one took the place of
    Quitting leaving = Quitting::no;

    std::deque<OpenRequest> waiting;
    OpenRequest being_opened;
    Job<FileContent> opening;
    FileToWrite being_written;
    Job<void> writing;
    // Other work: what it returns is done on the screen's thread.
    Job<Command> errand;
    Autosave autosave; // last: ends before the tasks do

    // A session that is being written when the program ends is written to its end.
    ~Files();

    bool busy() const {
        return opening.busy() || writing.busy() || errand.busy() || !waiting.empty();
    }
    // The program looks again by itself, before a worker wakes it.
    bool restless() const {
        return opening.just_begun() || writing.just_begun() || errand.just_begun();
    }
    // What takes long, and how far it is: "Opening a.csv… 43 %"; or empty. stop() ends it.
    std::string busy_note() const;
    void stop();
};

} // namespace normscope
