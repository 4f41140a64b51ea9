#include "app/io/text.h"
#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_row = 24;
constexpr float k_button = 28;

// A name, cut where it is too long; the hint has all of it.
void name_label(Ui& ui, Rect row, std::string_view name, Color color) {
    row = row.inset(4, 0);
    const std::string shown = ui.canvas.elide(Text::typed(name), TextRole::small, row.w);
    ui.canvas.text_in(row, Text::typed(shown), TextRole::small, color, Align::left);
}

void remove_pin(FlowPanel& p, std::size_t i) {
    p.edit(RemovePin{i});
    p.next.restoring.reset(); // its place is another's now
}

void pin_row(FlowPanel& p, Rect row, std::size_t i, const std::string& name,
             const std::string& listed) {
    const IdScope scope(p, fmt::format("pin-{}", i));
    const PinnedStack& pin = (*p.document.flow.pinned)[i];
    row = row.inset(0, 1);
    const Rect whole = row;
    const Rect remove = cut_right(row, 24, 2);
    const std::string_view word = pin.shown ? tr("hide") : tr("show");
    const Rect eye = cut_right(row, button_width(p, "show"), 4);
    LineStyle style = pinned_style(p.theme, pin.look);
    if (!pin.shown) style.color = style.color.with_alpha(0.35f);
    draw_swatch(p, cut_left(row, 24, 6), style, k_curve_marker);

    const Hit hit = p.hit("", row, {.kind = PartKind::button});
    const auto rename = [&] {
        p.next.renaming = i;
        p.begin_text_edit(hit.id, name, true);
    };
    if (p.view.renaming == i && p.editing_text(hit.id)) {
        if (const auto typed = p.edit_text(hit.id, row, TextRole::small, Align::left, row.w)) {
            p.next.renaming.reset();
            const std::string_view kept = trim(*typed);
            if (kept != name) p.edit(RenamePin{i, std::string(kept)});
        }
    } else {
        if (p.view.renaming == i) p.next.renaming.reset();
        // A button, the chosen one where the present stack is pinned as this.
        const bool present = pin.stack == p.document.flow.stack;
        p.canvas.fill_rect(row,
                           present       ? p.theme.accent
                           : hit.hovered ? p.theme.control_hover
                                         : p.theme.control,
                           4);
        if (!present) p.canvas.stroke_rect(row, p.theme.border, 1, 4);
        const StackStudy* study =
            i < studies_of(p).pinned.size() ? studies_of(p).pinned[i].get() : nullptr;
        const bool failed = study && study->error;
        name_label(p, row, listed,
                   present     ? p.theme.on_accent
                   : failed    ? p.theme.error
                   : pin.shown ? p.theme.ink
                               : p.theme.ink_soft);
        p.focus_ring(hit, row, 4);
        const std::string what = stack_name(pin.stack);
        const std::string details = stack_details(pin.stack);
        p.tooltip(hit,
                  failed ? error_text(*study->error)
                         : worded("{}; {}. Click to restore it, double-click or F2 to "
                                  "rename it, Delete to remove it",
                                  name == what ? what : name + ": " + what, details),
                  whole);
        // The first click was on it too, and not on the button that it took the place of.
        const bool twice = hit.double_clicked && p.view.restoring == i;
        if (twice || (hit.focused && key_pressed(Key::f2))) {
            p.next.restoring.reset();
            rename();
        } else if (hit.clicked && hit.released) {
            p.next.restoring = i;
            p.next.clicked_at = ImGui::GetTime();
        } else if (hit.clicked) // by a key, which nothing follows
            p.edit(RestorePin{i});
        else if (hit.focused && key_pressed(Key::del))
            remove_pin(p, i);
    }
    if (button(p, "shown", eye,
               {word, pin.shown ? "Leaves its curve out" : "Draws its curve again"}))
        p.edit(ShowPin{i, !pin.shown});
    if (button(p, "remove", remove, {"×", "Removes it; Ctrl+Z brings it back"})) remove_pin(p, i);
}

// Restores the clicked pinned stack once no second click can follow. An older click is dropped: the
// user left for another workspace after it.
void restore_clicked(FlowPanel& p) {
    constexpr double k_forgotten = 2; // seconds
    const auto clicked = p.view.restoring;
    if (!clicked) return;
    const double since = ImGui::GetTime() - p.view.clicked_at;
    if (since <= ImGui::GetIO().MouseDoubleClickTime) return;
    if (since < k_forgotten && *clicked < p.document.flow.pinned->size())
        p.edit(RestorePin{*clicked});
    p.next.restoring.reset();
}

} // namespace

void compared_panel(FlowPanel& p) {
    Column rows = p.column("compared", {.title = "Compared"});
    const FlowSetup& setup = p.document.flow;
    restore_clicked(p);
    const std::vector<std::string> names = stack_names(setup), listed = listed_names(setup);
    // The name of the present stack's pin; without a pin, the name that it would be pinned with.
    const std::string& own = names[place_in(*setup.pinned, setup.stack, &PinnedStack::stack)];
    Rect present = rows.next(k_row);
    draw_swatch(p, cut_left(present, 24, 6), present_style(p.theme), k_curve_marker);
    name_label(p, present, worded("This stack: {}", own), p.theme.ink);
    p.tooltip(p.hit("present", present, k_by_mouse),
              worded("{}; {}", stack_name(setup.stack), stack_details(setup.stack)), present);
    for (const auto i : indices(listed)) pin_row(p, rows.next(k_row), i, names[i], listed[i]);
    rows.next(6);
    Rect row = rows.next(k_button);
    const bool room = setup.pinned->size() < k_most_pinned;
    const bool twin = find_in(*setup.pinned, setup.stack, &PinnedStack::stack);
    const std::string hint = twin   ? worded("It is pinned already, as “{}”", own)
                             : room ? "Keeps its curve while you change the stack"
                                    : "Seven are pinned already: remove one first";
    if (left_button(p, "pin", row, {"Pin this stack", hint, room && !twin, ButtonLook::primary},
                    10))
        p.edit(PinStack{});
    if (setup.pinned->empty()) soft_label(p, row, "to compare it");
}

} // namespace normscope
