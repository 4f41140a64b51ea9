#pragma once
#include "app/shell/frame/follower.h"
#include "app/study/backward/backward.h"
#include "app/study/batch_vs_layer/batch_memo.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "app/workspaces/shared/frame.h"
#include "app/workspaces/workspace_table.h"

#include <functional>

namespace normscope {

// For Follower, which knows by it the input that failed.
inline bool operator==(const BatchInput& a, const BatchInput& b) {
    return a.document == b.document && a.since == b.since;
}

// Keeps up what the open workspace shows of the document beyond its derivation.
class Followers {
  public:
    // Of a document of more values, what a workspace shows is made on a worker. Three norms and
    // what they say take longer than one and its gradients.
    static constexpr Index k_backward_at_once = Index{1} << 19;
    static constexpr Index k_batch_at_once = Index{1} << 18;

    explicit Followers(const std::function<void()>& wake)
        : backward_(wake), batch_(wake), small_batches_(wake) {}

    // Brings up what `needs` says and leaves it in `memory`. `began`: the document when the drag
    // that goes on began, or null. False: the first of it is still being made.
    bool update(Needs needs, const Document& document, const Document* began, DrawMemory& memory);

    bool computing() const;
    bool slow() const; // for long enough to say so
    bool just_begun() const;
    std::optional<Error> take_error(); // see Follower

  private:
    Follower<Backward> backward_;
    Follower<BatchStudy> batch_;
    Follower<SmallBatches> small_batches_;
};

} // namespace normscope
