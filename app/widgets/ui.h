#pragma once
#include "app/charts/canvas.h"
#include "app/charts/geometry.h"
#include "app/widgets/keys.h"
#include "app/widgets/menu.h"
#include "core/base/lists.h"
#include "core/base/result.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <imgui.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace normscope {

struct Paste;
struct Table;

// Every panel and control has one name, the same in every run: its parts from the workspace inwards
// ("add-norm.gamma.d3"), each of lower-case letters, digits and "-". Lessons and tests point at
// what is on the screen by it.

// A part of a name, and an id of ImGui's; "_" is written as "-". Empty: the scope itself.
struct NamePart {
    std::string_view word;
    bool of_workspace = false; // stands right behind the workspace, whatever panel it is drawn in

    NamePart(const char* text) : word(text) {}
    NamePart(std::string_view text, bool behind_workspace = false)
        : word(text), of_workspace(behind_workspace) {}
    NamePart(const std::string& text) : word(text) {}

    ImGuiID id() const { return ImGui::GetID(word.data(), word.data() + word.size()); }
};

enum class PartKind : std::uint8_t {
    panel,
    button,
    choice, // one of several
    slider,
    fader,
    field, // to type in
    cells, // of a matrix
    sign,  // "+", "=" or "→" between two panels, over their edges
    key,   // of the colours of the panel that it is named within
    place  // anything else to point at
};

// A panel or control as it stood in the last frame, in pixels of the screen.
struct NamedPart {
    std::string name;
    PartKind kind = PartKind::place;
    bool enabled = true;
    Rect rect;
    Rect clip;
    ImGuiID id = 0;       // 0: a panel, or an item of a menu
    Rect first_cell = {}; // of cells: the place of the first one, wherever it is scrolled to

    // A cell of a matrix.
    Rect cell(std::ptrdiff_t row, std::ptrdiff_t column) const {
        const Rect& c = first_cell;
        return {c.x + c.w * static_cast<float>(column), c.y + c.h * static_cast<float>(row), c.w,
                c.h};
    }

    // The part of `rect` in sight; empty where it is scrolled away.
    Rect in_sight() const { return rect.shared_with(clip); }
};

// The part of that name; null where none is drawn.
inline const NamedPart* find_part(std::span<const NamedPart> parts, std::string_view name) {
    return find_in(parts, name, &NamedPart::name);
}

// "add-norm.gamma.d3" is within "add-norm.gamma", and within itself.
inline bool is_within(std::string_view name, std::string_view outer) {
    return name.starts_with(outer) && (name.size() == outer.size() || name[outer.size()] == '.');
}

// A run of text as it stood in a frame, in pixels; of one in a hint the words alone are known.
struct LoggedText {
    std::string text;
    TextRole role = TextRole::label;
    Rect rect = {};
    Rect clip = {};
};

// Commands on selected cells from a menu, beside their keys.
enum class BlockCommand : std::uint8_t { cut, copy, paste, select_all };

// The widgets' memory between frames: the widget with the keyboard, the text that is being typed,
// the beginning of a drag. Owned by the app, so that no drawing code holds state of its own.
struct UiState {
    ImGuiID focus = 0;               // the widget that the keyboard talks to
    bool focus_visible = false;      // shown once the keyboard was used
    bool focus_moved = false;        // by a key just now: the page scrolls to it
    std::vector<ImGuiID> order;      // focusable widgets of the last frame, in drawing order
    std::vector<ImGuiID> next_order; // of this frame
    std::size_t page_begins = 0;     // in them: what stands before is above every page
    std::size_t focus_at = 0;        // in them: where it was last, if the widget is gone

    ImGuiID text_edit = 0;  // the widget whose text is being edited
    std::string text;       // what has been typed
    bool text_grab = false; // take the keyboard in the next frame
    bool text_take = false; // what has been typed is taken: a command is to be run on it
    bool text_select_all = false;
    int text_opened = 0; // the frame: the Enter that opened it does not end it
    // The widget that has the keyboard does something with Home and End, or Page Up and Down: they
    // do not scroll in this frame.
    bool scroll_keys_used = false;
    bool key_taken = false;        // Tab or Esc ended a text and does nothing else in this frame
    bool letters_are_keys = false; // of the presenter: a text begins with a digit or a minus

