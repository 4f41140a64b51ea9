#include "app/platform/fonts.h"

#include "app/io/file.h"
#include "app/widgets/imgui_compat.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cmath>
#include <ft2build.h>
#include <imgui.h>
#include <limits>
#include <set>
#include <span>
#include <utility>
#include FT_FREETYPE_H
#include FT_ADVANCES_H

namespace normscope {
namespace {

// Blocks that are loaded whole: Latin-1, Latin Extended-A, Greek.
constexpr std::pair<char32_t, char32_t> k_blocks[] = {
    {0x20, 0x7E},   {0xA0, 0x17F},  {0x384, 0x3CE}, {0x3D1, 0x3D1},
    {0x3D5, 0x3D6}, {0x3F1, 0x3F1}, {0x3F5, 0x3F5},
};

// Signs in formulas, menus and hints.
constexpr std::u32string_view k_signs = U"\u02C6\u0302\u0303\u0304\u2010\u2011–—‖‘’‚“”„•…′″‹›"
                                        U"⁰ⁱ⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵀᵢⱼᵣᵤᵥʲᵏˡᵈᵗ"
                                        U"ℝℓ←↑→↓↔↵⇒⇐⇔⟨⟩⟵⟶∀∂∃∅∆∇∈∉∏∑−∓∗∘∙√∝∞∣∥∧∨∩∪∫∼≈≠≡≤≥≪≫⊕⊖⊗⊙⋅⋮⋯"
                                        U"⌘⌥⌫⏎■□▪▫▲△▴▶▷▸▼▽▾◀◁◂◆◇○●◐◑☀☰☾★☆✎✓✔✕✖✗\uFFFD";

// The glyphs of roles that write nothing but numbers.
constexpr std::u32string_view k_digits = U" +-.0123456789?Nae…−∞";

std::u32string code_points(std::string_view utf8) {
    std::u32string out;
    while (!utf8.empty()) {
        const char32_t c = next_code_point(utf8);
        // ImGui's characters have 16 bits in some builds; it shows the rest as unknown.
        if (c >= 0x20 && c <= std::numeric_limits<ImWchar>::max()) out += c;
    }
    return out;
}

std::set<char32_t> own_glyphs() {
    std::set<char32_t> all(k_signs.begin(), k_signs.end());
    for (const auto& [first, last] : k_blocks)
        for (char32_t c = first; c <= last; ++c) all.insert(c);
    return all;
}

// Sorted code points as ImGui's pairs first, last, ended by 0.
std::vector<ImWchar> as_ranges(const std::u32string& sorted) {
    std::vector<ImWchar> ranges;
    for (const char32_t c : sorted) {
        const auto w = static_cast<ImWchar>(c);
        if (!ranges.empty() && ranges.back() + 1 == w)
            ranges.back() = w;
        else
            ranges.insert(ranges.end(), {w, w});
    }
    ranges.push_back(0);
    return ranges;
}

// The faces of one load, opened to read what the rasterizer does not tell: the height of the em and
// the advances before rounding.
class OpenFaces {
  public:
    OpenFaces() { FT_Init_FreeType(&library_); }
    ~OpenFaces() { FT_Done_FreeType(library_); } // closes the faces
    OpenFaces(const OpenFaces&) = delete;
    OpenFaces& operator=(const OpenFaces&) = delete;

    // Null if it is no scalable font.
    FT_Face open(const FontFile& file, std::string_view bytes) {
        const auto key = std::pair(file.path, file.index);
        if (const auto known = faces_.find(key); known != faces_.end()) return known->second;
        FT_Face face = nullptr;
        const auto* data = reinterpret_cast<const FT_Byte*>(bytes.data());
        if (!library_ || FT_New_Memory_Face(library_, data, static_cast<FT_Long>(bytes.size()),
                                            file.index, &face) != 0)
            return nullptr;
        if (!FT_IS_SCALABLE(face) || face->units_per_EM == 0 || face->ascender <= face->descender)
            face = nullptr;
        faces_[key] = face;
        return face;
    }

