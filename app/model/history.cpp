#include "app/model/history.h"

#include "core/base/lists.h"

#include <utility>
#include <variant>

namespace normscope {

namespace {

constexpr std::size_t k_most_steps = 500;

std::size_t bytes_of(const Matrix<double>& m) {
    return static_cast<std::size_t>(m.size()) * sizeof(double);
}

// The bytes of the matrices that `d` does not share with the step after it.
std::size_t bytes_of_its_own(const Document& d, const Document* next) {
    std::size_t bytes = 0;
    for (const Input which : {Input::x, Input::f, Input::dy, Input::target})
        if (!next || !d.input(which).is(next->input(which))) bytes += bytes_of(*d.input(which));
    return bytes;
}

// The edit without the large values that it set: matrices, documents.
Edit lightened(Edit edit) {
    std::visit(
        [](auto& e) {
            if constexpr (requires { e.values; }) e.values.resize(0, 0);
            if constexpr (requires { e.document; }) e.document = {};
        },
        edit);
    return edit;
}

} // namespace

History::History(Document start, std::size_t most_bytes) : now_(start), most_bytes_(most_bytes) {
    auto kept = std::make_shared<KeptFile>(KeptFile{{}, start});
    steps_.push_back({std::move(start), std::nullopt, std::move(kept)});
}

void History::change(Document next, const Edit& edit, std::optional<std::size_t> made_in) {
    open_ = Change{lightened(edit), label_of_gesture(edit, settled(), now_, next), made_in};
    now_ = std::move(next);
}

void History::begin(Replace replace, std::shared_ptr<KeptFile> kept) {
    settle(false);
    if (!kept) kept = std::make_shared<KeptFile>();
    Wording label = label_of(replace, now_);
    now_ = std::exchange(replace.document, {});
    if (now_ == steps_[at_].document)
        steps_[at_].kept = std::move(kept);
    else
        push({now_, Change{std::move(replace), std::move(label)}, std::move(kept)});
}

bool History::take_back() {
    if (!open_) return false;
    open_.reset();
    now_ = steps_[at_].document;
    return true;
}

void History::settle(bool interacting) {
    if (!open_ || interacting) return;
    std::optional<Change> change = std::exchange(open_, std::nullopt);
    if (now_ == steps_[at_].document) { // dragged there and back again, or looked at
        steps_[at_].document = now_;
        return;
    }
    push({now_, std::move(change), kept()});
}

void History::push(Step step) {
    steps_.resize(at_ + 1);
    steps_.push_back(std::move(step));
    forget_oldest();
    at_ = steps_.size() - 1;
}

void History::forget_oldest() {
    const std::size_t last = steps_.size() - 1;
    std::size_t kept = 1;
    std::size_t bytes = bytes_of_its_own(steps_[last].document, nullptr);
    while (kept <= last && kept < k_most_steps) {
        const std::size_t i = last - kept;
        bytes += bytes_of_its_own(steps_[i].document, &steps_[i + 1].document);
        if (kept > 1 && bytes > most_bytes_) break; // there is always one step to undo
        ++kept;
    }
    keep_last(steps_, kept);
}

const Change* History::to_undo() const {
    if (open_ && !(now_ == settled())) return &*open_;
    return at_ > 0 ? &*steps_[at_].change : nullptr;
}

const Change* History::to_redo() const {
    return !open_ && at_ + 1 < steps_.size() ? &*steps_[at_ + 1].change : nullptr;
}

void History::undo() {
    settle(false);
    if (at_ > 0) go_to(at_ - 1);
}

void History::redo() {
    settle(false);
    if (at_ + 1 < steps_.size()) go_to(at_ + 1);
}

void History::go_to(std::size_t step) {
    at_ = step;
    Document& next = steps_[at_].document;
    if (next.train == now_.train) next.train.step = now_.train.step;
    if (next.transformer == now_.transformer) next.transformer.decoded = now_.transformer.decoded;
    now_ = next;
}

} // namespace normscope
