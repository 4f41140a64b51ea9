#pragma once
#include "app/charts/palette.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// The teacher's page, which the class does not see.
struct NotesPage {
    ThemeKind theme = ThemeKind::light;
    std::string heading; // "Scene 2 of 5: twice"
    std::string notes;   // lines
    std::string next;    // the title of the next slide
    std::string time;    // since the presentation began
    std::string hands;   // "A 3   B 12"
    bool operator==(const NotesPage&) const = default;
};

// The page of the slide that is shown; none where the presenter is off.
std::optional<NotesPage> notes_page(const App::State& state);

// The height that all words of the page need at this width.
float notes_height(const Ui& ui, float width, const NotesPage& page);

// Draws the page, in smaller letters where `r` is lower than notes_height().
void draw_notes(Ui& ui, Rect r, const NotesPage& page);

// The page as w×h pixels, each 0xAARRGGBB, in letters as large as there is room for. The picture
// needs neither a window nor the screen's fonts.
Result<std::vector<std::uint32_t>> notes_picture(const NotesPage& page, int w, int h);

} // namespace normscope
