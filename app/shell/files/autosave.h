#pragma once
#include "app/io/file.h"
#include "app/model/history.h"
#include "app/session/session_copy.h"
#include "core/base/result.h"

#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace normscope {

// A document as it stands, and what it is kept as: the same as long as it is edited.
struct Work {
    std::shared_ptr<const KeptFile> kept;
    SessionCopy copy;
};

// Copies of unsaved work on the disk, one a document, written on a thread of its own, or within
// note(), as soon as the document changes. A copy goes when its document is saved or discarded; one
// that nobody holds tells that its program broke off.
//
// A copy is FOLDER/autosave-PROCESS-N.copy, a session (session_copy.h), readable by its user alone,
// and as long as its program runs locked (flock), so that other programs leave it alone, also those
// that share the folder from a container or another machine. Each change writes the whole session
// into a new file, which takes the copy's place by a rename. Copies of the first versions are
// sessions called autosave-PROCESS-START.normscope.json, which nobody locks.
class Autosave {
  public:
    ~Autosave() { end(true); }

    // Keeps copies in `folder`; without this call nothing is ever written. `wake` is called on the
    // thread when there is a complaint.
    void begin(const std::filesystem::path& folder, std::function<void()> wake);

    // Every unsaved document. Cheap where nothing has changed.
    void note(std::vector<Work> unsaved);

    // A copy that another program left is this one's from now on: of the document kept as `kept`,
    // which is noted next.
    void adopt(const std::shared_ptr<const KeptFile>& kept, HeldFile copy);

    // Waits until what was noted last is written. On any thread.
    void flush();

    // Why there are no copies, once until there are some again.
    std::optional<std::string> take_complaint();

    // Ends the thread. With `keep` the copies of unsaved documents stay.
    void end(bool keep);

    // The copies of programs that do not run any more, the newest first.
    struct LeftCopy {
        std::filesystem::path path;
        std::filesystem::file_time_type written;
        CopyHead head;
    };
    static std::vector<LeftCopy> left_behind(const std::filesystem::path& folder);

  private:
    struct Copy {
        HeldFile file;
        std::optional<SessionCopy> written;
    };
    void run(const std::stop_token& stop);
    void write_noted(std::unique_lock<std::mutex>& lock); // mutex_ is locked
    Result<void> write(const std::vector<Work>& all);
    Result<void> write(Copy& copy, const SessionCopy& now);

    std::filesystem::path folder_;
    std::function<void()> wake_;             // null: nothing is ever written
    std::map<const KeptFile*, Copy> copies_; // of the writer's thread while it runs
    std::vector<Descriptor> unsynced_;       // as copies_

    std::mutex mutex_;
    std::condition_variable_any changed_, idle_;
    // Guarded by mutex_. Only note() writes noted_, so that its thread may read it at any time.
    std::vector<Work> noted_;
    std::map<const KeptFile*, HeldFile> adopted_;
    bool dirty_ = false, writing_ = false, failed_ = false;
    std::optional<std::string> complaint_;
    std::jthread writer_;
};

} // namespace normscope
