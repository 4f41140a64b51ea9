#pragma once
#include "app/charts/palette.h"
#include "app/study/opened_part.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <array>
#include <filesystem>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Draws a part of a workspace that can be exported on its own.
using FigureFn = void (*)(Turn turn);

struct FigureEntry {
    // The share of `size` that is needed where there is no `least`.
    static constexpr float k_usual_least = 0.8f;

    std::string_view id; // "before-after": the command line
    std::string_view label;
    Size size; // at scale 1
    FigureFn draw;
    // At scale 1: a smaller picture shrinks all of it. {0, 0}: a little less than `size`.
    Size least = {0, 0};
    bool stands_alone = false; // it is presented and exported, and on no page
    // The factor on the height of `size` and `least`, by how the figure is looked at; null: 1.
    float (*grows)(const View&) = nullptr;

    // The figure with the height that this look needs.
    FigureEntry looked_at(const View& view) const {
        FigureEntry out = *this;
        const float times = grows ? grows(view) : 1;
        out.size.h *= times;
        out.least.h *= times;
        return out;
    }
    Size needed() const {
        return least.w > 0 ? least : Size{k_usual_least * size.w, k_usual_least * size.h};
    }
};

// A gesture by mouse or key and its effect: a line of the help.
struct Gesture {
    std::string_view hand, what; // no hand: a heading
};

// A number that a workspace shows of a cell beyond those of the derivation.
struct CellValue {
    std::string_view name; // "dY"
    Stage stage;
    double value;
};

// A workspace as the shell sees it: the shell knows none by name.
struct Workspace {
    std::string_view id;    // "add-norm": the command line
    std::string_view label; // the tab
    int key = 0;            // 1 to 9: the digit that shows it
    std::span<const FigureEntry> figures;
    std::span<const Gesture> gestures;
    bool in_float64 = true;         // whatever precision the document asks for
    bool hides_matrices = false;    // it shows nothing of the document's matrices
    bool of_weights = false;        // weights that are opened are shown there
    std::string_view file_label;    // of take_file(); empty: there are no files of its own
    std::string_view numbers_label; // of numbers(); empty: there are none of its own

    virtual ~Workspace() = default;

    // Draws into the width of the rectangle, and as much of its height as there is; returns the
    // height that it would like to have. The shell scrolls where that is more.
    virtual float draw(Turn turn) const = 0;
    // Draws above the page, where nothing scrolls; returns its height.
    virtual float draw_head(Turn) const { return 0; }
    // While it is open: brings up what it shows of the document beyond the derivation. `began`: the
    // document when the drag that goes on began, or null. False: the first of it is being made.
    virtual bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const {
        compute(m, d);
        return true;
    }
    // Computes all that keep_up() brings up here and now, for a picture.
    virtual void compute(DrawMemory&, const Document&) const {}
    // Whether the workspace wants frames without an event.
    virtual bool animates(const View&) const { return false; }
    // While View::running: the edit that is due, so many seconds after it was asked for last.
    virtual std::optional<Edit> run_on(View&, const Document&, double /*seconds*/) const {
        return std::nullopt;
    }
    // Drops unfinished gestures and motion from the view: they are no part of a picture.
    virtual void at_rest(View&) const {}
    // Keeps the view's selections and choices within the document, which may have shrunk since.
    virtual void fit(View&, const Document&) const {}
    // Another document is shown. `own`: the view that was kept of it, if it is the person's own.
    virtual void look_anew(View&, const View* /*own*/) const {}
    // The look that a scene or an example keeps.
    virtual void keep_look(View&, Look&) const {}
    // An edit was undone, or done again.
    virtual void stepped_over(View&, const Edit&, bool /*again*/) const {}
    // The person comes back from a document that was opened there.
    virtual void come_back(View&) const {}
    // The status line: what is wrong with the numbers, and what else is known of a cell.
    virtual std::optional<std::string> warning(const Derived&) const { return std::nullopt; }
    virtual std::vector<CellValue> values(DrawMemory&, Index /*token*/, Index /*feature*/) const {
        return {};
    }
    // The status line: the last edit's change and its effect.
    virtual std::optional<std::string> effect(const Derived& /*before*/, const Derived&) const {
        return std::nullopt;
    }
    // The names typed in the workspace: the fonts must have their letters.
    virtual std::string names(const Document&) const { return {}; }
    // An Add & Norm of the workspace that was asked for, as a document.
    virtual std::optional<OpenedPart> take_opened(DrawMemory&) const { return std::nullopt; }
    // The edit that takes a file of its own, which the user chose.
    virtual Result<Edit> take_file(const Document&, const std::filesystem::path&) const {
        return fail(std::string());
    }
    // The workspace's own numbers as CSV, as far as they are known.
    virtual std::string numbers(DrawMemory&, const Document&) const { return {}; }
};

// 1: what do the residual add, the normalization, γ and β do to these tokens?
const Workspace& add_norm_workspace();
// 2: which values share a mean and a variance, and who touches whom?
const Workspace& batch_vs_layer_workspace();
// 3: where does dX come from, and what do dγ and dβ say?
const Workspace& backward_workspace();
// 4: how does the gradient get through L blocks, and by which paths?
const Workspace& gradient_flow_workspace();
// 5: where do all these Add & Norms sit in an encoder and a decoder?
const Workspace& transformer_workspace();
// 6: does it train, with and without them?
const Workspace& train_workspace();

// Every workspace in the order of its tabs and keys. A new one: a folder, its name above, a line.
inline const auto& workspace_table() {
    static const std::array k_workspaces = {
        &add_norm_workspace(),      &batch_vs_layer_workspace(), &backward_workspace(),
        &gradient_flow_workspace(), &transformer_workspace(),    &train_workspace(),
    };
    constexpr auto workspace_at = [](const Workspace* one) -> const Workspace& { return *one; };
    static const auto k_table = std::views::transform(k_workspaces, workspace_at);
    return k_table;
}

// The index of the workspace `id` in the table, if it is there.
std::optional<std::size_t> workspace_index(std::string_view id);

} // namespace normscope
