#pragma once
#include "app/shell/frame/app.h"
#include "app/shell/menus/dialog.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace normscope {

// What the file browser is asked for.
struct BrowserRequest {
    struct Format {
        std::string label;  // "PNG"
        std::string suffix; // ".png"
    };
    std::string title;
    bool saving = false;         // a name for a file to write, else a file that is there
    std::string name;            // when saving: the one it begins with, without a suffix
    std::vector<Format> formats; // when saving: one of them ends the name
    std::filesystem::path folder;
    std::filesystem::path home;
    std::function<void(App::State&, const std::filesystem::path&)> accept;
    std::function<void(App::State&)> cancelled = [](App::State&) {};
};

std::unique_ptr<Dialog> browse(BrowserRequest request);

} // namespace normscope
