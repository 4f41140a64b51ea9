#include "app/charts/font_files.h"

#include <algorithm>
#include <fontconfig/fontconfig.h>
#include <initializer_list>
#include <optional>

namespace normscope {
namespace {

using Pattern = std::unique_ptr<FcPattern, decltype([](FcPattern* p) { FcPatternDestroy(p); })>;

const FcChar8* utf8(const char* s) {
    return reinterpret_cast<const FcChar8*>(s);
}

Pattern upright(int weight) {
    Pattern p(FcPatternCreate());
    FcPatternAddInteger(p.get(), FC_WEIGHT, FcWeightFromOpenType(weight));
    FcPatternAddInteger(p.get(), FC_SLANT, FC_SLANT_ROMAN);
    FcPatternAddBool(p.get(), FC_SCALABLE, FcTrue);
    FcPatternAddBool(p.get(), FC_COLOR, FcFalse);
    // Named instances of a variable font, not the font with free axes: a file and an index say it
    // all.
    FcPatternAddBool(p.get(), FC_VARIABLE, FcFalse);
    return p;
}

std::optional<FontFile> best_match(Pattern pattern) {
    FcConfigSubstitute(nullptr, pattern.get(), FcMatchPattern);
    FcDefaultSubstitute(pattern.get());
    FcResult why = FcResultMatch;
    const Pattern found(FcFontMatch(nullptr, pattern.get(), &why));
    if (!found) return std::nullopt;

    FcBool scalable = FcFalse;
    FcChar8* path = nullptr;
    FcPatternGetBool(found.get(), FC_SCALABLE, 0, &scalable);
    if (!scalable || FcPatternGetString(found.get(), FC_FILE, 0, &path) != FcResultMatch)
        return std::nullopt;

    FontFile file;
    file.path = reinterpret_cast<const char*>(path);
    FcPatternGetInteger(found.get(), FC_INDEX, 0, &file.index);
    FcChar8* family = nullptr;
    if (FcPatternGetString(found.get(), FC_FAMILY, 0, &family) == FcResultMatch)
        file.family = reinterpret_cast<const char*>(family);
    FcCharSet* charset = nullptr;
    if (FcPatternGetCharSet(found.get(), FC_CHARSET, 0, &charset) == FcResultMatch)
        file.charset = std::shared_ptr<const void>(FcCharSetCopy(charset), [](const void* set) {
            FcCharSetDestroy(static_cast<FcCharSet*>(const_cast<void*>(set)));
        });
    return file;
}

std::optional<FontFile> match_families(std::initializer_list<const char*> families, int weight) {
    Pattern p = upright(weight);
    for (const char* family : families) FcPatternAddString(p.get(), FC_FAMILY, utf8(family));
    return best_match(std::move(p));
}

std::optional<FontFile> match_code_point(char32_t c, Face face, int weight) {
    Pattern p = upright(weight);
    FcPatternAddString(p.get(), FC_FAMILY, utf8(face == Face::mono ? "monospace" : "sans-serif"));
    FcCharSet* wanted = FcCharSetCreate();
    FcCharSetAddChar(wanted, c);
    FcPatternAddCharSet(p.get(), FC_CHARSET, wanted);
    FcCharSetDestroy(wanted);
    return best_match(std::move(p));
}

} // namespace

bool FontFile::covers(char32_t code_point) const {
    return charset && FcCharSetHasChar(static_cast<const FcCharSet*>(charset.get()), code_point);
}

std::vector<FontFile> font_chain(Face face, int weight, std::u32string_view text) {
    std::vector<FontFile> chain;
    const auto add = [&chain](std::optional<FontFile> file) {
        if (!file) return;
        const auto same = [&](const FontFile& f) {
            return f.path == file->path && f.index == file->index;
        };
        if (std::ranges::none_of(chain, same)) chain.push_back(*std::move(file));
    };
    if (face == Face::mono) {
        add(match_families({"DejaVu Sans Mono", "JetBrains Mono", "Noto Sans Mono", "monospace"},
                           weight));
        add(match_families({"DejaVu Sans Mono"}, weight));
    } else {
        add(match_families({"Inter", "DejaVu Sans", "Noto Sans", "sans-serif"}, weight));
    }
    add(match_families({"DejaVu Sans"}, weight));
    add(match_families({"DejaVu Math TeX Gyre", "Noto Sans Math", "STIX Two Math"}, 400));
    for (const char32_t c : text)
        if (std::ranges::none_of(chain, [c](const FontFile& f) { return f.covers(c); }))
            add(match_code_point(c, face, weight));
    return chain;
}

} // namespace normscope
