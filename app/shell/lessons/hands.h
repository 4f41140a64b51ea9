#pragma once
#include "app/lessons/player.h"
#include "app/shell/frame/app.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/widgets/ui.h"

#include <memory>

namespace normscope {

// The program without a window, and hands that move mouse and keys by the names of controls.
class LessonHands {
  public:
    LessonHands(std::filesystem::path assets, LessonFonts fonts);
    ~LessonHands();
    LessonHands(const LessonHands&) = delete;
    LessonHands& operator=(const LessonHands&) = delete;

    // With nothing kept from before, in a window so tall that every control is in sight.
    Result<void> begin(const Lesson& lesson);

    App::State& state() const { return app_->state(); }
    bool plays() const; // the lesson is on
    const std::vector<NamedPart>& parts() const { return parts_; }
    LessonLook look() const;

    // Errors: nothing has this name, it is locked, there is no such cell, the program does not come
    // to rest.
    Result<void> act(const LessonAct& act);

  private:
    struct NoTextures;

    Result<void> settle();
    void frame();
    void click(Point at, int times);
    void key(Key key, bool ctrl);
    Result<Point> place(const LessonAct& act) const;

    std::filesystem::path assets_;
    LessonFonts fonts_;
    ImGuiContext* outer_;
    ImGuiContext* context_;
    std::unique_ptr<NoTextures> textures_;
    std::vector<NamedPart> parts_;
    std::vector<LoggedText> texts_;
    Point mouse_{-1000, -1000};
    bool button_ = false;
    std::unique_ptr<App> app_;
};

} // namespace normscope
