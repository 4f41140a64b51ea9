#include "app/document/history.h"

namespace normscope {

namespace {
constexpr std::size_t k_most_steps = 500;
}

History::History(Document start) : now_(start), saved_(start) {
    steps_.push_back({std::move(start), {}});
}

void History::change(Document next, std::string label) {
    now_ = std::move(next);
    open_label_ = std::move(label);
    open_ = true;
}

void History::settle(bool interacting) {
    if (!open_ || interacting) return;
    open_ = false;
    if (now_ == steps_[at_].document) return; // dragged there and back again
    steps_.resize(at_ + 1);
    steps_.push_back({now_, std::move(open_label_)});
    if (steps_.size() > k_most_steps) steps_.erase(steps_.begin());
    at_ = steps_.size() - 1;
}

std::string History::undo_label() const {
    if (open_) return open_label_;
    return at_ > 0 ? steps_[at_].label : std::string();
}

std::string History::redo_label() const {
    return can_redo() ? steps_[at_ + 1].label : std::string();
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
