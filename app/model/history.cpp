#include "app/model/history.h"

namespace normscope {

namespace {

constexpr std::size_t k_most_steps = 500;

std::size_t bytes_of(const Matrix<double>& m) {
    return static_cast<std::size_t>(m.size()) * sizeof(double);
}

// Of the matrices that `d` does not share with the step after it.
std::size_t bytes_of_its_own(const Document& d, const Document* next) {
    std::size_t bytes = 0;
    for (const Input which : {Input::x, Input::f, Input::dy, Input::target})
        if (!next || !d.input(which).is(next->input(which))) bytes += bytes_of(*d.input(which));
    return bytes;
}

} // namespace

History::History(Document start, std::size_t most_bytes) : now_(start), most_bytes_(most_bytes) {
    auto kept = std::make_shared<KeptFile>(KeptFile{{}, start});
    steps_.push_back({std::move(start), {}, std::move(kept)});
}

void History::change(Document next, std::string label, std::optional<std::size_t> made_in) {
    now_ = std::move(next);
    open_label_ = std::move(label);
    open_made_in_ = made_in;
    open_ = true;
}

void History::begin(Document next, std::string label, std::shared_ptr<KeptFile> kept) {
    settle(false);
    if (!kept) kept = std::make_shared<KeptFile>();
    now_ = std::move(next);
    if (now_ == steps_[at_].document)
        steps_[at_].kept = std::move(kept);
    else
        push({now_, std::move(label), std::move(kept)});
}

bool History::take_back() {
    if (!open_) return false;
    open_ = false;
    now_ = steps_[at_].document;
    return true;
}

void History::settle(bool interacting) {
    if (!open_ || interacting) return;
    open_ = false;
    if (now_ == steps_[at_].document) return; // dragged there and back again
    push({now_, std::move(open_label_), kept(), open_made_in_});
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
    steps_.erase(steps_.begin(), steps_.end() - static_cast<std::ptrdiff_t>(kept));
}

std::string History::undo_label() const {
    if (open_) return open_label_;
    return at_ > 0 ? steps_[at_].label : std::string();
}

std::string History::redo_label() const {
    return can_redo() ? steps_[at_ + 1].label : std::string();
}

std::optional<std::size_t> History::undo_made_in() const {
    return open_ ? open_made_in_ : steps_[at_].made_in;
}

std::optional<std::size_t> History::redo_made_in() const {
    return can_redo() ? steps_[at_ + 1].made_in : std::nullopt;
}

void History::undo() {
    settle(false);
    if (at_ == 0) return;
    now_ = steps_[--at_].document;
}

void History::redo() {
    settle(false);
    if (at_ + 1 >= steps_.size()) return;
    now_ = steps_[++at_].document;
}

} // namespace normscope
