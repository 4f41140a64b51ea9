#include "app/widgets/ui.h"

#include "app/language/language.h"
#include "app/widgets/imgui_compat.h"
#include "core/base/printable.h"

#include <algorithm>
#include <imgui_internal.h>
#include <imgui_stdlib.h>
#include <ranges>

namespace normscope {
namespace {

constexpr float k_tooltip_delay = 0.5f; // seconds
constexpr float k_tooltip_w = 340;
constexpr float k_scroll_margin = 24;

// Scrolls the window by as little as brings all of `r` into view, its top where it is too high.
void scroll_to(const Ui& ui, Rect r, float margin) {
    if (ImGui::GetScrollMaxY() <= 0) return;
    const Rect page = ui.page();
    const float top = page.y + margin;
    const float bottom = page.bottom() - margin;
    float by = std::max(0.0f, r.bottom() - bottom);
    if (r.y - by < top) by = r.y - top;
    if (by != 0) ui.scroll_to(ui.scroll() + by);
}

// Whole within the window: beside that rectangle, else above it; or at the mouse.
Point tooltip_place(const Ui& ui, Size size, std::optional<Rect> beside) {
    const Rect display = ui.window();
    const float gap = 8, rim = 4;
    const Rect near = beside.value_or(Rect{ui.mouse().x, ui.mouse().y, gap, 2 * gap});
    Point at{near.right() + gap, near.y};
    if (!beside) at = {near.x + gap, near.bottom()};
    const bool right = at.x + size.w + rim <= display.w;
    if (beside && !right) at = {near.x, near.y - gap - size.h};
    if (at.y + size.h + rim > display.h) at.y = near.y - gap - size.h;
    return {std::clamp(at.x, rim, std::max(rim, display.w - rim - size.w)), std::max(rim, at.y)};
}

void draw_tooltip(const Ui& ui, Text words, std::optional<Rect> beside = {}) {
    const std::string_view text = words.view();
    std::string shown; // hints may have lines of their own
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        shown += printable(text.substr(at, end - at)) + (end < text.size() ? "\n" : "");
        at = end + 1;
    }
    const Size padding{10, 7};
    const Point wrapped =
        ui.from_pixels(ImGui::CalcTextSize(shown.c_str(), nullptr, false, ui.pixels(k_tooltip_w)));
    const Point at =
        tooltip_place(ui, {wrapped.x + 2 * padding.w, wrapped.y + 2 * padding.h}, beside);
    ImGui::SetNextWindowPos(ui.pixels(at));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ui.pixels(padding));
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ui.pixels(padding.w + k_tooltip_w));
    ImGui::TextUnformatted(shown.c_str());
    if (ui.state.texts) ui.state.texts->push_back({shown});
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

std::string name_of(const std::string& path, const NamePart& part) {
    std::string name = part.of_workspace ? path.substr(0, path.find('.')) : path;
    if (!part.word.empty() && !name.empty()) name += '.';
    const auto end = static_cast<std::ptrdiff_t>(name.size());
    name += part.word;
    std::replace(name.begin() + end, name.end(), '_', '-');
    return name;
}

bool is_locked(const UiState& state, const NamePart& part) {
    if (state.locked.empty() || !state.parts) return false;
    const std::string name = name_of(state.path, part);
    return std::ranges::any_of(state.locked,
                               [&](const std::string& locked) { return is_within(name, locked); });
}

float row_height(const Ui& ui, TextRole role) {
    return ui.canvas.line_height(role) + 3;
}

// Puts the caret behind what has been typed so far, or selects all of it.
int place_caret(ImGuiInputTextCallbackData* data) {
    auto* ui_state = static_cast<UiState*>(data->UserData);
    if (!std::exchange(ui_state->text_grab, false)) return 0;
    forget_typing();
    data->CursorPos = data->BufTextLen;
    data->SelectionStart = ui_state->text_select_all ? 0 : data->BufTextLen;
    data->SelectionEnd = data->BufTextLen;
    return 0;
}

} // namespace

IdScope::IdScope(Ui& ui, NamePart part) : named_(ui.state.parts ? &ui.state : nullptr) {
    ImGui::PushID(part.word.data(), part.word.data() + part.word.size());
    if (named_) outer_ = std::exchange(named_->path, name_of(named_->path, part));
}
IdScope::~IdScope() {
    ImGui::PopID();
    if (named_) named_->path = std::move(outer_);
}

void Ui::name(NamePart part, Rect r, PartKind kind, bool enabled, ImGuiID id) {
    if (!state.parts) return;
    state.parts->push_back({name_of(state.path, part), kind, enabled, canvas.pixels(r),
                            clip_of(*ImGui::GetWindowDrawList()), id});
}

