#pragma once
#include "tests/app/shell/harness.h"

#include <gtest/gtest.h>

namespace normscope::testing {

// The middle of a cell of X, which is the first card: below its feature's name, beside its token's.
inline Point cell_of_x(Harness& h, Index token, Index feature) {
    Point at{-1, -1};
    for (const LoggedText& t : h.log().texts) {
        if (at.x < 0 && t.text == (*h.document().features)[static_cast<std::size_t>(feature)])
            at.x = t.rect.center().x;
        if (at.y < 0 && t.text == (*h.document().tokens)[static_cast<std::size_t>(token)])
            at.y = t.rect.center().y;
    }
    EXPECT_TRUE(at.x >= 0 && at.y >= 0) << "no such cell on the screen";
    return at;
}

} // namespace normscope::testing
