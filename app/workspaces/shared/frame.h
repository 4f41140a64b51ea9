#pragma once
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "app/study/node.h"
#include "app/study/study.h"
#include "app/workspaces/shared/view.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace normscope {

// What drawing keeps for one workspace between frames so as not to compute the same thing again: a
// struct in its folder. Its constructor takes `wake`, which a worker calls when a result is ready.
struct OwnMemory {
    virtual ~OwnMemory() = default;
    virtual std::vector<KeptUp*> kept_up() { return {}; }
};

// What follows from the document, and what each workspace keeps. Owned by the app.
class DrawMemory {
  public:
    using Wake = std::function<void()>;

    explicit DrawMemory(Wake wake = [] {}) : wake_(std::move(wake)) {}

    Study<Derived> derived;

    template<class T>
    T& of() {
        for (const auto& own : own_)
            if (auto* const found = dynamic_cast<T*>(own.get())) return *found;
        return static_cast<T&>(*own_.emplace_back(std::make_unique<T>(wake_)));
    }

    template<class F>
    void each_kept_up(F&& f) {
        for (const auto& own : own_)
            for (KeptUp* const kept : own->kept_up()) f(*kept);
    }
    bool computing() const { return any(&KeptUp::computing); }
    bool slow() const { return any(&KeptUp::slow); } // for long enough to say so
    bool just_begun() const { return any(&KeptUp::just_begun); }

  private:
    bool any(bool (KeptUp::*is)() const) const {
        return std::ranges::any_of(own_, [&](const auto& own) {
            return std::ranges::any_of(own->kept_up(),
                                       [&](const KeptUp* kept) { return (kept->*is)(); });
        });
    }

    Wake wake_;
    std::vector<std::unique_ptr<OwnMemory>> own_; // of those that were asked for
};

// What a workspace reads. It never writes the document.
struct Frame {
    const Document& document;
    const Derived& derived;
    const View& view;
    const Derived* ghost = nullptr; // as it stood when the drag that is going on began
    DrawMemory& memory;
    // As it stood before the last edit, or null: what the numbers are compared with.
    const Derived* before = nullptr;
};

// What a workspace asks for. `view` starts as a copy of the frame's, without its hover.
struct Actions {
    std::vector<Edit> edits;
    View view;
    // What the keyboard is on: lights up as what the mouse is over does.
    std::optional<Hover> keyed = std::nullopt;
    std::string status;       // one sentence for the status line
    bool open_file = false;   // the user is to choose one
    bool own_file = false;    // the same of Workspace::take_file
    bool own_numbers = false; // the user is to say where Workspace::numbers go
    // Of its own studies of the document: to stop, or to go on.
    std::function<void(DrawMemory&, const Document&)> ask = nullptr;
};

// A turn in a frame: where one draws, what one reads, and what one asks for.
struct Turn {
    Ui& ui;
    Rect rect;
    const Frame& frame;
    Actions& actions;
};

} // namespace normscope
