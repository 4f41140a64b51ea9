#include "app/charts/heatmap.h"
#include "app/charts/number_format.h"
#include "app/workspaces/backward/panels.h"
#include "tests/app/workspaces/backward/backwards.h"

#include <gtest/gtest.h>
#include <vector>

namespace normscope::testing {
namespace {

// A norm of two values leaves nothing but ε's trace: J is as small as the change of x̂.
TEST(JacobianPanel, DirectionsAreLostHoweverSmallTheJacobianIs) {
    Backwards h({.example = "two-features"});
    Document d = h.document();
    d.x = Matrix<double>(10 * *d.x); // σ² is far from ε
    d.f = Matrix<double>(10 * *d.f);
    h.show(d);
    const GroupJacobian& j =
        group_jacobian(h.state().memory.of<BackwardMemory>().jacobian, h.backward(), 0);
    ASSERT_GT(j.scale, j.largest);
    ASSERT_LT(j.scale, 1e-4 * j.gain);
    EXPECT_TRUE(h.has_text("Two directions lead nowhere"));
    d.eps = 1; // about σ²
    h.show(d);
    EXPECT_TRUE(h.has_text("One direction leads nowhere"));
}

TEST(JacobianPanel, AScalingOfWhatIsFarBelowEpsilonIsFelt) {
    Backwards h;
    Document d = h.document();
    d.x = Matrix<double>(1e-30 * *d.x);
    d.f = Matrix<double>(1e-30 * *d.f);
    h.show(d);
    EXPECT_TRUE(h.has_text("One direction leads nowhere: a shift"));
    EXPECT_TRUE(h.has_text("(scale) is felt"));
}

TEST(JacobianPanel, WithGammaZeroEveryDirectionOfYLeadsNowhere) {
    Backwards h;
    Document d = h.document();
    d.gamma = std::vector<double>(d.gamma->size(), 0);
    d.backward.jacobian = JacobianOf::y;
    h.show(d);
    EXPECT_TRUE(h.has_text("Every direction leads nowhere"));
}

TEST(JacobianPanel, AGammaOfZeroLosesDirectionsOfItsOwn) {
    Backwards h;
    Document d = h.document();
    std::vector<double> gamma = *d.gamma;
    gamma[2] = 0;
    d.gamma = gamma;
    d.backward.jacobian = JacobianOf::y;
    h.show(d);
    EXPECT_TRUE(h.has_text("At least two directions lead nowhere"));
    EXPECT_TRUE(h.has_text("γ is 0: d2."));
    d.norm = NormKind::none;
    h.show(d);
    EXPECT_TRUE(h.has_text("γ takes directions away"));
    d.backward.jacobian = JacobianOf::x_hat;
    h.show(d);
    EXPECT_TRUE(h.has_text("No direction is lost"));
}

TEST(JacobianPanel, TheEntryUnderTheMouseIsTheOneThatIsMarked) {
    Backwards h;
    const Rect map = h.named("backward.jacobian.cells").rect;
    const auto n = static_cast<float>(h.document().feature_count());
    const Color mark = theme(h.state().view.theme).ink;
    const Rect row0{map.x, map.y - 2, map.w, map.h / n},
        row1{map.x, map.y + map.h / n + 4, map.w, map.h / n - 8};
    const auto before = h.vertices(mark, row1).size();
    h.move({map.x + map.w * 1.5f / n, map.y + map.h * 0.5f / n}); // row d0, column d1
    h.settle();
    const GroupJacobian& j = group_jacobian(h.state().memory.of<BackwardMemory>().jacobian,
                                            h.backward(), *h.state().view.pinned_token);
    EXPECT_TRUE(h.shows("jacobian", "[d0] / ∂z[d1] = " + number_text(j.values(0, 1), 4)));
    EXPECT_EQ(h.vertices(mark, row1).size(), before) << "no frame on another row";
    EXPECT_FALSE(h.vertices(mark, row0).empty());
}

TEST(JacobianPanel, ADirectionOfNaNLooksLikeOne) {
    Backwards h({.example = "nan-token"});
    const Theme& colors = theme(h.state().view.theme);
    const auto strip = [&](const char* symbol) { // left of what J makes of it
        for (const LoggedText& t : h.log().texts)
            if (t.text.starts_with(symbol))
                return Rect{t.rect.x - 300, t.rect.y - 4, 300, t.rect.h + 8};
        ADD_FAILURE() << symbol;
        return Rect{};
    };
    for (const Index token : {0, 2}) {
        h.state().view.pinned_token = token;
        h.settle();
        for (const char* symbol : {"|J·1|", "|J·x"})
            EXPECT_EQ(!h.vertices(colors.nan, strip(symbol)).empty(), token == 2) << symbol;
        EXPECT_EQ(h.vertices(heat_color(colors, 1, 1), strip("|J·1|")).empty(), token == 2);
    }
}

} // namespace
} // namespace normscope::testing
