#pragma once
#include <utility>

namespace normscope {

// Calls `end` when it goes, also while an exception passes: what ImGui was asked to begin is ended,
// so that its frame can be.
template<class End>
class AtEnd {
  public:
    explicit AtEnd(End end) : end_(std::move(end)) {}
    ~AtEnd() { end_(); }
    AtEnd(const AtEnd&) = delete;
    AtEnd& operator=(const AtEnd&) = delete;

  private:
    End end_;
};

} // namespace normscope
