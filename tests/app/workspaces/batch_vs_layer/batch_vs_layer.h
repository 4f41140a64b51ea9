#pragma once
#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/focus.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/unfolded.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace normscope::testing {

// The program in the Batch vs Layer workspace, by its key, in a window that shows all of it.
struct BatchVsLayer : Harness {
    explicit BatchVsLayer(Setup setup = {}) : Harness(tall(std::move(setup))) {
        unfold_pages(state());
        key(Key::n2);
        settle();
    }
    static Setup tall(Setup setup) {
        if (setup.window.h == Setup().window.h) setup.window.h = 4000;
        return setup;
    }
    const BatchStudy& study() {
        return state().memory.of<BatchMemory>().study.of(BatchInput{document(), {}});
    }
    const Matrix<double>& z() { return study().norms().z; }
    const Matrix<double>& x_hat(std::size_t which) {
        return study().result(which, NormResult::x_hat);
    }
    // The middle of a cell of Z, whose heat map is the first.
    Point z_cell(Index token, Index feature) {
        const Rect area = named("batch-vs-layer.norms.z.cells").rect;
        const float w = area.w / static_cast<float>(document().feature_count());
        const float h = area.h / static_cast<float>(document().token_count());
        return {area.x + w * (static_cast<float>(feature) + 0.5f),
                area.y + h * (static_cast<float>(token) + 0.5f)};
    }
    // Whether words stand within a named part, be it over its lines.
    bool says(const std::string& part, const std::string& words) {
        return fmt::format("{}", fmt::join(texts_in("batch-vs-layer." + part), " ")).find(words) !=
               std::string::npos;
    }
    // How many texts within a named part are this one.
    auto count_in(const std::string& part, const std::string& text) {
        return std::ranges::count(texts_in("batch-vs-layer." + part), text);
    }
    // Whether the card of Z names this cell as the one that +1 is tried on.
    bool probes(Index token, Index feature) {
        return says("norms.z", '[' + cell_name(document(), token, feature) + ']');
    }
    void scroll_to(const std::string& name) {
        for (int i = 0; i < 30 && center_of(name).y > 900; ++i) {
            ImGui::GetIO().MouseWheel = -1;
            move({1596, 500});
            frame();
        }
        settle();
    }
    void scroll_to_end() {
        for (int i = 0; i < 30; ++i) {
            ImGui::GetIO().MouseWheel = -5;
            move({1596, 500});
        }
        settle();
    }
};

// The norms in their order there.
inline constexpr std::size_t k_layer = 0, k_batch = 1, k_rms = 2;

} // namespace normscope::testing