    MenuState menu; // of a control or of cells

    std::string complaint; // why what was typed was not taken; the shell shows and clears it
    std::string remark;    // the same of what was taken, but not all of it

    ImGuiID block = 0;                      // the widget with selected cells and the keyboard
    ImGuiID next_block = 0;                 // of this frame
    std::optional<BlockCommand> block_asks; // it is asked for, by the menu

    bool keys_lead = false; // a key moved the selection, or a command the page under the mouse, and
                            // the mouse has not been used since

    struct {
        ImGuiID id = 0; // ImGui's
        Point at;
    } held; // what the mouse holds, or held last, and where it stands

    ImGuiID touched = 0; // pressed and not left since: its hint stays away from what was set

    std::shared_ptr<const Table> copied; // numbers for the clipboard; the shell makes their text
    std::shared_ptr<Paste> paste;        // a text for cells; the shell reads it
    std::shared_ptr<const Paste> pasted; // the same once it is read

    double drag_start = 0; // value when a drag began
    float drag_total = 0;  // the way since then, fine ones weighted

    // Heights of parts of the page as they were drawn last; a part changed its height in this pass.
    std::unordered_map<ImGuiID, float> heights;
    bool unsettled = false;

    bool modal = false;   // of a dialog: the keyboard is its own while popups are open
    bool picture = false; // drawn for a file: nothing invites a hand

    // Names of panels and controls that take no mouse and no keys, nor does what is in them. Known
    // while somebody asks for parts.
    std::vector<std::string> locked;
    // Parts that a lesson needs and that were not drawn: what is folded away comes back.
    std::vector<std::string> missed;

    // Not owned; written there while somebody asks for it: what stands where in this frame.
    std::vector<NamedPart>* parts = nullptr;
    std::vector<LoggedText>* texts = nullptr;
    std::string path; // of the scopes that are open: "add-norm.card-x"
};

// The acts of mouse and keyboard on a rectangle in this frame.
struct Hit {
    ImGuiID id = 0;
    bool hovered = false;
    bool pressed = false;  // the mouse went down on it
    bool held = false;     // and is still down
    bool released = false; // and was let go, wherever
    bool clicked = false;  // down and up on it, or Enter or Space while it has the focus
    bool double_clicked = false;
    bool right_clicked = false;
    bool focused = false; // the keyboard talks to it
};

struct HitSpec {
    PartKind kind = PartKind::place;
    bool focusable = true; // Tab stops at it
    bool enabled = true;
    Rect first_cell = {}; // NamedPart
};
inline constexpr HitSpec k_by_mouse{.focusable = false};

Point mouse_at(float scale); // in lengths of that scale

// One frame's drawing surface, theme and input: what every widget and workspace function takes.
class Ui {
  public:
    Ui(Canvas& on, const Theme& look, UiState& memory) : canvas(on), theme(look), state(memory) {}

    Canvas& canvas;
    const Theme& theme;
    UiState& state;

    // For ImGui, which is told pixels.
    float pixels(float length) const { return length * canvas.scale(); }
    ImVec2 pixels(Point p) const { return {pixels(p.x), pixels(p.y)}; }
    ImVec2 pixels(Size s) const { return {pixels(s.w), pixels(s.h)}; }
    float from_pixels(float length) const { return length / canvas.scale(); }
    Point from_pixels(ImVec2 p) const { return {from_pixels(p.x), from_pixels(p.y)}; }

    float text_width(Text text, TextRole role) const { return canvas.text_size(text, role).w; }

    // An invisible item of ImGui's at `r`, named `part` in the scopes that are open.
    Hit hit(NamePart part, Rect r, HitSpec spec = {});

    // Whether nothing at `r` has to be done in this pass: it only takes the input of a drag, which
    // is a drag of something elsewhere.
    bool passes_by(Rect r) const;

    // `part` of the scopes that are open stands at `r`; hit() and panel() say so by themselves.
    void name(NamePart part, Rect r, PartKind kind, bool enabled = true, ImGuiID id = 0);

