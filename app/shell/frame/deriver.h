#pragma once
#include "app/shell/frame/follower.h"
#include "app/study/add_norm/derived.h"

#include <functional>
#include <memory>

namespace normscope {

// Keeps the derivation up with the document. Up to k_at_once values it is made where it is asked
// for; a larger one takes longer than a frame may, so it is made on a worker while the last one
// stays on the screen.
class Deriver {
  public:
    static constexpr Index k_at_once = k_derived_at_once;

    explicit Deriver(std::function<void()> wake) : follower_(std::move(wake)) {}

    // What to show for `document`: its derivation, or `shown`, the one before, until it is ready.
    // `shown` may be null: then the first one is waited for.
    std::shared_ptr<const Derived> update(const Document& document,
                                          std::shared_ptr<const Derived> shown) {
        const bool small = !shown || document.x->size() <= k_at_once;
        return follower_.update(document, std::move(shown),
                                small ? Where::here : Where::on_a_worker);
    }

    bool computing() const { return follower_.computing(); }
    bool slow() const { return follower_.slow(); }
    std::optional<Error> take_error() { return follower_.take_error(); }
    bool just_begun() const { return follower_.just_begun(); }

  private:
    Follower<Derived> follower_;
};

} // namespace normscope
