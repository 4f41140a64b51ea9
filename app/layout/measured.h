#pragma once
#include "app/widgets/ui.h"

namespace normscope {

// A height that something on the page takes, known when it has been drawn. Its background and its
// neighbours are placed by the height of the last pass; where that was another one, the window is
// drawn once more before it is shown.
class Measured {
  public:
    // Named `part` in the scopes that are open.
    Measured(Ui& ui, NamePart part) : state_(ui.state), id_(part.id()) {}

    float last() const {
        const auto at = state_.heights.find(id_);
        return at == state_.heights.end() ? 0 : at->second;
    }
    void took(float height) {
        const auto [at, is_new] = state_.heights.emplace(id_, 0.0f);
        state_.unsettled |= is_new || std::abs(at->second - height) > 0.5f;
        at->second = height;
    }

  private:
    UiState& state_;
    ImGuiID id_;
};

} // namespace normscope
