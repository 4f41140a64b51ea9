#include "app/shell/files/folder_table.h"

#include "app/shell/frame/screen_canvas.h"
#include "app/widgets/at_end.h"
#include "app/widgets/keys.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <utility>

namespace normscope {

namespace {

constexpr float k_columns_from = 440; // logical width below which size and date give way
constexpr float k_size_w = 90, k_date_w = 150;

} // namespace

void FolderTable::fill(std::vector<FolderEntry> entries) {
    entries_ = std::move(entries);
    shown_for_.reset();
    to_top_ = true;
}

void FolderTable::filter(const std::string& typed) {
    Shown wanted{order_, descending_, typed};
    if (shown_for_ == wanted) return;
    shown_for_ = std::move(wanted);
    sort_folder(entries_, order_, descending_);
    shown_.clear();
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (passes_filter(entries_[i].name, typed)) shown_.push_back(i);
    lit_ = typed.empty() || shown_.empty() ? -1 : 0;
    // A name that is typed whole is meant, whatever stands before it.
    for (std::size_t k = 0; k < shown_.size(); ++k)
        if (entries_[shown_[k]].name == typed) lit_ = static_cast<int>(k);
    reveal_ = lit_ > 0;
}

const FolderEntry* FolderTable::lit() const {
    return lit_ >= 0 && lit_ < static_cast<int>(shown_.size())
               ? &entries_[shown_[static_cast<std::size_t>(lit_)]]
               : nullptr;
}

bool FolderTable::walk() {
    constexpr std::pair<Key, int> k_steps[] = {
        {Key::down, 1}, {Key::up, -1}, {Key::page_down, 10}, {Key::page_up, -10}};
    const int n = static_cast<int>(shown_.size());
    bool walked = false;
    for (const auto& [key, step] : k_steps) {
        if (!key_pressed(key, true)) continue;
        lit_ = std::clamp(lit_ + step, n > 0 ? 0 : -1, n - 1);
        reveal_ = walked = true;
    }
    return walked;
}

void FolderTable::draw_order(Ui& ui, Rect r, const ChoiceName& name, FolderOrder order,
                             Align align) {
    const auto& [id, label] = name;
    const Hit hit = ui.hit(id, r, {.kind = PartKind::button, .focusable = false});
    const std::string text = std::string(label) + (order != order_ ? ""
                                                   : descending_   ? " ▾"
                                                                   : " ▴");
    ui.label(r, text, TextRole::small, hit.hovered ? ui.theme.ink : ui.theme.ink_soft, align);
    if (!hit.clicked) return;
    descending_ = order == order_ && !descending_;
    order_ = order;
}

FolderTable::Clicks FolderTable::draw(Ui& ui, Rect r, App::State& s) {
    ui.canvas.stroke_rect(r, ui.theme.border, ui.px(1), ui.px(5));
    r = r.inset(ui.px(2));
    Rect head = cut_top(r, ui.px(26)).inset(ui.px(10), 0);
    const bool scrolls = static_cast<float>(shown_.size()) * ui.px(k_folder_row) > r.h;
    if (scrolls) cut_right(head, ImGui::GetStyle().ScrollbarSize);
    const bool wide = r.w >= ui.px(k_columns_from);
    if (wide) {
        draw_order(ui, cut_right(head, ui.px(k_date_w)), {"by-change", "Changed"},
                   FolderOrder::changed, Align::right);
        draw_order(ui, cut_right(head, ui.px(k_size_w)), {"by-size", "Size"}, FolderOrder::size,
                   Align::right);
    }
    draw_order(ui, head, {"by-name", "Name"}, FolderOrder::name, Align::left);
    ui.canvas.line({r.x, r.y}, {r.right(), r.y}, ui.theme.border, ui.px(1));

    ImGui::SetCursorScreenPos({r.x, r.y});
    ImGui::BeginChild("##files", {r.w, r.h}, false, ImGuiWindowFlags_NoNav);
    const AtEnd end(ImGui::EndChild);
    if (std::exchange(to_top_, false)) ImGui::SetScrollY(0);
    const float row_h = ui.px(k_folder_row);
    const float seen = r.h;
    if (std::exchange(reveal_, false) && lit_ >= 0) {
        const float top = static_cast<float>(lit_) * row_h;
        if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
        if (top + row_h > ImGui::GetScrollY() + seen) ImGui::SetScrollY(top + row_h - seen);
    }
    Clicks clicks;
    {
        ScreenCanvas canvas(s);
        Ui inner(canvas, ui.theme, ui.state);
        const float y0 = r.y - ImGui::GetScrollY();
        const auto n = static_cast<int>(shown_.size());
        const int first = std::clamp(static_cast<int>((r.y - y0) / row_h), 0, n);
        const int last = std::clamp(static_cast<int>((r.bottom() - y0) / row_h) + 1, 0, n);
        const float bar =
            static_cast<float>(n) * row_h > seen ? ImGui::GetStyle().ScrollbarSize : 0;
        for (int i = first; i < last; ++i)
            draw_entry(inner, i, {r.x, y0 + static_cast<float>(i) * row_h, r.w - bar, row_h}, wide,
                       clicks);
        if (n == 0)
            inner.label({r.x, r.y + ui.px(10), r.w, ui.px(24)},
                        entries_.empty() ? "This folder is empty" : "Nothing here fits",
                        TextRole::label, ui.theme.ink_soft, Align::center);
        ImGui::SetCursorScreenPos({r.x, y0});
        ImGui::Dummy({1, static_cast<float>(n) * row_h});
    }
    return clicks;
}

void FolderTable::draw_entry(Ui& ui, int i, Rect r, bool wide, Clicks& clicks) {
    const FolderEntry& e = entries_[shown_[static_cast<std::size_t>(i)]];
    const Hit hit = ui.hit(fmt::format("entry-{}", i), r, {.focusable = false});
    if (i == lit_)
        ui.canvas.fill_rect(r, ui.theme.focus.with_alpha(0.22f), ui.px(4));
    else if (hit.hovered)
        ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(4));
    Rect row = r.inset(ui.px(10), 0);
    if (wide) {
        ui.label(cut_right(row, ui.px(k_date_w)), date_in_words(e.changed), TextRole::small,
                 ui.theme.ink_soft, Align::right);
        ui.label(cut_right(row, ui.px(k_size_w), ui.px(10)),
                 e.is_folder ? "" : size_in_words(e.size), TextRole::small, ui.theme.ink_soft,
                 Align::right);
    }
    const Rect mark = cut_left(row, ui.px(22));
    if (e.is_folder) ui.canvas.text_in(mark, "▸", TextRole::label, ui.theme.ink_soft);
    // Any text may hold numbers, so that other files are pale, not hidden.
    const bool meant = e.is_folder || meant_ == Meant::all || is_usual_kind(e.name);
    ui.label(row, e.is_folder ? e.name + "/" : e.name, TextRole::label,
             meant ? ui.theme.ink : ui.theme.ink_soft);
    if (hit.pressed) {
        lit_ = i;
        clicks.lit = true;
    }
    if (hit.double_clicked) clicks.opened = true;
}

} // namespace normscope
