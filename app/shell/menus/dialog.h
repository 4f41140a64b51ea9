#pragma once
#include "app/model/field.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"

#include <algorithm>
#include <functional>
#include <imgui.h>
#include <span>
#include <string>

namespace normscope {

// A question or a sheet over the window, which waits behind it until it is closed.
class Dialog {
  public:
    virtual ~Dialog() = default;

    virtual std::string title() const = 0;
    // The size of the inside, at most `widest`; made to fit the window.
    virtual Size wanted(const Ui& ui, float widest) const = 0;
    virtual void draw(Ui& ui, Rect inside, App::State& state) = 0;
    virtual void cancel(App::State&) { close(); } // Esc

    bool closed() const { return closed_; }

  protected:
    void close() { closed_ = true; }

  private:
    bool closed_ = false;
};

// Draws the first of the waiting dialogs and takes it away when it is closed.
void draw_dialogs(App::State& state);

// A text field of ImGui's own at `r`, with room of `padding` above and below its words: `input`
// draws it by its label, and says whether Enter ended it. Where `takes_keyboard`, it has the
// keyboard from now on, and the flag is taken back.
bool text_field(Ui& ui, NamePart part, const char* label, Rect r, float padding,
                bool& takes_keyboard, const std::function<bool()>& input);
inline float line_padding(const Ui& ui, Rect r) {
    return std::max(0.0f, (r.h - ui.from_pixels(ImGui::GetFontSize())) / 2);
}

// Push buttons at the right end of `row`, the last one the one that Enter presses. The index of the
// one that was chosen, or −1. Narrow windows shrink them.
int answer_buttons(Ui& ui, Rect row, std::span<const ChoiceName> answers);

inline constexpr float k_answer_height = 32; // of such a row, at scale 1

} // namespace normscope
