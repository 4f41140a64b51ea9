#include "app/shell/frame/live_text.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/state.h"
#include "app/shell/menus/dialog.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace normscope {
namespace {

constexpr int k_told_digits = 7; // about those of float32

// The token and the feature of the cell that the keyboard is on, and its value on a card.
std::string told_cell(const App::State& s) {
    const Hover& at = s.view.hover;
    const Document& document = s.derived->document();
    if (!at.token || !at.feature || *at.token >= document.token_count() ||
        *at.feature >= document.feature_count())
        return {};
    std::string out = fmt::format(" {}, {}", entry_at(*document.tokens, *at.token),
                                  entry_at(*document.features, *at.feature));
    if (!at.tensor || s.derived->view(*at.tensor).rows() == 0) return out;
    const auto& [tensor, id, name] = entry_at(k_tensor_names, *at.tensor);
    return fmt::format("{}, {} {}", out, name,
                       number_text(s.derived->view(tensor)(*at.token, *at.feature), k_told_digits));
}

} // namespace

std::string live_text(const App::State& s) {
    constexpr Choice<PartKind> k_roles[] = {
        {PartKind::button, "button", "button"},   {PartKind::choice, "choice", "one of several"},
        {PartKind::slider, "slider", "slider"},   {PartKind::fader, "fader", "fader"},
        {PartKind::field, "field", "text field"}, {PartKind::cells, "cells", "cells"}};
    const bool asked = !s.dialogs.empty();
    const UiState& ui = asked ? s.dialog_ui : s.ui;
    std::string out = asked ? fmt::format("{}: ", tr(s.dialogs.front()->title())) : "";
    for (const MenuState* menu : {&s.menu, &ui.menu})
        if (menu->keyboard)
            return fmt::format("{}{} {}. {}", out, tr("menu item"), menu->words, s.told);
    const auto part = std::ranges::find(*s.ui.parts, ui.focus, &NamedPart::id);
    if (ui.focus_visible && ui.focus != 0 && part != s.ui.parts->end()) {
        for (const auto& [kind, id, word] : k_roles)
            if (kind == part->kind) out += tr(word);
        if (part->kind == PartKind::cells) return out + told_cell(s) + ". " + s.told;
        const std::string& name = part->name; // "add-norm.gamma.d3"
        for (const auto& [of, sign] : {std::pair(".gamma.", " γ "), std::pair(".beta.", " β ")})
            if (name.find(of) != std::string::npos) out += sign + name.substr(name.rfind('.') + 1);
        std::vector<Rect> places; // its own and those of what belongs to it, as a fader's value
        for (const NamedPart& other : *s.ui.parts)
            if (is_within(other.name, name)) places.push_back(other.rect);
        for (const LoggedText& text : s.texts)
            if (std::ranges::any_of(places, [at = text.rect.center()](const Rect& place) {
                    return place.contains(at);
                }))
                out += " " + text.text;
    } else if (asked) { // its title is the first one
        out.clear();
        for (const LoggedText& text : s.texts) out += text.text + " ";
    }
    return out + ". " + s.told;
}

} // namespace normscope
