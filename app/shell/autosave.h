#pragma once
#include "app/document/session_file.h"
#include "core/result.h"

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace normscope {

// A copy of unsaved work on the disk, written a moment after changes settle, on a thread of its
// own. It goes when the program ends properly; one that is left behind tells that it did not. Each
// running program has its own file, named by its process and when that began.
class Autosave {
  public:
    Autosave() = default;
    ~Autosave();
    Autosave(const Autosave&) = delete;
    Autosave& operator=(const Autosave&) = delete;

    // Keeps the copy in `folder`; without this call nothing is ever written.
    void begin(const std::filesystem::path& folder);

    // The document as it stands after a gesture, and its file, if it has one. Cheap when it is the
    // one of the last call.
    void note(const Document& document, bool saved, const std::filesystem::path& file);

    // Writes a copy before it returns.
    Result<void> keep_now(const SessionCopy& copy) const;

    // Ends the thread. With `keep` what was noted last is written first, else the copy is removed.
    void end(bool keep);

    // The copies whose programs do not run any more, the newest first.
    struct LeftCopy {
        std::filesystem::path path;
        std::filesystem::file_time_type written;
    };
    static std::vector<LeftCopy> left_behind(const std::filesystem::path& folder);

  private:
    void run(const std::stop_token& stop);

    std::filesystem::path file_;
    std::optional<Document> last_; // as noted; of the caller's thread
    bool last_saved_ = true;

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::optional<SessionCopy> pending_; // guarded by mutex_
    bool remove_ = false;                // guarded by mutex_
    std::jthread writer_;
};

} // namespace normscope
