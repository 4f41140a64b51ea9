#pragma once
#include "app/model/edit.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope::testing {

// The document after an edit that can be made.
inline Document edited(const Document& d, const Edit& edit) {
    const auto next = apply(d, edit);
    EXPECT_TRUE(next) << next.error().message;
    return next ? *next : d;
}

// Why an edit cannot be made.
inline std::string refusal(const Document& d, const Edit& edit) {
    const auto next = apply(d, edit);
    EXPECT_FALSE(next);
    return next ? std::string() : next.error().message;
}

} // namespace normscope::testing
