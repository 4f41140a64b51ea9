#pragma once
#include "app/study/gradient_flow/flow_study.h"
#include "app/study/lab/lab.h"
#include "app/study/opened_part.h"

#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace normscope {

// One of a block's Add & Norms. An encoder block has two, behind its attention and behind its
// feed-forward layer; every other block has one, and `sublayer` does not matter.
enum class OfBlock : std::uint8_t { first_sublayer, last_sublayer };
struct BlockPart {
    int block = 1; // 1 … L
    OfBlock sublayer = OfBlock::last_sublayer;
    bool operator==(const BlockPart&) const = default;
};

// A part of the document's present stack as the Add & Norm of a document: its X, its F(X), its γ
// and β, the stack's own gradient as its dY, everything else (the stack too) as before. Where the
// norm stands before the sublayer (pre, peri) the Add & Norm that is shown is the part's Add
// followed by the norm that reads its sum: that of the sublayer above, or the final one. Errors: no
// such block; those of the stack; a stop.
Result<Document> open_block(const Document& document, BlockPart part,
                            const Progress& progress = {});

// Keeps the measurements of a document's stacks up with the document. The coarse pass of a small
// stack is made where it is asked for, so that the curves move in the frame of the slider; the lab
// makes the rest, one stack after the other, the coarse passes first. While a gesture goes on
// nothing is refined. A study belongs to its stack: it is not shown for another one. The work for a
// stack that is no longer wanted is stopped, unless it is a short coarse pass.
class FlowRunner {
  public:
    FlowRunner();

    // The known studies of `setup`. Until its coarse pass is done, `present` is the study of the
    // stack shown last: its own `stack` says which. Valid until the next call.
    const FlowStudies& update(Lab& lab, const FlowSetup& setup, bool interacting);
    // Stops measuring `setup`, until another setup is wanted or go_on() is called.
    void stop(const FlowSetup& setup) { stopped_ = setup; }
    void go_on() { stopped_.reset(); }
    // Shows studies that were made elsewhere, for a picture.
    void show(FlowStudies studies) { studies_ = std::move(studies); }
    // The study of a stack; null: it has none yet, or no more.
    std::shared_ptr<const StackStudy> find(const StackConfig& stack) const;
    // The studies that update() returned last, or that show() put in their place.
    const FlowStudies& studies() const { return studies_; }

    // Has the lab make open_block() of the document. The last request counts, and none counts where
    // a frame came without update().
    void open_block(Lab& lab, const Document& document, BlockPart part);
    std::optional<OpenedPart> take_opened(const Lab& lab);

  private:
    using Study = std::shared_ptr<const StackStudy>;
    struct SharedWeights;
    class Measuring;
    class Opening;
    using Stacks = std::vector<std::shared_ptr<Measuring>>;

    Stacks take(const FlowSetup& setup);
    void do_at_once(const Stacks& stacks, int seeds);
    std::shared_ptr<Measuring> next_of(const Stacks& stacks) const;
    void report(const FlowSetup& setup, const Stacks& stacks);

    FlowStudies studies_;
    Stacks known_; // the ones shown last at the end
    std::shared_ptr<SharedWeights> weights_;
    std::shared_ptr<Measuring> measuring_;                       // null: nothing is wanted
    std::optional<FlowSetup> stopped_;                           // by hand
    std::optional<std::chrono::steady_clock::time_point> began_; // when nothing was wanted last
    std::shared_ptr<Opening> opening_;
};

} // namespace normscope
