#include "app/shell/files/folder_table.h"

#include "app/io/text.h"
#include "app/language/language.h"
#include "app/shell/frame/state.h"
#include "app/widgets/keys.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <imgui.h>
#include <system_error>
#include <utility>

namespace normscope {
namespace {

constexpr float k_columns_from = 440; // logical width below which size and date give way
constexpr float k_size_w = 90, k_date_w = 150;

namespace fs = std::filesystem;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Numbers within names by their value, letters in either case.
bool name_before(std::string_view a, std::string_view b) {
    const std::string x = lower_case(a), y = lower_case(b);
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (is_digit(a[i]) && is_digit(b[j])) {
            const std::size_t i0 = std::min(a.find_first_not_of('0', i), a.size());
            const std::size_t j0 = std::min(b.find_first_not_of('0', j), b.size());
            std::size_t i1 = i0, j1 = j0;
            while (i1 < a.size() && is_digit(a[i1])) ++i1;
            while (j1 < b.size() && is_digit(b[j1])) ++j1;
            if (i1 - i0 != j1 - j0) return i1 - i0 < j1 - j0;
            const int order = a.substr(i0, i1 - i0).compare(b.substr(j0, j1 - j0));
            if (order != 0) return order < 0;
            i = i1;
            j = j1;
            continue;
        }
        if (x[i] != y[j]) return x[i] < y[j];
        ++i;
        ++j;
    }
    const std::size_t rest_a = a.size() - i, rest_b = b.size() - j;
    return rest_a != rest_b ? rest_a < rest_b : a < b;
}

} // namespace

void FolderTable::fill(std::vector<FolderEntry> entries) {
    entries_ = std::move(entries);
    shown_for_.reset();
    to_top_ = true;
}

void FolderTable::filter(const std::string& typed) {
    const std::tuple wanted{order_, descending_, typed};
    if (shown_for_ == wanted) return;
    shown_for_ = wanted;
    sort_folder(entries_, order_, descending_);
    shown_.clear();
    for (const auto i : indices(entries_))
        if (passes_filter(entries_[i].name, typed)) shown_.push_back(i);
    lit_ = typed.empty() || shown_.empty() ? -1 : 0;
    // A name that is typed whole is meant, whatever stands before it.
    for (const auto k : indices(shown_))
        if (entries_[shown_[k]].name == typed) lit_ = static_cast<int>(k);
    reveal_ = lit_ > 0;
}

const FolderEntry* FolderTable::lit() const {
    return lit_ >= 0 && lit_ < static_cast<int>(shown_.size()) ? &entries_[entry_at(shown_, lit_)]
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
    const Hit hit = ui.hit(name.id, r, {.kind = PartKind::button, .focusable = false});
    const std::string text = std::string(tr(name.label)) + (order != order_ ? ""
                                                            : descending_   ? " ▾"
                                                                            : " ▴");
    ui.label(r, text, TextRole::small, hit.hovered ? ui.theme.ink : ui.theme.ink_soft, align);
    if (!hit.clicked) return;
    descending_ = order == order_ && !descending_;
    order_ = order;
}

FolderTable::Clicks FolderTable::draw(Ui& ui, Rect r, App::State& s) {
    ui.canvas.stroke_rect(r, ui.theme.border, 1, 5);
    r = r.inset(2);
    Rect head = cut_top(r, 26).inset(10, 0);
    const bool scrolls = static_cast<float>(shown_.size()) * k_folder_row > r.h;
    if (scrolls) cut_right(head, ImGui::GetStyle().ScrollbarSize);
    const bool wide = r.w >= k_columns_from;
    if (wide) {
        draw_order(ui, cut_right(head, k_date_w), {"by-change", "Changed"}, FolderOrder::changed,
                   Align::right);
        draw_order(ui, cut_right(head, k_size_w), {"by-size", "Size"}, FolderOrder::size,
                   Align::right);
    }
    draw_order(ui, head, {"by-name", "Name"}, FolderOrder::name, Align::left);
    ui.canvas.across(r, r.y, ui.theme.border);

    const auto end = scrolled(ui, "##files", r);
    if (std::exchange(to_top_, false)) ui.scroll_to(0);
    const float row_h = k_folder_row;
    if (std::exchange(reveal_, false) && lit_ >= 0) {
        const float top = static_cast<float>(lit_) * row_h;
        if (top < ui.scroll()) ui.scroll_to(top);
        if (top + row_h > ui.scroll() + r.h) ui.scroll_to(top + row_h - r.h);
    }
    Clicks clicks;
    ScreenCanvas canvas(s);
    Ui inner(canvas, ui.theme, ui.state);
    const float y0 = r.y - ui.scroll();
    const auto n = static_cast<int>(shown_.size());
    const int first = std::clamp(static_cast<int>((r.y - y0) / row_h), 0, n);
    const int last = std::clamp(static_cast<int>((r.bottom() - y0) / row_h) + 1, 0, n);
    const float bar = scrolls ? ui.from_pixels(ImGui::GetStyle().ScrollbarSize) : 0;
    for (int i = first; i < last; ++i)
        draw_entry(inner, i, {r.x, y0 + static_cast<float>(i) * row_h, r.w - bar, row_h}, wide,
                   clicks);
    if (n == 0)
        inner.label({r.x, r.y + 10, r.w, 24},
                    entries_.empty() ? "This folder is empty" : "Nothing here fits",
                    TextRole::label, ui.theme.ink_soft, Align::center);
    ui.scroll_room({r.x, y0}, static_cast<float>(n) * row_h);
    return clicks;
}

