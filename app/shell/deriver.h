#pragma once
#include "app/document/derived.h"
#include "app/shell/task.h"

#include <functional>
#include <memory>

namespace normscope {

// Keeps the derivation up with the document. Up to k_at_once values it is made where it is asked
// for; a larger one takes longer than a frame may, so it is made on a worker while the last one
// stays on the screen.
class Deriver {
  public:
    static constexpr Index k_at_once = Index{1} << 22;

    explicit Deriver(std::function<void()> wake) : wake_(std::move(wake)) {}

    // What to show for `document`: its derivation, or `shown`, the one before, until it is ready.
    // `shown` may be null: then the first one is waited for.
    std::shared_ptr<const Derived> update(const Document& document,
                                          std::shared_ptr<const Derived> shown);

    bool computing() const { return task_.busy(); }

  private:
    std::function<void()> wake_;
    Task<std::shared_ptr<const Derived>> task_;
};

// Whether a derivation made of `derived_from` may be drawn together with `document`: every matrix,
// group and parameter has the same size and meaning in both.
bool drawn_together(const Document& derived_from, const Document& document);

} // namespace normscope
