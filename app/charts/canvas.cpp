#include "app/charts/canvas.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace normscope {
namespace {

constexpr std::string_view k_hat = "\xCC\x82"; // U+0302, combining circumflex
constexpr std::string_view k_ellipsis = "…";

bool continues(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

bool is_tall(std::string_view base) {
    constexpr std::string_view k_tall = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789bdfhklt";
    return base.size() == 1 && k_tall.find(base[0]) != k_tall.npos;
}

struct BareText {
    struct Hat {
        std::size_t base = 0, base_end = 0; // the character below it, as bytes of the run
    };
    std::string run;
    std::vector<Hat> hats;
};

BareText without_hats(std::string_view text) {
    BareText bare;
    bare.run.reserve(text.size());
    while (!text.empty()) {
        const std::size_t at = text.find(k_hat);
        bare.run.append(text.substr(0, at));
        if (at == std::string_view::npos) break;
        text.remove_prefix(at + k_hat.size());
        if (bare.run.empty()) continue;
        std::size_t begin = bare.run.size() - 1;
        while (begin > 0 && continues(bare.run[begin])) --begin;
        bare.hats.push_back({begin, bare.run.size()});
    }
    return bare;
}

bool has_hat(std::string_view text) {
    return text.find(k_hat) != std::string_view::npos;
}

} // namespace

DashPattern dash_pattern(Dash dash) {
    if (dash == Dash::dashed) return {4, 3};
    if (dash == Dash::dotted) return {1.5f, 2.5f};
    return {};
}

bool Canvas::sees(Rect r) const {
    return r.w > 0 && r.h > 0;
}

float Canvas::line_height(TextRole role) const {
    return line_height_of(role, scale()) / scale();
}

Size Canvas::text_size(Text words, TextRole role) const {
    if (words.empty()) return {0, line_height(role)};
    const std::string_view text = words.view();
    if (has_control_characters(text)) return text_size(printable(text), role);
    return {run_width(has_hat(text) ? without_hats(text).run : text, role), line_height(role)};
}

void Canvas::text(Point at, Text words, TextRole role, Color color, Align align) {
    if (words.empty()) return;
    const std::string_view text = words.view();
    if (has_control_characters(text)) return this->text(at, printable(text), role, color, align);
    constexpr float k_anywhere = 1e6f;
    if (!sees({-k_anywhere, at.y, 2 * k_anywhere, line_height(role)})) return;
    if (align != Align::left || !untold.empty()) {
        const float w = run_width(has_hat(text) ? without_hats(text).run : text, role);
        at.x -= align == Align::left ? 0 : align == Align::center ? w / 2 : w;
        const Point middle{at.x + w / 2, at.y + line_height(role) / 2};
        if (std::ranges::any_of(untold, [&](const Rect& r) { return r.contains(middle); })) return;
    }
    if (!has_hat(text)) return draw_run(at, text, role, color);
    const BareText bare = without_hats(text);
    const std::string_view run = bare.run;
    draw_run(at, run, role, color);

    const float em = line_height(role);
    for (const auto [begin, end] : bare.hats) {
        const std::string_view base = run.substr(begin, end - begin);
        const float left = run_width(run.substr(0, begin), role);
        const float middle = at.x + left + run_width(base, role) / 2;
        const float top_of_x = at.y + ascent_to_x_height(role);
        const float foot = top_of_x - em * (is_tall(base) ? 0.24f : 0.07f);
        const float half = em * 0.15f, height = em * 0.13f;
        const Point roof[] = {
            {middle - half, foot}, {middle, foot - height}, {middle + half, foot}};
        polyline(roof, color, std::max(1.0f, em * 0.085f));
    }
}

void Canvas::text_in(Rect r, Text text, TextRole role, Color color, Align align) {
    const float y = r.y + (r.h - line_height(role)) / 2;
    const float x = align == Align::left ? r.x : align == Align::center ? r.x + r.w / 2 : r.right();
    this->text({x, y}, text, role, color, align);
}

std::string Canvas::elide(Text words, TextRole role, float width) const {
    const std::string_view text = words.view();
    if (has_control_characters(text)) return elide(printable(text), role, width);
    if (text_size(words, role).w <= width) return std::string(text);
    if (text_size(k_ellipsis, role).w > width) return {};

    // Cuts lie between characters, and never between a character and the hat it wears.
    std::vector<std::size_t> cuts;
    for (const auto i : indices(text))
        if (!continues(text[i]) && !text.substr(i).starts_with(k_hat)) cuts.push_back(i);

    const auto shortened = [&](std::size_t cut) {
        std::string_view head = text.substr(0, cut);
        while (head.ends_with(' ')) head.remove_suffix(1);
        return std::string(head).append(k_ellipsis);
    };
    const auto too_long = std::ranges::partition_point(cuts, [&](std::size_t cut) {
        return cut == 0 || text_size(shortened(cut), role).w <= width;
    });
    return shortened(too_long == cuts.begin() ? 0 : *std::prev(too_long));
}

} // namespace normscope
