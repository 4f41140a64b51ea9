#pragma once
#include "app/charts/palette.h"
#include "app/study/opened_part.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Draws into `area` (its width is given, its height as much as there is) and returns the height it
// would like to have; the shell scrolls where that is more.
using WorkspaceFn = float (*)(Ui& ui, Rect area, const Frame& frame, Actions& actions);

// A part of a workspace that can be exported on its own.
using FigureFn = PanelFn*;

struct FigureEntry {
    std::string_view id; // "before-after": the command line
    std::string_view label;
    Size size; // at scale 1
    FigureFn draw;
    // At scale 1: a smaller picture shrinks all of it. {0, 0}: a little less than `size`.
    Size least = {0, 0};
};

// Of a figure's own size, what it needs where it does not say.
inline constexpr float k_usual_least = 0.8f;

// What a hand can do there, by mouse or by key, for the help.
struct Gesture {
    std::string_view hand, what; // no hand: a heading
};

// A number that a workspace shows of a cell beyond those of the derivation.
struct CellValue {
    std::string_view name; // "dY"
    Stage stage;
    double value;
};

// What a workspace does and knows that does not say so.
template<class R, class... Of>
R nothing(Of...) {
    return R();
}

// What a workspace is to the shell, which knows none of them by name.
struct WorkspaceEntry {
    std::string_view id;    // "add-norm": the command line
    std::string_view label; // the tab
    int key;                // 1 to 9: the digit that shows it
    WorkspaceFn draw;
    std::span<const FigureEntry> figures;
    std::span<const Gesture> gestures = {};

    // While it is open: brings up what it shows of the document beyond the derivation. `began`: the
    // document when the drag that goes on began, or null. False: the first of it is being made.
    bool (*keep_up)(DrawMemory&, const Document&, const Document* began) =
        [](DrawMemory&, const Document&, const Document*) { return true; };
    // All of that here and now, for a picture.
    void (*compute)(DrawMemory&, const Document&) = nothing;
    // It wants frames without an event.
    bool (*animates)(const View&) = nothing;
    // While View::running: the edit that is due, so many seconds after it was asked for last.
    std::optional<Edit> (*run_on)(View&, const Document&, double seconds) = nothing;
    // What the hand is about to do is no part of a picture.
    void (*at_rest)(View&) = nothing;
    // What it points at must be there: a document may have shrunk since.
    void (*fit)(View&, const Document&) = nothing;
    // Another document is shown. `own`: the view that was kept of it, if it is the person's own.
    void (*look_anew)(View&, const View* own) = nothing;
    // An edit was undone, or done again.
    void (*stepped_over)(View&, const Edit&, bool again) = nothing;
    // The status line: what is wrong with the numbers, and what else is known of a cell.
    std::optional<std::string> (*warning)(const Derived&) = nothing;
    // The same line: what the last edit changed, and what came of it.
    std::optional<std::string> (*effect)(const Derived& before, const Derived& now) = nothing;
    std::vector<CellValue> (*values)(DrawMemory&, Index token, Index feature) = nothing;
    // Names that are typed in it: the letters that the fonts must have.
    std::string (*names)(const Document&) = nothing;
    bool in_float64 = true; // whatever precision the document asks for
    // It shows nothing of the document's matrices.
    bool hides_matrices = false;
    bool of_weights = false; // weights that are opened are shown there
    // An Add & Norm of it that was asked for, as a document.
    std::optional<OpenedPart> (*take_opened)(DrawMemory&) = nullptr;
    // A file of its own that the user may open, and the edit that takes it; no label: none.
    std::string_view file_label = {};
    Result<Edit> (*take_file)(const Document&, const std::filesystem::path&) = nullptr;
    // Numbers of its own as CSV, as far as they are known; no label: there are none.
    std::string_view numbers_label = {};
    std::string (*numbers)(DrawMemory&, const Document&) = nullptr;
    // The person comes back from a document that was opened there.
    void (*come_back)(View&) = nothing;
};

// 1: what do the residual add, the normalization, γ and β do to these tokens?
WorkspaceEntry add_norm_workspace();
// 2: which values share a mean and a variance, and who touches whom?
WorkspaceEntry batch_vs_layer_workspace();
// 3: where does dX come from, and what do dγ and dβ say?
WorkspaceEntry backward_workspace();
// 4: how does the gradient get through L blocks, and by which paths?
WorkspaceEntry gradient_flow_workspace();
// 5: where do all these Add & Norms sit in an encoder and a decoder?
WorkspaceEntry transformer_workspace();
// 6: does it train, with and without them?
WorkspaceEntry train_workspace();

// Every workspace in the order of its tabs and keys. A new one: a folder, its name above, a line.
std::span<const WorkspaceEntry> workspace_table();

// Where the workspace called `id` stands in the table, if it is there.
std::optional<std::size_t> workspace_index(std::string_view id);

} // namespace normscope
