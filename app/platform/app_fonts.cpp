#include "app/platform/app_fonts.h"

#include "app/platform/window.h"
#include "app/shell/app.h"

#include <cstdio>

namespace normscope {

void AppFonts::update(App& app, Window& window, float pixel_scale) {
    const float scale = app.wanted_scale() * pixel_scale;
    const std::string names = app.extra_text();
    if (scale == loaded_scale_ && !loader_.lacks(names)) return;
    const bool first = loaded_scale_ == 0;
    app.set_fonts(loader_.load(*ImGui::GetIO().Fonts, scale, names));
    loaded_scale_ = scale;
    window.fonts_changed();
    if (first && !loader_.warning().empty())
        std::fprintf(stderr, "normscope: fonts: %s\n", loader_.warning().c_str());
}

} // namespace normscope
