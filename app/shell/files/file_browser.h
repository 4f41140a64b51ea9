#pragma once
#include "app/io/file.h"
#include "app/shell/frame/app.h"
#include "app/shell/menus/dialog.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace normscope {

// What the file browser is asked for.
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
                  std::vector<BrowserRequest::Format> formats,
                  std::function<void(App::State&, const std::filesystem::path&, AtLink)> write_to);

} // namespace normscope
