#pragma once
#include "app/document/document.h"

#include <cstddef>
#include <string>
#include <vector>

namespace normscope {

// Undo and redo. One gesture (a drag, a typed number, a click) is one step however many frames and
// edits it took.
class History {
  public:
    static constexpr std::size_t k_most_bytes = std::size_t{2} << 30;

    // The oldest steps are forgotten where the matrices of all take more than `most_bytes`: at
    // 4096×4096 every edit of a cell keeps 128 MB.
    explicit History(Document start, std::size_t most_bytes = k_most_bytes);

    const Document& document() const { return now_; }

    // As it was when the open step began; the document itself where none is open.
    const Document& settled() const { return steps_[at_].document; }

    // The document has become `next` by an edit called `label`; the step is closed by settle().
    void change(Document next, std::string label);

    // At the end of every frame: closes the open step unless the gesture is still going on.
    void settle(bool interacting);

    bool can_undo() const { return open_ || at_ > 0; }
    bool can_redo() const { return !open_ && at_ + 1 < steps_.size(); }
    std::string undo_label() const; // empty when there is nothing to undo
    std::string redo_label() const;
    void undo();
    void redo();

    // Is the document what it was at the last mark_saved() (or at the start)?
    bool saved() const { return now_ == saved_; }
    void mark_saved() { saved_ = now_; }

  private:
    struct Step {
        Document document;
        std::string label; // of the edit that led here
    };
    void forget_oldest();

    std::vector<Step> steps_;
    std::size_t at_ = 0;
    Document now_;
    Document saved_;
    std::size_t most_bytes_;
    std::string open_label_;
    bool open_ = false;
};

} // namespace normscope
