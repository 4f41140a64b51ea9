#pragma once
#include "app/charts/palette.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// What the teacher sees beside what the class sees.
struct NotesPage {
    ThemeKind theme = ThemeKind::light;
    std::string heading; // "Scene 2 of 5: twice"
    std::string notes;   // lines
    std::string next;    // what comes then
    std::string time;    // since the beginning
    std::string hands;   // "A 3   B 12"
    bool operator==(const NotesPage&) const = default;
};

// None while nothing is presented.
std::optional<NotesPage> notes_page(const App::State& state);

// The height that a page of that width needs for all its words.
float notes_height(const Ui& ui, float width, const NotesPage& page);

// In smaller letters where there is less room than that.
void draw_notes(Ui& ui, Rect r, const NotesPage& page);

// A page of w×h pixels, each 0xAARRGGBB, in letters as large as there is room for. Needs neither a
// window nor the screen's fonts.
Result<std::vector<std::uint32_t>> notes_picture(const NotesPage& page, int w, int h);

} // namespace normscope