Point mouse_at(float scale) {
    const ImVec2 at = ImGui::GetIO().MousePos;
    return {at.x / scale, at.y / scale};
}
Point Ui::mouse_moved() const {
    return from_pixels(ImGui::GetIO().MouseDelta);
}
Rect Ui::window() const {
    return canvas.from_pixels({0, 0, ImGui::GetIO().DisplaySize.x, ImGui::GetIO().DisplaySize.y});
}
Rect Ui::page() const {
    const Point at = from_pixels(ImGui::GetWindowPos()), size = from_pixels(ImGui::GetWindowSize());
    return {at.x, at.y, size.x, size.y};
}

Hit Ui::hit(NamePart part, Rect r, HitSpec spec) {
    Hit hit;
    hit.id = part.id();
    if (r.w < 1 || r.h < 1) return hit;
    const auto named = [&](bool enabled) {
        name(part, r, spec.kind, enabled, hit.id);
        if (state.parts) state.parts->back().first_cell = canvas.pixels(spec.first_cell);
    };
    const bool is_control = spec.kind == PartKind::button || spec.kind == PartKind::choice ||
                            spec.kind == PartKind::slider;
    if (state.picture && is_control) return hit; // a picture has none
    if (state.picture || is_locked(state, part)) {
        named(false);
        return hit;
    }
    place_item({r.x, r.y});
    ImGui::PushOverrideID(hit.id);
    ImGui::InvisibleButton("hit", pixels(Size{r.w, r.h}),
                           ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
    ImGui::PopID();
    hit.hovered = ImGui::IsItemHovered();
    named(spec.enabled);
    const bool left = ImGui::IsMouseDown(ImGuiMouseButton_Left);
    hit.pressed = ImGui::IsItemActivated() && ImGui::IsMouseClicked(ImGuiMouseButton_Left);
    if (hit.pressed) {
        state.touched = hit.id;
        state.focus_visible = false;
    } else if (state.touched == hit.id && !hit.hovered) {
        state.touched = 0;
    }
    hit.held = ImGui::IsItemActive() && left;
    if (hit.held) state.held = {ImGui::GetActiveID(), r.center()};
    hit.released = ImGui::IsItemDeactivated() && ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    hit.clicked = hit.released && hit.hovered;
    hit.double_clicked = hit.hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    hit.right_clicked = hit.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    if (spec.focusable) {
        state.next_order.push_back(hit.id);
        if (hit.pressed) state.focus = hit.id;
        if (state.focus_moved && state.focus == hit.id)
            normscope::scroll_to(*this, r, k_scroll_margin);
        hit.focused = state.focus == hit.id && !ImGui::GetIO().WantTextInput &&
                      (state.modal || !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup));
        if (hit.focused && (key_pressed(Key::enter) || key_pressed(Key::space))) hit.clicked = true;
    }
    return hit;
}

bool Ui::passes_by(Rect r) const {
    constexpr Rect k_everywhere{-1e6f, -1e6f, 2e6f, 2e6f};
    const ImGuiID active = ImGui::GetActiveID();
    if (canvas.sees(k_everywhere) || active == 0 || active != state.held.id ||
        r.contains(state.held.at) || ImGui::GetIO().MouseWheel != 0)
        return false;
    ImGui::KeepAliveID(active); // also where the page has moved under the hand
    return true;
}

void Ui::tooltip(const Hit& hit, Text text, std::optional<Rect> beside) const {
    if (!hit.hovered || hit.id == state.touched || text.empty() || state.keys_lead) return;
    if (state.text_edit != 0) return; // it would cover what is typed
    if (ImGui::GetCurrentContext()->HoveredIdTimer < k_tooltip_delay) return;
    draw_tooltip(*this, text, beside);
}

void Ui::focus_ring(const Hit& hit, Rect r, float rounding) {
    if (hit.focused && state.focus_visible)
        canvas.stroke_rect(r.inset(-2), theme.focus, 2, rounding + 2);
}

void Ui::begin_text_edit(ImGuiID id, std::string initial, bool select_all) {
    state.text_edit = id;
    state.text = std::move(initial);
    state.text_grab = true;
    state.text_take = false;
    state.text_select_all = select_all;
    state.text_opened = ImGui::GetFrameCount();
}

std::string Ui::begun_text() const {
    const std::string text = typed_text();
    const bool begins = !state.letters_are_keys || text.find_first_of("0123456789-") == 0;
    return begins ? text : std::string();
}

void Ui::end_text_edit() {
    state.text_edit = 0;
    // The next key belongs to the widgets again, not to a field that is gone.
    ImGui::ClearActiveID();
    ImGui::GetIO().WantTextInput = false;
    ImGui::GetCurrentContext()->WantTextInputNextFrame = 0;
}

