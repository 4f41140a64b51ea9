#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// The files that were opened or saved last, newest first, the lessons among them by themselves, and
// the folder the browser was in. Kept in recent.json; a file that is missing or is something else
// counts as empty.
class RecentFiles {
  public:
    // Reads `folder`/recent.json; with an empty folder nothing is read or kept.
    void load(const std::filesystem::path& folder);

    void add(const std::filesystem::path& file) { add(paths_, file); } // and keeps the list
    void add_lesson(const std::filesystem::path& file) { add(lessons_, file); }
    void remove(const std::filesystem::path& file);
    void visited(const std::filesystem::path& folder); // and keeps it

    template<class A>
    friend void archive(A& a, RecentFiles& files) {
        a("files", files.paths_);
        a("lessons", files.lessons_);
        a("folder", files.last_folder_);
    }

    const std::vector<std::filesystem::path>& paths() const { return paths_; }
    const std::vector<std::filesystem::path>& lessons() const { return lessons_; }
    const std::filesystem::path& folder() const { return last_folder_; } // empty: none yet

  private:
    using Paths = std::vector<std::filesystem::path>;
    void add(Paths& paths, const std::filesystem::path& file);
    void keep() const;

    std::filesystem::path file_; // recent.json
    Paths paths_, lessons_;
    std::filesystem::path last_folder_;
};

// A person's choices for every document, kept in preferences.json. A file that is missing or is
// something else counts as empty.
class Preferences {
  public:
    bool reduce_motion = false;
    bool first_steps_shown = false;
    std::string language; // an id; empty: the system's
    std::string theme;    // an id; empty: the light one
    std::string page;     // the address of a page with NormScope, for links; empty: not known

    template<class A>
    friend void archive(A& a, Preferences& chosen) {
        a("reduce-motion", chosen.reduce_motion);
        a("first-steps-shown", chosen.first_steps_shown);
        a("language", chosen.language);
        a("theme", chosen.theme);
        a("page", chosen.page);
    }

    // Reads `folder`/preferences.json; with an empty folder nothing is read or kept.
    void load(const std::filesystem::path& folder);
    void keep() const;
    bool kept() const { return !file_.empty(); } // there is a place for them

  private:
    std::filesystem::path file_;
};

// The folders for a program's own files (XDG Base Directory Specification 0.8). A path is empty
// where neither its variable nor HOME names an absolute one: nothing is kept there then.
struct UserDirs {
    std::filesystem::path home;
    std::filesystem::path config; // $XDG_CONFIG_HOME/normscope
    std::filesystem::path state;  // $XDG_STATE_HOME/normscope
};

UserDirs user_dirs();

// A folder of the person's own, as the desktop's user-dirs.dirs has it: "XDG_DESKTOP_DIR". None
// where it names none.
std::optional<std::filesystem::path> user_folder(const UserDirs& dirs, std::string_view key);

} // namespace normscope
