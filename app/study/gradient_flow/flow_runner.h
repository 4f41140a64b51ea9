#pragma once
#include "app/study/gradient_flow/flow_study.h"
#include "app/study/job.h"
#include "app/study/node.h"
#include "app/study/opened_part.h"

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
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

// Keeps what is measured of a document's stacks up with it. The coarse pass of a small stack is
// made where it is asked for, so that the curves move in the frame of the slider; the rest is made
// on a worker, one stack after the other, the coarse passes first. While a gesture goes on nothing
// is refined. Studies belong to a stack: what was measured of one that is no longer wanted is not
// shown for another, and work for it is stopped, unless it is nearly done.
class FlowRunner final : public KeptUp {
  public:
    // `wake` may be called on the worker: something is ready, or has got on. No more frames than
    // it asks for need be drawn while something is computed.
    explicit FlowRunner(const std::function<void()>& wake = [] {}) : job_(wake), opener_(wake) {}
    ~FlowRunner() override;

    // What is known of `setup` now. Until its coarse pass is done, `present` is that of the last
    // stack that was shown: its own `stack` says which. Valid until the next call.
    const FlowStudies& update(const FlowSetup& setup, bool interacting);
    // Leaves what is known of `setup` as it is, until another one is wanted or it is to go on.
    void stop(const FlowSetup& setup);
    void go_on() { stopped_.reset(); }
    // Nobody looks: work is stopped, what is known is kept.
    void rest();
    // What was measured elsewhere, for a picture.
    void show(FlowStudies studies) { studies_ = std::move(studies); }
    // What is known of a stack; null: nothing, or no more.
    std::shared_ptr<const StackStudy> find(const StackConfig& stack) const;
    // What update() returned last, or is shown in its place.
    const FlowStudies& studies() const { return studies_; }

    void begin_frame() override { following_ = false; }
    void end_frame() override {
        if (!following_) rest();
    }
    bool computing() const override;

    // Makes open_block() of the document on a worker. One at a time; the last one asked for counts.
    void open_block(const Document& document, BlockPart part);
    std::optional<OpenedPart> take_opened();

  private:
    enum class Level : std::uint8_t { coarse, refined };
    struct Need {
        StackConfig stack;
        Level level;
        bool operator==(const Need&) const = default;
    };
    using Study = std::shared_ptr<const StackStudy>;
    // What the worker leaves for the screen while it goes on.
    struct Mailbox {
        std::mutex mutex;
        Study study; // guarded by mutex
    };

    void keep(Study study);
    void collect();
    std::vector<Need> needs_of(const FlowSetup& setup, bool interacting) const;
    bool worth_finishing(const std::vector<Need>& needs) const;
    void do_at_once(const FlowSetup& setup, bool interacting);
    void start(const Need& need, int seeds);
    double work_of(const Need& need, int seeds) const;
    void report(const FlowSetup& setup, const std::vector<Need>& needs);
    void start_opening();

    bool following_ = false;
    FlowStudies studies_;
    std::vector<Study> known_;       // the ones measured last at the end
    std::vector<StackConfig> shown_; // of the setup that update() had last
    DrawnWeights there_;             // the worker's, and this thread's while it is idle
    DrawnWeights here_;              // for what cannot wait for the worker
    std::optional<Need> running_;
    std::shared_ptr<Mailbox> mailbox_;
    std::optional<FlowSetup> stopped_;                           // by hand
    std::optional<std::chrono::steady_clock::time_point> began_; // when the worker was last idle
    double done_work_ = 0;                                       // operations since then
    double running_work_ = 0;                                    // of running_, when it began

    struct WantedBlock {
        Document document;
        BlockPart part;
    };
    std::optional<WantedBlock> wanted_block_, opening_block_;

    Job<Study> job_; // last: joined before what they use goes
    Job<Document> opener_;
};

} // namespace normscope