    // Tab and Shift+Tab stop here too: at a field of ImGui's own, which takes the keyboard when
    // state.focus is its id.
    void tab_stop(ImGuiID id) { state.next_order.push_back(id); }

    // A hint beside the mouse, over everything, when `r` is hovered for a moment.
    // With `beside` not below the mouse, but at the right of that rectangle, or above it.
    void tooltip(const Hit& hit, Text text, std::optional<Rect> beside = std::nullopt) const;

    // Draws the focus ring around `r`, where the widget has the keyboard and the focus is visible.
    void focus_ring(const Hit& hit, Rect r, float rounding);

    // A field at `r` in which the text of widget `id` is edited. Returns the text when Enter or Tab
    // ends it or another widget takes the keyboard; Esc ends it without one. The field grows with
    // its text, up to `most_w` if that is given.
    std::optional<std::string> edit_text(ImGuiID id, Rect r, TextRole role, Align align,
                                         float most_w = 0);
    void begin_text_edit(ImGuiID id, std::string initial, bool select_all);
    // The letters typed in this frame, if a text may begin with them.
    std::string begun_text() const;
    void end_text_edit();
    bool editing_text(ImGuiID id) const { return state.text_edit == id; }

    // Text that never leaves `r`: elided where it does not fit, whole in a tooltip then. Words are
    // in ink unless the caller names another colour.
    void label(Rect r, Text text, TextRole role = TextRole::label, std::optional<Color> color = {},
               Align align = Align::left);

    Point mouse() const { return mouse_at(canvas.scale()); }
    Point mouse_moved() const; // since the last frame
    Rect window() const;       // of the whole program
    Rect page() const;         // the part of it that is being drawn and that scrolls

    // How far that part is scrolled.
    float scroll() const { return from_pixels(ImGui::GetScrollY()); }
    void scroll_to(float y) const { ImGui::SetScrollY(pixels(y)); }
    // The page is `height` high from `top`.
    void scroll_room(Point top, float height) const {
        place_item(top);
        ImGui::Dummy({1, pixels(height)});
    }
    // ImGui's next item stands at `at`.
    void place_item(Point at) const { ImGui::SetCursorScreenPos(pixels(at)); }
};

// A scope of ids and names.
class IdScope {
  public:
    IdScope(Ui& ui, NamePart part);
    ~IdScope();
    IdScope(const IdScope&) = delete;
    IdScope& operator=(const IdScope&) = delete;

  private:
    UiState* named_; // none: nobody asks for names
    std::string outer_;
};

// Calls line(text) for every line of the words wrapped to `width`.
void wrapped(const Ui& ui, float width, Text words, TextRole role,
             const std::function<void(const std::string&)>& line);

// Words wrapped to the width of `r`; returns the height they took.
float paragraph(Ui& ui, Rect r, Text words, TextRole role = TextRole::label,
                std::optional<Color> color = {});

// The height that paragraph() takes in that width.
float paragraph_height(const Ui& ui, float width, Text words, TextRole role = TextRole::label);

// An error's message as a sentence of its own: with a capital and a full stop.
std::string sentence(const Error& error);

// The ground of a menu, of what is said beside it, and of a dialog.
void draw_ground(Ui& ui, Rect r);

// Begins the popup `name`, which covers the whole window, so that nothing under it is hit; what is
// seen of it is drawn in its midst. False where ImGui has closed it: the window lost the focus.
bool begin_cover(const char* name);

ImU32 to_imgui(Color color);
Rect clip_of(const ImDrawList& list);

// Calls `end` when it goes, also while an exception passes: what ImGui was asked to begin is ended
// then, say.
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

// From here on, until what is returned goes, all is drawn within `r`, which scrolls.
inline auto scrolled(const Ui& ui, const char* id, Rect r) {
    ui.place_item({r.x, r.y});
    ImGui::BeginChild(id, ui.pixels(Size{r.w, r.h}), false, ImGuiWindowFlags_NoNav);
    return AtEnd(ImGui::EndChild);
}

} // namespace normscope
