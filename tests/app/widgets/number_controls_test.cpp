#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"
#include "tests/app/workspaces/unfolded.h"

#include <gtest/gtest.h>
#include <regex>
#include <string>
#include <vector>

namespace normscope::testing {
namespace {

// Types into what stands under a name.
void type_into(Harness& h, const std::string& name, const std::string& text) {
    h.click(name);
    h.key(Key::a, true);
    h.type(text);
    h.key_and_settle(Key::enter);
}

std::vector<std::string> values_of_sliders(const Harness& h) {
    std::vector<std::string> names;
    for (const NamedPart& part : h.log().parts)
        if (part.kind == PartKind::slider && h.has(part.name + ".value"))
            names.push_back(part.name + ".value");
    return names;
}

TEST(NumberControls, ANumberTypedIntoASliderIsTakenOrRefusedByItsName) {
    Harness h({.window = {1600, 2400}});
    unfold_pages(h.state());
    int refused = 0;
    for (std::size_t w = 0; w < workspace_table().size(); ++w)
        for (const char* typed : {"1e308", "20.5", "-7", "nan"}) {
            h.state().view.workspace = w;
            h.settle();
            const std::regex said(typed == std::string("nan") ? "\\b(nan|NaN)\\b" : typed);
            for (const std::string& name : values_of_sliders(h)) {
                const Document before = h.document();
                type_into(h, name, typed);
                const std::string told = h.state().history.undo_label();
                if (h.document() == before) {
                    EXPECT_TRUE(h.state().status_is_error) << name << ": " << typed;
                    EXPECT_TRUE(std::regex_search(h.state().status, said))
                        << name << ": " << h.state().status;
                    ++refused;
                } else {
                    EXPECT_NE(told.find(typed), std::string::npos) << name << ": " << told;
                    h.become(before);
                    h.settle();
                }
                h.state().status.clear();
                h.state().status_is_error = false;
            }
        }
    EXPECT_GT(refused, 40);
}

TEST(NumberControls, ACountIsAWholeNumberWithinItsRange) {
    Harness h;
    h.key(Key::n4);
    h.settle();
    const auto blocks = [&] { return h.document().flow.stack.blocks; };
    type_into(h, "gradient-flow.blocks.value", "24");
    EXPECT_EQ(blocks(), 24);
    for (const char* typed : {"20.5", "1e308", "-1", "4294967297", "inf", "nan"}) {
        type_into(h, "gradient-flow.blocks.value", typed);
        EXPECT_EQ(blocks(), 24) << typed;
        EXPECT_NE(h.state().status.find(typed), std::string::npos) << h.state().status;
    }
}

TEST(NumberControls, ABatchThatIsLargerThanTheDocumentIsRefused) {
    Harness h;
    h.key(Key::n2);
    h.settle();
    const Document before = h.document();
    const std::string more = std::to_string(before.token_count() + 1);
    type_into(h, "batch-vs-layer.size.value", more);
    EXPECT_EQ(h.document(), before);
    EXPECT_NE(h.state().status.find(more), std::string::npos) << h.state().status;
}

} // namespace
} // namespace normscope::testing