  private:
    FT_Library library_ = nullptr;
    std::map<std::pair<std::string, int>, FT_Face> faces_;
};

// Ascent + descent in ems.
float line_in_ems(FT_Face face) {
    return static_cast<float>(face->ascender - face->descender) /
           static_cast<float>(face->units_per_EM);
}

float advance_in_ems(FT_Face face, ImWchar c) {
    FT_Fixed advance = 0;
    FT_Get_Advance(face, FT_Get_Char_Index(face, c), FT_LOAD_NO_SCALE, &advance);
    return static_cast<float>(advance) / static_cast<float>(face->units_per_EM);
}

} // namespace

float text_growth(Size window, float pixels) {
    constexpr float k_words = 14, k_most_words = 28;
    const float w = std::min(window.w, window.h * 16 / 9) / pixels; // a low window has no room
    const float words = w < 1920 ? 14 + (w - 1280) / 320 : 16 + (w - 1920) / 160;
    return std::floor(std::clamp(words, k_words, k_most_words)) / k_words;
}

const std::string& FontLoader::bytes(const std::string& path) {
    const auto [entry, is_new] = files_.try_emplace(path);
    if (is_new) entry->second = read_file(path).value_or("");
    return entry->second;
}

bool FontLoader::note_drawn() {
    for (const char32_t c : std::exchange(*lacking_, {})) {
        if (std::ranges::binary_search(loaded_, c) || seen_.find(c) != seen_.npos) continue;
        if (seen_.size() == k_most_letters) {
            full_ = true;
            continue;
        }
        seen_ += c;
        due_ = true;
    }
    return due_;
}

bool FontLoader::lacks(std::string_view extra_text) {
    if (due_ || extra_text == complete_) return due_;
    const auto is_new = [this](char32_t c) {
        return !std::ranges::binary_search(loaded_, c) && !std::ranges::binary_search(left_out_, c);
    };
    if (std::ranges::any_of(code_points(extra_text), is_new)) return true;
    complete_ = extra_text;
    return false;
}

FontSet FontLoader::load(ImFontAtlas& atlas, float scale, std::string_view extra_text, float bar) {
    atlas.Clear();
    warning_.clear();
    if (!std::exchange(due_, false)) { // for another text
        seen_.clear();
        full_ = false;
    }
    std::set<char32_t> glyphs = own_glyphs(), left_out;
    const std::size_t most = glyphs.size() + k_most_letters;
    for (const char32_t c : seen_ + code_points(extra_text))
        if (!glyphs.contains(c)) (glyphs.size() < most ? glyphs : left_out).insert(c);
    loaded_.assign(glyphs.begin(), glyphs.end());
    left_out_.assign(left_out.begin(), left_out.end());
    complete_ = extra_text;

    OpenFaces open_faces;
    std::map<std::pair<Face, int>, std::vector<FontFile>> chains;
    std::vector<std::vector<GlyphSource>> all_sources;
    all_sources.reserve(k_text_roles);
    std::vector<ImFont*> fonts;
    FontSet set;
    set.scale = scale;
    set.bar = bar > 0 ? bar : scale;
    set.lacking = lacking_;

    for (std::size_t role = 0; role < k_text_roles; ++role) {
        const TextRoleSpec spec = text_role_spec(static_cast<TextRole>(role));
        const Face wanted = spec.mono ? Face::mono : Face::sans;
        std::vector<FontFile>& chain = chains[{wanted, spec.weight}];
        if (chain.empty()) chain = font_chain(wanted, spec.weight, loaded_);

        std::vector<GlyphSource> sources;
        std::u32string missing = spec.digits ? std::u32string(k_digits) : loaded_;
        const bool of_bar = static_cast<TextRole>(role) == TextRole::bar;
        const float height = line_height_of(static_cast<TextRole>(role), of_bar ? set.bar : scale);
        float em = 0; // pixels, the same for every face of a role
        for (const FontFile& file : chain) {
            const auto first_missing = std::stable_partition(
                missing.begin(), missing.end(), [&](char32_t c) { return file.covers(c); });
            const std::u32string covered(missing.begin(), first_missing);
            const std::string& data = bytes(file.path);
            FT_Face face = covered.empty() ? nullptr : open_faces.open(file, data);
            if (!face) continue;
            if (sources.empty()) em = height / line_in_ems(face);
            missing.erase(missing.begin(), first_missing);
            sources.push_back({std::as_bytes(std::span(data)), file.index,
                               sources.empty() ? height : em * line_in_ems(face),
                               as_ranges(covered),
                               [face, em](ImWchar c) { return em * advance_in_ems(face, c); }});
            if (missing.empty()) break;
        }
        if (sources.empty()) break;
        all_sources.push_back(std::move(sources));
        fonts.push_back(add_font(atlas, all_sources.back()));
        set.by_role[role] = fonts.back();
    }

    const bool all_found =
        fonts.size() == k_text_roles && std::ranges::find(fonts, nullptr) == fonts.end();
    if (const auto corners = all_found ? build_atlas(atlas, fonts, all_sources) : std::nullopt) {
        set.corners = *corners;
        return set;
    }

    warning_ = "no usable font was found, so Greek letters and mathematical signs are missing: "
               "install the package fonts-dejavu-core";
    atlas.Clear();
    ImFontConfig config;
    config.SizePixels = std::round(13 * scale);
    set.by_role.fill(atlas.AddFontDefault(&config));
    build_atlas(atlas, {}, {});
    return set;
}

} // namespace normscope