void FolderTable::draw_entry(Ui& ui, int i, Rect r, bool wide, Clicks& clicks) {
    const FolderEntry& e = entries_[entry_at(shown_, i)];
    const Hit hit = ui.hit(fmt::format("entry-{}", i), r, k_by_mouse);
    if (i == lit_)
        ui.canvas.fill_rect(r, ui.theme.focus.with_alpha(0.22f), 4);
    else if (hit.hovered)
        ui.canvas.fill_rect(r, ui.theme.control_hover, 4);
    Rect row = r.inset(10, 0);
    if (wide) {
        ui.label(cut_right(row, k_date_w), date_in_words(e.changed), TextRole::small,
                 ui.theme.ink_soft, Align::right);
        ui.label(cut_right(row, k_size_w, 10), e.is_folder ? "" : size_in_words(e.size),
                 TextRole::small, ui.theme.ink_soft, Align::right);
    }
    const Rect mark = cut_left(row, 22);
    if (e.is_folder) ui.canvas.text_in(mark, "▸", TextRole::label, ui.theme.ink_soft);
    // Any text may hold numbers, so that other files are pale, not hidden.
    const bool meant = e.is_folder || meant_ == Meant::all || is_usual_kind(e.name);
    ui.label(row, Text::typed(e.is_folder ? e.name + "/" : e.name), TextRole::label,
             meant ? ui.theme.ink : ui.theme.ink_soft);
    if (hit.pressed) {
        lit_ = i;
        clicks.lit = true;
    }
    if (hit.double_clicked) clicks.opened = true;
}

Result<std::vector<FolderEntry>> read_folder(const fs::path& folder) {
    std::vector<FolderEntry> entries;
    std::error_code error;
    fs::directory_iterator it(folder, fs::directory_options::none, error);
    for (const fs::directory_iterator none; !error && it != none; it.increment(error)) {
        FolderEntry entry;
        entry.name = it->path().filename().string();
        std::error_code unknown; // a link into nothing is listed like a file
        entry.is_folder = it->is_directory(unknown);
        if (!entry.is_folder) entry.size = it->file_size(unknown);
        if (unknown) entry.size = 0;
        entry.changed = it->last_write_time(unknown);
        entries.push_back(std::move(entry));
    }
    if (error) return fail("{}: the folder cannot be read: {}", folder.string(), error.message());
    return entries;
}

void sort_folder(std::vector<FolderEntry>& entries, FolderOrder order, bool descending) {
    const auto before = [order](const FolderEntry& a, const FolderEntry& b) {
        if (order == FolderOrder::size && a.size != b.size) return a.size < b.size;
        if (order == FolderOrder::changed && a.changed != b.changed) return a.changed < b.changed;
        return name_before(a.name, b.name);
    };
    std::ranges::sort(entries, [&](const FolderEntry& a, const FolderEntry& b) {
        if (a.is_folder != b.is_folder) return a.is_folder;
        return descending ? before(b, a) : before(a, b);
    });
}

bool passes_filter(std::string_view name, std::string_view filter) {
    if (name.starts_with('.') && !filter.starts_with('.')) return false;
    return lower_case(name).find(lower_case(filter)) != std::string::npos;
}

bool is_usual_kind(std::string_view name) {
    constexpr std::string_view k_endings[] = {".csv",    ".tsv",    ".txt",    ".vec",
                                              ".npy",    ".npz",    ".csv.gz", ".tsv.gz",
                                              ".txt.gz", ".npy.gz", ".json",   ".safetensors"};
    return std::ranges::any_of(k_endings, [lower = lower_case(name)](std::string_view ending) {
        return lower.ends_with(ending);
    });
}

std::string size_in_words(std::uintmax_t bytes) {
    constexpr std::array k_units{"B", "kB", "MB", "GB", "TB"};
    double amount = static_cast<double>(bytes);
    std::size_t unit = 0;
    while (amount >= 999.5 && unit + 1 < k_units.size()) {
        amount /= 1000;
        ++unit;
    }
    return worded("{:.{}f} {}", amount, unit > 0 && amount < 9.95 ? 1 : 0, k_units[unit]);
}

std::string date_in_words(fs::file_time_type time) {
    const auto system = std::chrono::time_point_cast<std::chrono::system_clock::duration>(
        std::chrono::file_clock::to_sys(time));
    return fmt::format("{:%Y-%m-%d %H:%M}",
                       fmt::localtime(std::chrono::system_clock::to_time_t(system)));
}

std::string path_in_words(const fs::path& path, const fs::path& home) {
    const std::string text = path.string();
    const std::string root = home.string();
    if (root.size() < 2 || !text.starts_with(root)) return text;
    if (text.size() == root.size()) return "~";
    return text[root.size()] == '/' ? "~" + text.substr(root.size()) : text;
}

} // namespace normscope
