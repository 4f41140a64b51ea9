#include "app/platform/app_fonts.h"

#include "app/platform/window.h"
#include "app/shell/frame/app.h"

#include <cstdio>

namespace normscope {

AppFonts::AppFonts(float expected_scale)
    : first_(std::async(std::launch::async,
                        [this, expected_scale] { return loader_.load(atlas_, expected_scale); })) {}

ImFontAtlas& AppFonts::atlas() {
    if (first_.valid()) loaded_ = first_.get();
    return atlas_;
}

void AppFonts::update(App& app, Window& window, float pixel_scale) {
    ImFontAtlas& atlas = this->atlas();
    const float scale = app.wanted_scale(pixel_scale);
    const std::string names = app.extra_text();
    const bool fits = scale == loaded_.scale && !loader_.lacks(names);
    if (fits && in_use_) return;
    if (!fits) loaded_ = loader_.load(atlas, scale, names);
    app.set_fonts(loaded_);
    window.fonts_changed();
    if (!in_use_ && !loader_.warning().empty())
        std::fprintf(stderr, "normscope: fonts: %s\n", loader_.warning().c_str());
    in_use_ = true;
}

} // namespace normscope