std::optional<std::string> Ui::edit_text(ImGuiID id, Rect r, TextRole role, Align align,
                                         float most_w) {
    if (state.text_edit != id) return std::nullopt;
    float width = std::max(r.w, canvas.text_size(state.text + "00", role).w + 8);
    if (most_w > 0) width = std::min(width, most_w);
    float x = r.x;
    if (align == Align::center) x -= (width - r.w) / 2;
    if (align == Align::right) x -= width - r.w;
    if (std::exchange(state.text_take, false)) {
        end_text_edit();
        return state.text;
    }
    // Before the field sees the key, which would take it to itself again.
    if (key_pressed(Key::tab)) {
        state.key_taken = true;
        end_text_edit();
        return state.text;
    }
    const float padding = std::max(0.0f, (r.h - from_pixels(ImGui::GetFontSize())) / 2);
    place_item({x, r.y});
    ImGui::SetNextItemWidth(pixels(width));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, pixels(Size{4, padding}));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameRounding, pixels(3));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, pixels(2));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, to_imgui(theme.panel));
    ImGui::PushStyleColor(ImGuiCol_Border, to_imgui(theme.focus));
    ImGui::PushOverrideID(id);
    const AtEnd end([] {
        ImGui::PopID();
        ImGui::PopStyleColor(2);
        ImGui::PopStyleVar(3);
    });
    const ImGuiID field = ImGui::GetID("##text");
    // In the frame that opened the field, its keys are not the field's; and ImGui drops what is
    // typed until the field has the keyboard.
    const bool opens = state.text_opened == ImGui::GetFrameCount();
    // ImGui selects a word from 1.89 on, of a number the digits before or behind its point.
    if (ImGui::GetMouseClickedCount(ImGuiMouseButton_Left) >= 2 &&
        Rect{x, r.y, width, r.h}.contains(mouse()))
        state.text_grab = state.text_select_all = true;
    if (state.text_grab && !opens) activate_field(field);
    bool entered = false;
    if (ImGui::GetCurrentContext()->ActiveId != field) {
        state.text += queued_text();
        ImGui::GetIO().InputQueueCharacters.resize(0);
        entered = key_pressed(Key::enter) && !opens;
    }
    entered |=
        ImGui::InputText("##text", &state.text,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways,
                         place_caret, &state);
    const bool ended = ImGui::IsItemDeactivated();
    if (key_pressed(Key::escape)) {
        state.key_taken = true;
        end_text_edit();
        return std::nullopt;
    }
    const ImGuiID active = ImGui::GetCurrentContext()->ActiveId;
    if (ended && active != 0 && active != field) {
        state.text_edit = 0; // what was pressed instead goes on
        return state.text;
    }
    if (entered || ended) {
        if (entered) take_key(Key::enter); // the button that has the keyboard would hear it
        end_text_edit();
        return state.text;
    }
    return std::nullopt;
}

void Ui::label(Rect r, Text text, TextRole role, std::optional<Color> color, Align align) {
    if (!canvas.sees(r)) return;
    const bool fits = canvas.text_size(text, role).w <= r.w;
    canvas.text_in(r, fits ? text : Text::typed(canvas.elide(text, role, r.w)), role,
                   color.value_or(theme.ink), align);
    if (fits) return;
    const Point m = mouse();
    if (r.contains(m) && ImGui::IsWindowHovered())
        draw_tooltip(*this, Text::typed(printable(text.view())));
}

void wrapped(const Ui& ui, float width, Text words, TextRole role,
             const std::function<void(const std::string&)>& line) {
    const float space = ui.text_width(" ", role);
    std::string text;
    float w = 0; // of the text and a space after it
    for (const auto part : std::views::split(words.view(), ' ')) {
        const std::string word(part.begin(), part.end());
        const float word_w = ui.text_width(Text::typed(word), role);
        if (!text.empty() && w + word_w > width) {
            line(text);
            text.clear();
            w = 0;
        }
        text += text.empty() ? word : ' ' + word;
        w += word_w + space;
    }
    if (!text.empty()) line(text);
}

float paragraph(Ui& ui, Rect r, Text words, TextRole role, std::optional<Color> color) {
    const float line_h = row_height(ui, role);
    float y = r.y;
    wrapped(ui, r.w, words, role, [&](const std::string& line) {
        ui.label({r.x, y, r.w, line_h}, Text::typed(line), role, color);
        y += line_h;
    });
    return y - r.y;
}

float paragraph_height(const Ui& ui, float width, Text words, TextRole role) {
    int lines = 0;
    wrapped(ui, width, words, role, [&](const std::string&) { ++lines; });
    return static_cast<float>(lines) * row_height(ui, role);
}

void draw_ground(Ui& ui, Rect r) {
    ui.canvas.fill_rect(r, ui.theme.panel, 8);
    ui.canvas.stroke_rect(r, ui.theme.border, 1, 8);
}

bool begin_cover(const char* name) {
    if (!ImGui::IsPopupOpen(name)) ImGui::OpenPopup(name);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    return ImGui::BeginPopup(name, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                       ImGuiWindowFlags_NoBackground |
                                       ImGuiWindowFlags_NoScrollWithMouse);
}

std::string sentence(const Error& error) {
    std::string words = error_text(error);
    if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
        words[0] = static_cast<char>(words[0] - 'a' + 'A');
    if (!words.ends_with('.')) words += '.';
    return words;
}

} // namespace normscope
