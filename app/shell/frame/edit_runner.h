#pragma once
#include "app/model/edit.h"
#include "app/study/job.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>

namespace normscope {

// Applies edits that take longer than a frame on a worker, one at a time, while the document stays
// on the screen as it is.
class EditRunner {
  public:
    struct Applied {
        Edit edit;
        std::string said;
        Result<Document> document;
    };

    // `wake` is called on the worker when an edit is applied.
    explicit EditRunner(std::function<void()> wake) : job_(std::move(wake)) {}

    // In place of one that is waited for. `said`: what is to be said once it is applied.
    void start(const Document& document, Edit edit, std::string said = {}) {
        wanted_ = Wanted{document, std::move(edit), std::move(said), Clock::now()};
        run();
    }

    // What was waited for, once. What was started with another document than `now` is dropped: it
    // would take the changes since then back.
    std::optional<Applied> take(const Document& now) {
        if (wanted_ && !same_objects(wanted_->from, now)) drop();
        std::optional<Applied> applied;
        if (auto made = job_.take(); made && wanted_ && wanted_->runs) {
            applied = Applied{std::move(wanted_->edit), std::move(wanted_->said), std::move(*made)};
            drop();
        }
        run();
        return applied;
    }

    // Nobody waits any more.
    void drop() { wanted_.reset(); }

    // The edit that is waited for, or null.
    const Edit* waits_for() const { return wanted_ ? &wanted_->edit : nullptr; }
    // Whether other edits have to wait, as they may mean another place once it is applied.
    bool comes_first() const { return wanted_ && !gives_way(wanted_->edit); }
    bool just_begun() const { return wanted_ && !slow(); }
    // For so long that a person asks why nothing happens.
    bool slow() const { return wanted_ && Clock::now() - wanted_->since >= k_silent; }

  private:
    using Clock = std::chrono::steady_clock;
    struct Wanted {
        Document from;
        Edit edit;
        std::string said;
        Clock::time_point since;
        bool runs = false;
    };
    void run() {
        if (!wanted_ || wanted_->runs || job_.busy()) return;
        wanted_->runs = true;
        job_.start(describe(wanted_->edit, wanted_->from),
                   [from = wanted_->from, edit = wanted_->edit](const Progress&) {
                       return apply(from, edit);
                   });
    }

    std::optional<Wanted> wanted_;
    Job<Document> job_; // last: joined before what it uses goes
};

} // namespace normscope
