#include "app/charts/cairo_canvas.h"

namespace normscope {

std::optional<FigureFormat> figure_format_of(std::string_view file_name) {
    std::string name(file_name);
    for (char& c : name)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (name.ends_with(".png")) return FigureFormat::png;
    if (name.ends_with(".svg")) return FigureFormat::svg;
    if (name.ends_with(".pdf")) return FigureFormat::pdf;
    return std::nullopt;
}

} // namespace normscope
