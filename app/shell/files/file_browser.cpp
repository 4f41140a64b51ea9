#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/folder_table.h"
#include "app/widgets/controls.h"
#include "app/widgets/imgui_compat.h"
#include "app/widgets/ui.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_stdlib.h>
#include <optional>
#include <tuple>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr float k_gap = 8;
constexpr float k_places_from = 600; // logical width below which the places give way

// A place at the left: a folder that people often want.
struct Place {
    std::string id, name;
    fs::path path;
};

std::vector<Place> places(const Outside& outside, const UserDirs& dirs) {
    const fs::path& home = dirs.home;
    std::vector<Place> all;
    if (!home.empty()) {
        all.push_back({"home", "Home", home});
        for (const auto& [id, name, key] : {std::tuple("desktop", "Desktop", "XDG_DESKTOP_DIR"),
                                            {"documents", "Documents", "XDG_DOCUMENTS_DIR"},
                                            {"downloads", "Downloads", "XDG_DOWNLOAD_DIR"}})
            if (const fs::path folder = user_folder(dirs, key).value_or(home / name);
                folder != home && outside.is_folder(folder))
                all.push_back({id, name, folder});
    }
    if (const fs::path here = outside.started_in(); !here.empty() && here != home)
        all.push_back({"here", "Started in", here});
    all.push_back({"computer", "Computer", "/"});
    return all;
}

class FileBrowser final : public Dialog {
  public:
    FileBrowser(const App::State& s, BrowserRequest request)
        : request_(std::move(request)), outside_(s.outside), home_(s.services.dirs.home),
          downloads_(!s.services.page.empty()),
          places_(downloads_ ? std::vector<Place>() : places(outside_, s.services.dirs)),
          table_(request_.saving ? FolderTable::Meant::all : FolderTable::Meant::usual_kinds) {
        fs::path folder = s.files.recent.folder(); // the session's, unless another was chosen since
        if (downloads_) folder = home_;
        if (!outside_.is_folder(folder)) folder = home_;
        if (!outside_.is_folder(folder)) folder = outside_.started_in();
        enter(folder.empty() ? fs::path("/") : folder);
        if (request_.saving) text_ = request_.name + suffix();
    }

    std::string title() const override { return request_.title; }
    Size wanted(const Ui&, float) const override {
        return downloads_ ? Size{520, 120} : Size{860, 560};
    }

    void cancel(App::State& s) override {
        request_.cancelled(s);
        close();
    }

    void draw(Ui& ui, Rect r, App::State& s) override {
        table_.filter(request_.saving ? std::string() : text_);
        if (!downloads_) draw_head(ui, cut_top(r, k_folder_row, k_gap));
        Rect buttons = cut_bottom(r, k_answer_height, k_gap);
        if (!error_.empty())
            ui.label(cut_bottom(r, 22, 4), error_, TextRole::label, ui.theme.error);
        const Rect field = cut_bottom(r, k_folder_row + 4, k_gap);
        if (r.w >= k_places_from && !downloads_) draw_places(ui, cut_left(r, 150, k_gap));
        keys(); // before the field, which takes Enter to itself
        const auto clicks = downloads_ ? FolderTable::Clicks() : table_.draw(ui, r, s);
        if (clicks.lit) name_lit();
        if (clicks.opened) accept(s);
        const bool enter_in_field = draw_field(ui, field);
        if (request_.saving && request_.formats.size() > 1) draw_formats(ui, buttons);
        const bool opens = !request_.saving || lit_folder();
        std::vector<ChoiceName> answers;
        answers.push_back({"cancel", "Cancel"});
        answers.push_back({"accept", opens ? "Open" : replacing_ ? "Replace" : "Save"});
        // The mouse, which pressed Save, is then not over Replace.
        if (!opens && replacing_) answers.push_back({"rename", "Another name"});
        const int answer = answer_buttons(ui, buttons, answers);
        if (answer == 0) return cancel(s);
        if (answer == 2) {
            replacing_ = false;
            error_.clear();
            take_keyboard_ = select_name_ = true;
        }
        if (answer == 1 || enter_in_field) accept(s);
        if (const auto folder = std::exchange(next_, std::nullopt)) enter(*folder);
    }

  private:
    std::string suffix() const {
        return request_.formats.empty() ? "" : request_.formats[format_].suffix;
    }

