#pragma once
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "app/study/lab/lab.h"
#include "app/study/lesson/race_end.h"
#include "app/study/study.h"
#include "app/workspaces/shared/view.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace normscope {

// One workspace's memory between frames, so that drawing does not compute the same thing again: a
// struct in its folder.
struct OwnMemory {
    virtual ~OwnMemory() = default;
};

// The numbers that follow from the document, and each workspace's memory. Owned by the app.
class DrawMemory {
  public:
    explicit DrawMemory(
        int threads = Lab::usual_threads(), std::function<void()> wake = [] {})
        : lab(threads, std::move(wake)) {}

    Lab lab;
    Study<Derived> derived;
    RaceEnds race_ends; // that lessons ask for

    template<class T>
    T& of() {
        for (const auto& own : own_)
            if (auto* const found = dynamic_cast<T*>(own.get())) return *found;
        return static_cast<T&>(*own_.emplace_back(std::make_unique<T>()));
    }

  private:
    std::vector<std::unique_ptr<OwnMemory>> own_; // of those that were asked for
};

// The input of a workspace in one frame. A workspace never writes the document.
struct Frame {
    const Document& document;
    const Derived& derived;
    const View& view;
    const Derived* ghost = nullptr; // as it stood when the drag that is going on began
    DrawMemory& memory;
    // The values before the last edit, with which the present ones are compared, or null.
    const Derived* before = nullptr;
};

// The requests of a workspace. `view` starts as a copy of the frame's, without its hover.
struct Actions {
    std::vector<Edit> edits;
    View view;
    // The data that the keyboard is on: they light up as data under the mouse do.
    std::optional<Hover> keyed = std::nullopt;
    std::string status;       // one sentence for the status line
    bool open_file = false;   // the user is to choose one
    bool own_file = false;    // the same of Workspace::take_file
    bool own_numbers = false; // the user is to say where Workspace::numbers go
    // A request to the workspace's own studies: to stop, to go on, or to open an Add & Norm.
    std::function<void(DrawMemory&, const Document&)> ask = nullptr;
};

// A turn in a frame: where one draws, what one reads, and what one asks for.
struct Turn : Ui {
    Rect rect;
    const Frame& frame;
    Actions& actions;
};

} // namespace normscope
