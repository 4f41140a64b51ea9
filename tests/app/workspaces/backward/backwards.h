#pragma once
#include "app/workspaces/backward/panels.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/unfolded.h"

#include <fmt/format.h>
#include <string>
#include <string_view>
#include <utility>

namespace normscope::testing {

// The program in the Backward workspace, by its key, in a window that shows all of it.
struct Backwards : Harness {
    explicit Backwards(Setup setup = {}) : Harness(tall(std::move(setup))) {
        unfold_pages(state());
        key(Key::n3);
        settle();
    }
    static Setup tall(Setup setup) {
        if (setup.window.h == Setup().window.h) setup.window.h = 4000;
        return setup;
    }
    const Backward& backward() {
        return state().memory.of<BackwardMemory>().backward.of(document());
    }
    // The check of dz of the pinned token.
    const SampledCheck& own_check() {
        return group_check(state().memory.of<BackwardMemory>().group_check, backward(),
                           *state().view.pinned_token);
    }
    // Hats are drawn, but are no text.
    bool shows(const std::string& part, std::string_view what) const {
        constexpr std::string_view k_hat = "\u0302";
        std::string plain(what);
        for (std::size_t at; (at = plain.find(k_hat)) != std::string::npos;)
            plain.erase(at, k_hat.size());
        return fmt::format("{}", fmt::join(texts_in("backward." + part), " ")).find(plain) !=
               std::string::npos;
    }
    // The badge of a check is green.
    bool ticked(const std::string& check) const {
        const Color green = theme(state().view.theme).ink_of(Stage::y);
        return !vertices(green, named("backward." + check + ".badge").rect).empty();
    }
    void show(Document next) {
        become(std::move(next));
        settle();
    }
    void choose(const std::string& name) {
        click(name);
        settle();
    }
};

} // namespace normscope::testing
