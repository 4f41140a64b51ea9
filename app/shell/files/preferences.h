#pragma once
#include <filesystem>
#include <string>

namespace normscope {

// What a person chose once for every document. Kept in preferences.json; a file that is missing or
// is something else counts as empty.
class Preferences {
  public:
    bool reduce_motion = false;
    bool first_steps_shown = false;
    std::string language; // an id; empty: the system's

    // Reads `folder`/preferences.json; with an empty folder nothing is read or kept.
    void load(const std::filesystem::path& folder);
    void keep() const;
    bool kept() const { return !file_.empty(); } // there is a place for them

  private:
    std::filesystem::path file_;
};

} // namespace normscope
