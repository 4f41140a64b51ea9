// From an edit to finished draw lists, without a window: 500 steps of dragging a fader or a cell,
// each a frame. Reports the 10th and the 99th percentile and the median in milliseconds.
#include "app/platform/fonts.h"
#include "app/shell/frame/app.h"
#include "app/shell/frame/state.h"
#include "app/widgets/imgui_compat.h"
#include "app/widgets/texture_cache.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <benchmark/benchmark.h>
#include <chrono>
#include <cmath>
#include <imgui.h>
#include <memory>
#include <random>
#include <vector>

namespace normscope {
namespace {

constexpr int k_steps = 500;

Document filled_document(Index tokens, Index features) {
    Document d = blank_document(tokens, features);
    std::mt19937 bits(7);
    std::normal_distribution<double> normal;
    Matrix<double> x(tokens, features), f(tokens, features);
    for (double& v : x.reshaped()) v = normal(bits);
    for (double& v : f.reshaped()) v = normal(bits);
    d.x = std::move(x);
    d.f = std::move(f);
    return d;
}

// The app in an ImGui context of its own, with the mouse in the hand.
struct Screen {
    ImGuiContext* context = ImGui::CreateContext();
    NoTextures textures;
    FontLoader fonts;
    std::vector<NamedPart> parts;
    std::unique_ptr<App> app;

    Screen(Document document, std::string_view workspace) {
        ImGui::SetCurrentContext(context);
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        use_fed_input();
        App::Services services;
        services.textures = &textures;
        services.dirs = {};
        app = std::make_unique<App>(std::move(services));
        app->state().history = History(std::move(document));
        const auto& workspaces = workspace_table();
        app->state().view.workspace = static_cast<std::size_t>(
            std::ranges::find(workspaces, workspace, &Workspace::id) - workspaces.begin());
        app->set_fonts(fonts.load(*io.Fonts, 1, app->extra_text()));
        app->state().ui.parts = &parts;
        for (int i = 0; i < 5; ++i) frame({-1, -1}, false);
        app->state().ui.parts = nullptr;
    }
    ~Screen() {
        app.reset();
        ImGui::DestroyContext(context);
    }
    Screen(const Screen&) = delete;
    Screen& operator=(const Screen&) = delete;

    void frame(ImVec2 mouse, bool down) {
        ImGuiIO& io = ImGui::GetIO();
        io.DisplaySize = {1600, 1000};
        io.DeltaTime = 1.0f / 60;
        feed_mouse(mouse, {&down, 1});
        ImGui::NewFrame();
        app->frame();
        ImGui::Render();
    }

    // The matrix that the workspace edits.
    Rect cells() const {
        for (const NamedPart& part : parts)
            if (part.name.ends_with(".cells")) return part.rect;
        return {};
    }

    // Somewhere on a fader of γ: one of a few, or a column of the strip of many.
    Rect fader() const {
        for (const NamedPart& part : parts)
            if (part.name.ends_with(".gamma.strip") || part.name.ends_with(".gamma.d1"))
                return part.rect;
        return {};
    }
};

struct Took {
    std::vector<double> ms;

