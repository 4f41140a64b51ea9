#include "core/train/checkpoints.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace normscope {

template<class S>
bool Checkpoints<S>::wants(Index step) const {
    if (step % options_.every != 0) return false;
    const Checkpoint<S>* const last = before(step);
    return !last || last->step != step;
}

template<class S>
void Checkpoints<S>::add(Checkpoint<S> checkpoint) {
    if (!kept_.empty() && checkpoint.step <= kept_.back().step) return;
    kept_.push_back(std::move(checkpoint));
    while (kept_.size() > 2 && bytes() > options_.budget) thin();
}

template<class S>
const Checkpoint<S>* Checkpoints<S>::before(Index step) const {
    const auto after = std::ranges::upper_bound(kept_, step, {}, &Checkpoint<S>::step);
    return after == kept_.begin() ? nullptr : &*(after - 1);
}

template<class S>
void Checkpoints<S>::cut(Index step) {
    std::erase_if(kept_, [&](const Checkpoint<S>& c) { return c.step > step; });
}

template<class S>
std::size_t Checkpoints<S>::bytes() const {
    std::size_t out = 0;
    for (const Checkpoint<S>& c : kept_)
        out += static_cast<std::size_t>(c.values.size()) * sizeof(S) +
               c.updates.size() * sizeof(std::int64_t) + sizeof(c);
    return out;
}

template<class S>
void Checkpoints<S>::thin() {
    const Index now = kept_.back().step;
    double least = std::numeric_limits<double>::infinity();
    std::size_t which = 1;
    for (std::size_t i = 1; i + 1 < kept_.size(); ++i) {
        const auto hole = static_cast<double>(kept_[i + 1].step - kept_[i - 1].step);
        const double weight = hole / std::sqrt(static_cast<double>(now - kept_[i].step));
        if (weight >= least) continue;
        least = weight;
        which = i;
    }
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(which));
}

template class Checkpoints<float>;
template class Checkpoints<double>;

} // namespace normscope
