#include "app/shell/menus/languages.h"

#include "app/language/language.h"
#include "app/shell/files/spoken.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/lessons.h"

namespace normscope {

namespace {

MenuItem language_item(const App::State& s, std::string item_id, std::string_view label,
                       const std::string& id) {
    MenuItem item{std::move(item_id), std::string(label), [id](App::State& app) {
                      app.language = app.preferences.language = id;
                      app.preferences.keep();
                      use_language(app);
                      translate_lessons(app);
                      app.frames_wanted = 2;
                  }};
    item.checked = s.language == id;
    return item;
}

} // namespace

void use_language(App::State& s) {
    const auto problems = speak_language(s.assets, s.language);
    if (!problems) return s.complain(error_text(problems.error()));
    for (const std::string& problem : *problems) s.complain(problem);
}

MenuItem language_menu(const App::State& s) {
    MenuItem all{"language", "Language"};
    all.children.push_back(language_item(s, "system", "As the system", ""));
    for (const Language& language : languages()) {
        const std::string id(language.id);
        all.children.push_back(language_item(s, id, language.name, id));
    }
    all.children[1].line_above = true;
    return all;
}

} // namespace normscope
