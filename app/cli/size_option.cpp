#include "app/cli/size_option.h"

#include <charconv>

namespace normscope {

namespace {

std::optional<int> parse_side(std::string_view text) {
    int side = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, side);
    if (error != std::errc() || stop != end || side < 1 || side > k_max_window_side) {
        return std::nullopt;
    }
    return side;
}

} // namespace

std::optional<WindowRequest::Size> parse_size(std::string_view text) {
    const std::size_t cross = text.find('x');
    if (cross == text.npos) return std::nullopt;
    const std::optional<int> width = parse_side(text.substr(0, cross));
    const std::optional<int> height = parse_side(text.substr(cross + 1));
    if (!width || !height) return std::nullopt;
    return WindowRequest::Size{*width, *height};
}

} // namespace normscope