    // Only while nothing is being drawn, as it replaces the entries: see next_.
    void enter(const fs::path& folder) {
        fs::path whole = outside_.plain(folder);
        auto entries = outside_.entries(whole);
        if (!entries) return refuse(error_text(entries.error()));
        folder_ = std::move(whole);
        table_.fill(std::move(*entries));
        error_.clear();
        replacing_ = false;
        if (!request_.saving) set_text({});
    }

    void go_and_type(const fs::path& folder) {
        next_ = folder;
        take_keyboard_ = true;
    }

    // The field edits a copy while it has the keyboard, so a new text goes in through it.
    void set_text(std::string text) {
        replaced_text_ = std::exchange(text_, text);
        new_text_ = std::move(text);
    }

    bool lit_folder() const { return table_.lit() && table_.lit()->is_folder; }

    // When saving, a file that is lit gives its name.
    void name_lit() {
        const FolderEntry* lit = table_.lit();
        if (request_.saving && lit && !lit->is_folder) set_text(lit->name);
    }

    void draw_head(Ui& ui, Rect r) {
        const Rect up = cut_left(r, 64);
        if (button(ui, "up", up,
                   {"↑ Up", "The folder above, Alt+↑",
                    folder_.has_parent_path() && folder_ != folder_.root_path()}))
            go_and_type(folder_.parent_path());
        cut_left(r, k_gap);
        // The end of a long path tells more than its beginning.
        std::string text = path_in_words(folder_, home_);
        const std::string whole = text;
        while (ui.text_width(text, TextRole::label) > r.w) {
            const std::size_t slash = text.find('/', text.starts_with("…/") ? 4 : 1);
            if (slash == std::string::npos) break;
            text = "…" + text.substr(slash);
        }
        const Hit hit = ui.hit("folder", r, k_by_mouse);
        ui.label(r, text, TextRole::label, ui.theme.ink_soft);
        if (text != whole) ui.tooltip(hit, whole);
    }

    void draw_places(Ui& ui, Rect r) {
        const IdScope scope(ui, "places");
        for (std::size_t i = 0; i < places_.size() && r.h >= k_folder_row; ++i) {
            const Rect row = cut_top(r, k_folder_row);
            const Hit hit = ui.hit(places_[i].id, row, {.kind = PartKind::button});
            if (hit.hovered || places_[i].path == folder_)
                ui.canvas.fill_rect(row, ui.theme.control_hover, 4);
            ui.label(row.inset(8, 0), places_[i].name);
            ui.focus_ring(hit, row, 4);
            if (hit.clicked) go_and_type(places_[i].path);
        }
    }

    void keys() {
        if (alt_down()) {
            if (key_pressed(Key::up) && !downloads_) next_ = folder_.parent_path();
            return;
        }
        if (table_.walk()) name_lit();
        if (!request_.saving && text_.empty() && key_pressed(Key::backspace))
            next_ = folder_.parent_path();
    }

    static int edit_callback(ImGuiInputTextCallbackData* data) {
        auto& self = *static_cast<FileBrowser*>(data->UserData);
        // ImGui puts the caret of a new field where it was in the last one of that name.
        if (std::exchange(self.select_name_, false) && !self.new_text_) data->SelectAll();
        if (!self.new_text_) return 0;
        // Letters typed behind the old text meanwhile stay behind the new one.
        const std::string now(data->Buf, static_cast<std::size_t>(data->BufTextLen));
        const std::string& old = self.replaced_text_;
        const std::string more = now.starts_with(old) ? now.substr(old.size()) : std::string();
        data->DeleteChars(0, data->BufTextLen);
        data->InsertChars(0, (*self.new_text_ + more).c_str());
        self.new_text_.reset();
        return 0;
    }

    bool draw_field(Ui& ui, Rect r) {
        return text_field(ui, "name", "##name", r, line_padding(ui, r), take_keyboard_, [&] {
            const std::string hint(tr(request_.saving
                                          ? "Name of the file"
                                          : "Type to find a name, or a path such as ~/data/"));
            const bool named = new_text_.has_value();
            const bool enter = ImGui::InputTextWithHint("##name", hint.c_str(), &text_,
                                                        ImGuiInputTextFlags_EnterReturnsTrue |
                                                            ImGuiInputTextFlags_CallbackAlways,
                                                        edit_callback, this);
            if (named) forget_typing(); // Ctrl+Z does not bring back the name before
            if (!ImGui::IsItemActive() && new_text_) {
                // Newer releases of ImGui put a field's typed text back when it loses the keyboard.
                text_ = *std::exchange(new_text_, {});
            } else if (ImGui::IsItemEdited()) {
                error_.clear();
                replacing_ = false;
                if (request_.saving) table_.let_go(); // the name is meant, not the folder
                if (text_.ends_with('/')) go_to_typed();
            }
            return enter;
        });
    }

