#pragma once
#include "app/lessons/player.h"
#include "app/widgets/ui.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// The panel of a lesson's step: its text, its question, its task, what it reveals, and the way on.
struct LessonPanelState {
    float content_h = 0;      // the height of the part that scrolls, in the last frame
    std::optional<Key> keyed; // with Alt in this pass: Enter, or an arrow to the left or right
    bool to_the_end = false;  // the panel scrolls to its end, where new words stand
    bool to_the_top = false;
    bool folded = false; // the window has room for one of the two, and shows the page
};

// The person's wishes to the panel.
struct LessonWish {
    bool close = false;
    std::optional<std::size_t> go; // go to this step
    bool finish = false;
    bool show_solution = false;
    bool to_workspace = false; // open the step's workspace
    bool acted = false;        // the frame that was drawn is out of date
};

// `number`: the lesson's place in the menu, from 1; 0: it is not there. `elsewhere`: the tab of the
// step's workspace, where another workspace is open. `folds`: the panel stands in place of the
// page.
LessonWish draw_lesson_panel(Ui& ui, Rect r, LessonPlayer& player, LessonPanelState& state,
                             std::size_t number, const std::string& elsewhere, bool folds = false);

// The strip below the page that brings the folded panel back.
LessonWish draw_folded_lesson(Ui& ui, Rect r, const LessonPlayer& player, LessonPanelState& state);

inline constexpr float k_lesson_panel_w = 340; // at scale 1

// On the page beside the panel.

// The rectangle of the named part; for a name that others begin with, as "add-norm.norm" does, one
// around all of them but the colour keys. None: no part has the name.
std::optional<Rect> lesson_target(std::span<const NamedPart> parts, std::string_view name);

// Whether a double-click opens the target for typing, because a click alone moves it.
bool opens_by_double_click(const LessonAct& act, PartKind kind);

// Names of the parts that are covered: the step hides them until its question is answered.
std::vector<std::string> lesson_covers(const LessonPlayer& player);

// lesson_covers(), and the parts that the step locks.
std::vector<std::string> lesson_locks(const LessonPlayer& player);

// The places of the covers over the named parts.
std::vector<Rect> lesson_cover_places(const Ui& ui, const std::vector<std::string>& names,
                                      std::span<const NamedPart> parts);

// Covers the named parts with a “?”; `asks`: and with the words why.
void draw_lesson_covers(Ui& ui, const std::vector<std::string>& names,
                        std::span<const NamedPart> parts, bool asks);

// Dims, covers and rings the parts of the page in `area` that the step names.
void draw_lesson_marks(Ui& ui, Rect area, const LessonPlayer& player,
                       std::span<const NamedPart> parts);

} // namespace normscope