    void report(benchmark::State& state) {
        std::sort(ms.begin(), ms.end());
        if (ms.empty()) {
            state.SkipWithError("the drag changed nothing");
            return;
        }
        state.counters["edits"] = static_cast<double>(ms.size());
        // The time of a frame that nothing else on the machine slows down.
        state.counters["p10_ms"] = ms[ms.size() / 10];
        state.counters["median_ms"] = ms[ms.size() / 2];
        state.counters["p99_ms"] = ms[ms.size() * 99 / 100];
    }
};

using Clock = std::chrono::steady_clock;
double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void drag_fader(benchmark::State& state, std::string_view workspace) {
    Screen screen(filled_document(state.range(0), state.range(1)), workspace);
    const Rect fader = screen.fader();
    if (fader.h <= 0) {
        state.SkipWithError("no fader on the screen");
        return;
    }
    const Point center = fader.center();
    Took took;
    for (auto _ : state) {
        took.ms.clear();
        // ImGui knows what is hovered one frame after the mouse came.
        for (int i = 0; i < 2; ++i) screen.frame({center.x, center.y}, false);
        screen.frame({center.x, center.y}, true);
        for (int i = 0; i < k_steps; ++i) {
            // Up and down, never twice the same place: every step is an edit.
            const float y =
                center.y + fader.h * 0.35f * std::sin(0.37f * static_cast<float>(i + 1));
            const Document before = screen.app->state().document();
            const auto start = Clock::now();
            screen.frame({center.x, y}, true);
            const double ms = ms_since(start);
            if (!(screen.app->state().document() == before)) took.ms.push_back(ms);
        }
        screen.frame({center.x, center.y}, false);
    }
    took.report(state);
}

// One value set at every step, as a drag of its cell does: the edit itself is timed too. The mouse
// holds the matrix meanwhile, so that all steps are one gesture: as under a hand, the document as
// it was before the drag is kept, and not one more at every step. A hand would look at digits; here
// the whole matrix is drawn, which is more.
void drag_cell(benchmark::State& state, std::string_view workspace, Input input) {
    Screen screen(filled_document(state.range(0), state.range(1)), workspace);
    const Point center = screen.cells().center();
    Took took;
    for (auto _ : state) {
        took.ms.clear();
        for (int i = 0; i < 2; ++i) screen.frame({center.x, center.y}, false);
        screen.frame({center.x, center.y}, true);
        if (!ImGui::IsAnyItemActive()) {
            state.SkipWithError("no matrix to hold");
            return;
        }
        screen.app->state().ghost = screen.app->state().derived;
        for (int i = 0; i < k_steps; ++i) {
            const Matrix<double> value =
                Matrix<double>::Constant(1, 1, std::sin(0.37 * static_cast<double>(i + 1)));
            const auto start = Clock::now();
            screen.app->state().apply_edits({SetCells{input, 2, 3, value}});
            screen.frame({center.x, center.y}, true);
            took.ms.push_back(ms_since(start));
        }
        screen.frame({center.x, center.y}, false);
    }
    took.report(state);
}

// One edit of the default Transformer at every step, and the frame that shows it.
void change_transformer(benchmark::State& state, Edit (*edit_at)(const Document&, int)) {
    Screen screen(filled_document(4, 6), "transformer");
    Took took;
    for (auto _ : state) {
        took.ms.clear();
        for (int i = 0; i < k_steps; ++i) {
            const Edit edit = edit_at(screen.app->state().document(), i);
            const auto start = Clock::now();
            screen.app->state().apply_edits({edit});
            screen.frame({-1, -1}, false);
            took.ms.push_back(ms_since(start));
        }
    }
    took.report(state);
}

// A step of a slider: other weights, every number anew.
Edit slide_layers(const Document& d, int step) {
    SetTransformer edit{d.transformer.config};
    edit.config.layers = 3 + step % 2;
    return edit;
}
Edit decode_word(const Document& d, int step) {
    return Decode{step % (most_decoded(d.transformer) + 1)};
}
BENCHMARK_CAPTURE(change_transformer, layers, slide_layers)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(change_transformer, decode, decode_word)
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(drag_fader, add_norm, "add-norm")
    ->Args({4, 6})
    ->Args({128, 768})
    ->Args({512, 768})
    ->Args({1024, 1024})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_CAPTURE(drag_cell, backward_dy, "backward", Input::dy)
    ->Args({4, 6})
    ->Args({128, 768})
    ->Args({512, 768})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(drag_cell, batch_vs_layer_x, "batch-vs-layer", Input::x)
    ->Args({4, 6})
    ->Args({128, 768})
    ->Args({512, 768})
    ->Iterations(1)
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace normscope
