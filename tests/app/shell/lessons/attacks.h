#pragma once
#include <string>

// Solutions of lessons that reach for what is not the lesson's.
namespace normscope::testing {

struct Attack {
    const char* name;
    const char* solution;       // acts, as a list of JSON
    const char* deed = nullptr; // that counts as done all the same; null: none does
};

inline constexpr Attack k_attacks[] = {
    {"SavesOverAFile",
     R"([{"click": "bar.file"}, {"click": "menu.file.save-as"}, {"click": "dialog.accept"},
         {"click": "bar.file"}, {"click": "menu.file.save-as"}, {"click": "dialog.accept"},
         {"click": "dialog.accept"}])",
     "session-saved"},
    {"SavesAtTheRoot",
     R"([{"click": "bar.file"}, {"click": "menu.file.save-as"},
         {"click": "dialog.places.computer"}, {"click": "dialog.accept"}])",
     "session-saved"},
    {"SavesWhereTheProgramWasStarted",
     R"([{"click": "bar.file"}, {"click": "menu.file.save-as"}, {"click": "dialog.places.here"},
         {"click": "dialog.accept"}])"},
    {"SavesTheSessionAgain",
     R"([{"click": "bar.file"}, {"click": "menu.file.save"}, {"click": "dialog.accept"}])",
     "session-saved"},
    {"ExportsAFigure",
     R"([{"click": "bar.file"}, {"click": "menu.file.export"},
         {"click": "menu.file.export.workspace"}, {"click": "dialog.accept"}])",
     "figure-exported"},
    {"ExportsNumbers",
     R"([{"click": "bar.file"}, {"click": "menu.file.export"}, {"click": "menu.file.export.z"},
         {"click": "dialog.accept"}])",
     "numbers-exported"},
    {"OpensAFile",
     R"([{"click": "bar.file"}, {"click": "menu.file.open"},
         {"enter": "precious.csv", "into": "dialog.name"}])"},
    {"OpensARecentFile",
     R"([{"click": "bar.file"}, {"click": "menu.file.recent"},
         {"click": "menu.file.recent.0"}])"},
    {"GoesBackToAnUnsavedDocument",
     R"([{"click": "bar.file"}, {"click": "menu.file.unsaved"},
         {"click": "menu.file.unsaved.0"}])"},
    {"QuitsWithoutSaving",
     R"([{"click": "bar.file"}, {"click": "menu.file.quit"}, {"click": "dialog.discard"}])"},
    {"Quits", R"([{"click": "bar.file"}, {"click": "menu.file.quit"}])"},
    {"SavesAllAndQuits",
     R"([{"click": "bar.file"}, {"click": "menu.file.quit"}, {"click": "dialog.save"},
         {"click": "dialog.accept"}])"},
    {"CopiesAScript", R"([{"click": "bar.edit"}, {"click": "menu.edit.copy-as-numpy"}])",
     "script-copied"},
    {"CopiesCells",
     R"([{"click": "add-norm.card-x.cells"}, {"click": "bar.edit"}, {"click": "menu.edit.copy"}])",
     "numbers-copied"},
    {"OpensAnExample", R"([{"click": "bar.example"}, {"click": "menu.example.one-to-four"}])"},
    {"ClosesTheLesson", R"([{"click": "lesson.close"}, {"click": "bar.example"}])"},
    {"ForgetsAllAnswers", R"([{"click": "bar.lessons"}, {"click": "menu.lessons.forget"}])"},
    {"BeginsAnotherLesson", R"([{"click": "bar.lessons"}, {"click": "menu.lessons.shortcut"}])"},
    {"PrintsAHandout",
     R"([{"click": "bar.lessons"}, {"click": "menu.lessons.handout"}, {"click": "dialog.accept"}])"},
    {"KeepsAScene",
     R"([{"click": "bar.view"}, {"click": "menu.view.scenes"},
         {"click": "menu.view.scenes.keep"}])"},
    {"ReducesMotion", R"([{"click": "bar.view"}, {"click": "menu.view.reduce-motion"}])"},
    {"DarkensTheWindow", R"([{"click": "bar.view"}, {"click": "menu.view.dark"}])"},
    {"EnlargesEverything",
     R"([{"click": "bar.view"}, {"click": "menu.view.scale"}, {"click": "menu.view.scale.125"}])"},
    {"SpeaksGerman",
     R"([{"click": "bar.view"}, {"click": "menu.view.language"},
         {"click": "menu.view.language.de"}])"},
};

// A lesson of one step whose task is done by the attack, or else by nothing.
inline std::string lesson_of(const Attack& attack) {
    const std::string done = attack.deed ? std::string(R"({"act": ")") + attack.deed + R"("})"
                                         : R"({"value": "tokens", "is": 99})";
    return R"({"id": "attack", "version": 1, "title": "Attack", "question": "Whose is it?",
        "steps": [{"title": "Reach", "text": "Watch.",
        "start": {"example": "studying", "workspace": "add-norm"},
        "task": {"text": "Do it.", "done": [)" +
           done + R"(], "solution": )" + attack.solution + "}}]}";
}

} // namespace normscope::testing
