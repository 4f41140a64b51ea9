#pragma once
#include "app/model/edit.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// The file that a document is kept in. The document's steps share it; a document that takes its
// place has its own, so that undo and redo go from file to file.
struct KeptFile {
    std::filesystem::path path;    // empty: no file
    std::optional<Document> saved; // as it is there, or can be had again; none: nowhere
    std::string stamp = {};        // file_stamp() of it when it was read or written
};

// The edit that made a step, without the values it set: the step's document has them.
struct Change {
    Edit edit;
    Wording label;
    std::optional<std::size_t> made_in = {}; // the workspace, where it has one to go back to
};

// Undo and redo. One gesture (a drag, a typed number, a click) is one step however many frames and
// edits it took.
class History {
  public:
    static constexpr std::size_t k_most_bytes = std::size_t{2} << 30;

    // The oldest steps are forgotten where the matrices of all take more than `most_bytes`: at
    // 4096×4096 every edit of a cell keeps 128 MB.
    explicit History(Document start, std::size_t most_bytes = k_most_bytes);

    const Document& document() const { return now_; }

    // The document as it was when the open step began; the present one where no step is open.
    const Document& settled() const { return steps_[at_].document; }

    // The document has become `next` by `edit`, made in a workspace; the step is closed by
    // settle().
    void change(Document next, const Edit& edit, std::optional<std::size_t> made_in = {});

    // Another document takes the place of this one: a step of its own, kept where `kept` says, or
    // nowhere yet.
    void begin(Replace replace, std::shared_ptr<KeptFile> kept = nullptr);

    // Undoes the open step as if it had never been made. False where none is open.
    bool take_back();

    // At the end of every frame: closes the open step unless the gesture is still going on.
    void settle(bool interacting);

    bool can_undo() const { return to_undo() != nullptr; }
    bool can_redo() const { return to_redo() != nullptr; }
    const Change* to_undo() const; // null when there is nothing to undo
    const Change* to_redo() const;
    // The labels in the language that is spoken; empty where there is nothing to undo or redo.
    std::string undo_label() const { return to_undo() ? error_text(to_undo()->label) : ""; }
    std::string redo_label() const { return to_redo() ? error_text(to_redo()->label) : ""; }
    void undo();
    void redo();

    // The file of the present document, never null.
    const std::shared_ptr<KeptFile>& kept() const { return steps_[at_].kept; }
    bool saved() const { return kept()->saved == now_; }
    void mark_saved() { kept()->saved = now_; }

  private:
    struct Step {
        Document document;
        std::optional<Change> change; // that led here; none of the first
        std::shared_ptr<KeptFile> kept;
    };
    void push(Step step);
    void go_to(std::size_t step); // where its race and Transformer are the same, they are looked at
                                  // as now
    void forget_oldest();

    std::vector<Step> steps_;
    std::size_t at_ = 0;
    Document now_;
    std::size_t most_bytes_;
    std::optional<Change> open_;
};

} // namespace normscope
