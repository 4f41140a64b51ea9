#pragma once
#include "app/document/history.h"
#include "app/io/load.h"
#include "app/shell/autosave.h"
#include "app/shell/recent_files.h"
#include "app/shell/task.h"
#include "core/result.h"

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
};

struct OpenedFile {
    OpenRequest request;
    Result<std::variant<Document, LoadedFile>> content;
};

struct WrittenFile {
    std::filesystem::path path;
    std::optional<Document> session; // what was saved; none: an export
    std::shared_ptr<KeptFile> kept;  // of the session
    Result<void> done;
};

// A document with changes that another one took the place of, and the file it has, if any.
struct LeftUnsaved {
    Document document;
    std::shared_ptr<KeptFile> kept;
};

// What the program knows about files besides the one of the document: what is being read or
// written.
struct Files {
    RecentFiles recent;
    std::vector<LeftUnsaved> left_unsaved;
    bool quit_after_save = false;

    std::deque<OpenRequest> waiting;
    Task<OpenedFile> opening;
    Task<WrittenFile> writing;
    std::string opening_name, writing_name;
    Autosave autosave; // last: ends before the tasks do

    bool busy() const { return opening.busy() || writing.busy() || !waiting.empty(); }
    std::string busy_note() const;
};

} // namespace normscope
