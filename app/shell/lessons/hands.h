#pragma once
#include "app/lessons/player.h"
#include "app/shell/frame/app.h"
#include "app/shell/lessons/hand.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/widgets/ui.h"

#include <functional>
#include <memory>
#include <span>

namespace normscope {

// The program without a window, and hands that move mouse and keys by the names of controls.
class LessonHands {
  public:
    // `rest`: called before each frame; it may use another context of ImGui's.
    LessonHands(std::filesystem::path assets, LessonFonts fonts, std::function<void()> rest = {});
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
    // Error: the program does not come to rest.
    Result<void> make(std::span<const HandMove> moves);

  private:
    struct NoTextures;

    Result<void> settle();
    void frame();

    std::filesystem::path assets_;
    LessonFonts fonts_;
    std::function<void()> rest_;
    ImGuiContext* outer_;
    std::filesystem::path home_; // the hands' own, gone when they go
    ImGuiContext* context_;
    std::unique_ptr<NoTextures> textures_;
    std::vector<NamedPart> parts_;
    std::vector<LoggedText> texts_;
    Hand hand_;
    std::unique_ptr<App> app_;
};

} // namespace normscope
