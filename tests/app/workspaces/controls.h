#pragma once
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <string>

namespace normscope::testing {

// The controls that a workspace shows, without cells; a slider with its number is one.
inline auto control_count(const Harness& h, const std::string& workspace) {
    return std::ranges::count_if(h.log().parts, [&](const NamedPart& part) {
        const bool sets = part.kind == PartKind::button || part.kind == PartKind::choice ||
                          part.kind == PartKind::slider || part.kind == PartKind::fader ||
                          part.kind == PartKind::field;
        return sets && part.id != 0 && part.name.starts_with(workspace + ".") &&
               !part.name.ends_with(".value");
    });
}

} // namespace normscope::testing
