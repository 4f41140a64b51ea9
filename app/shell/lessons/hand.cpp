#include "app/shell/lessons/hand.h"

#include "app/language/language.h"
#include "app/lessons/marks.h"
#include "app/widgets/imgui_compat.h"

#include <imgui_internal.h>
#include <utility>

namespace normscope {

namespace {

using Does = HandMove::Kind;

void press_key(std::vector<HandMove>& moves, Key key, bool ctrl) {
    for (const Does kind : {Does::key_down, Does::key_up})
        moves.push_back({.kind = kind, .key = key, .ctrl = ctrl});
}

void type(std::vector<HandMove>& moves, const std::string& text) {
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        HandMove move{.kind = Does::letter};
        at += ImTextCharFromUtf8(&move.letter, at, end);
        moves.push_back(move);
    }
}

} // namespace

// Of a cell: below its feature's name and beside its token's, as they stand in the target's panel
// or in one at its left.
Result<Point> act_place(const LessonAct& act, std::span<const NamedPart> parts,
                        std::span<const LoggedText> texts) {
    const NamedPart* const part = find_part(parts, act.target);
    if (!part) return fail(worded("nothing on the screen is named “{}”", act.target));
    if (!part->enabled) return fail(worded("“{}” is locked or disabled", act.target));
    const Rect seen = part->in_sight();
    if (seen.w < 1 || seen.h < 1) return fail(worded("“{}” is out of sight", act.target));
    if (act.token.empty()) return seen.center();
    std::optional<float> x, y;
    for (const LoggedText& text : texts) {
        const Point c = text.rect.center();
        if (text.text == act.feature && c.x > seen.x && c.x < seen.right() && c.y < seen.y) x = c.x;
        if (text.text == act.token && c.x < seen.right() && c.y > seen.y && c.y < seen.bottom())
            y = y.value_or(c.y);
    }
    if (!x || !y)
        return fail(worded("“{}” shows no cell of token “{}” and feature “{}”", act.target,
                           act.token, act.feature));
    return Point{*x, *y};
}

Result<std::vector<HandMove>> moves_of(const LessonAct& act, std::span<const NamedPart> parts,
                                       std::span<const LoggedText> texts) {
    std::vector<HandMove> moves;
    if (act.kind == LessonAct::Kind::undo) {
        press_key(moves, Key::z, true);
        return moves;
    }
    const auto at = act_place(act, parts, texts);
    if (!at) return tl::unexpected(at.error());
    moves.push_back({.kind = Does::go, .at = *at});
    const int clicks = opens_by_double_click(act, find_part(parts, act.target)->kind) ? 2 : 1;
    for (int i = 0; i < clicks; ++i)
        for (const Does kind : {Does::press, Does::release}) moves.push_back({.kind = kind});
    if (act.kind == LessonAct::Kind::enter) {
        type(moves, act.text);
        press_key(moves, Key::enter, false);
    }
    return moves;
}

std::vector<HandMove> drag_along(std::span<const Point> way) {
    std::vector<HandMove> moves;
    for (const Point at : way) {
        moves.push_back({.kind = Does::go, .at = at});
        if (moves.size() == 1) moves.push_back({.kind = Does::press});
    }
    moves.push_back({.kind = Does::release});
    return moves;
}

void Hand::make(const HandMove& move) {
    switch (move.kind) {
    case Does::go:
        mouse_ = move.at;
        break;
    case Does::press:
    case Does::release:
        button_ = move.kind == Does::press;
        break;
    case Does::letter:
    case Does::key_down:
    case Does::key_up:
        due_ = move;
        break;
    }
}

void Hand::feed() {
    if (mouse_) feed_mouse({mouse_->x, mouse_->y}, {&button_, 1});
    const auto due = std::exchange(due_, std::nullopt);
    if (!due) return;
    if (due->kind == Does::letter) return ImGui::GetIO().AddInputCharacter(due->letter);
    const bool down = due->kind == Does::key_down;
    feed_modifiers(down && due->ctrl, false, false, false);
    feed_key(key_code(due->key), down);
}

} // namespace normscope