    // The typed path, from the folder that is shown.
    fs::path typed() const {
        if (text_ == "~" || text_.starts_with("~/"))
            return home_ / fs::path(text_.substr(std::min<std::size_t>(2, text_.size())));
        return folder_ / text_;
    }

    void go_to_typed() {
        const fs::path to = typed();
        if (downloads_ || !outside_.is_folder(to)) return;
        next_ = to;
        if (request_.saving) set_text({});
    }

    void draw_formats(Ui& ui, Rect& row) {
        std::vector<ChoiceName> names; // "csv" of ".csv"
        for (const auto& f : request_.formats)
            names.push_back({std::string_view(f.suffix).substr(1), f.label});
        const float w = std::min(segmented_width(ui, names), row.w * 0.45f);
        const auto chosen =
            segmented(ui, "format", cut_left(row, w, k_gap), names, static_cast<int>(format_));
        if (!chosen) return;
        std::string name = text_;
        if (name.ends_with(suffix())) name.resize(name.size() - suffix().size());
        format_ = static_cast<std::size_t>(*chosen);
        set_text(name + suffix());
        replacing_ = false;
    }

    void refuse(std::string why) { error_ = std::move(why); }

    void accept(App::State& s) {
        take_keyboard_ = true;
        const FolderEntry* chosen = table_.lit();
        if (lit_folder()) {
            next_ = folder_ / chosen->name;
            return;
        }
        if (!request_.saving && chosen) return finish(s, folder_ / chosen->name);
        if (text_.empty())
            return refuse(request_.saving ? "A name for the file is missing: type one below"
                                          : "No file is chosen: click one, or type its name");
        fs::path path = typed();
        if (downloads_ && path.parent_path() != folder_)
            return refuse("Only a name: the browser chooses the folder");
        if (outside_.is_folder(path)) {
            next_ = path;
            return;
        }
        if (!request_.saving) {
            if (outside_.exists(path)) return finish(s, path);
            return refuse(worded("“{}” is not in {}", text_, folder_.string()));
        }
        const std::string name = path.filename().string();
        if (std::ranges::none_of(request_.formats, [&](const auto& f) {
                return name.size() > f.suffix.size() && name.ends_with(f.suffix);
            }))
            path += suffix();
        if (!outside_.is_folder(path.parent_path()))
            return refuse(
                worded("There is no folder {}", path_in_words(path.parent_path(), home_)));
        if (outside_.exists(path) && !replacing_ && !downloads_) {
            replacing_ = true;
            return refuse(worded("“{}” exists. Replace it?", path.filename().string()));
        }
        finish(s, path);
    }

    void finish(App::State& s, fs::path path) {
        s.files.recent.visited(path.parent_path());
        s.defer(given(request_.accept, std::move(path)));
        close();
    }

    BrowserRequest request_;
    Outside outside_;
    fs::path home_;
    bool downloads_; // what is saved in a browser's page, which has no other folder
    std::vector<Place> places_;
    fs::path folder_;
    std::optional<fs::path> next_; // asked for while this one is being drawn
    FolderTable table_;
    bool take_keyboard_ = true;
    std::string text_;
    std::string replaced_text_;
    std::optional<std::string> new_text_;
    bool select_name_ = true; // in the first frame that the field has the keyboard
    std::string error_;
    bool replacing_ = false;
    std::size_t format_ = 0;
};

} // namespace

void browse(App::State& s, BrowserRequest request) {
    if (s.services.choose_file && !request.saving)
        return s.services.choose_file([&s, accept = std::move(request.accept)](fs::path chosen) {
            s.defer(given(accept, std::move(chosen)));
            s.services.wake();
        });
    s.show(std::make_unique<FileBrowser>(s, std::move(request)));
}

void ask_to_write(App::State& s, std::string title, std::string name,
                  std::vector<BrowserRequest::Format> formats, WriteTo write_to) {
    const auto accept = [to = std::move(write_to)](App::State& app, const fs::path& path) {
        write_at_link(app, path, to);
    };
    browse(s, {std::move(title), true, std::move(name), std::move(formats), accept});
}

} // namespace normscope
