#include "app/model/choices.h"

#include <algorithm>

namespace normscope {

namespace {

std::vector<NormEntry> from_none() {
    std::vector<NormEntry> norms(k_norms.begin(), k_norms.end());
    std::ranges::rotate(norms, std::ranges::find(norms, Shares::nothing, &NormEntry::shares));
    return norms;
}

} // namespace

std::vector<ChoiceName> short_norm_names() {
    std::vector<ChoiceName> names;
    for (const NormEntry& norm : from_none())
        names.push_back({norm.id, norm.normalizes() ? norm.short_name : norm.label});
    return names;
}

std::vector<std::string_view> short_norm_hints() {
    std::vector<std::string_view> hints;
    for (const NormEntry& norm : from_none()) hints.push_back(norm.label);
    return hints;
}

} // namespace normscope
