#include "core/base/random.h"
#include "core/norm/group_sums.h"
#include "tests/core/stats/testing.h"

#include <vector>

namespace normscope {
namespace {

TEST(GroupSums, AreTheSumsOfTheirFormulas) {
    on_every_target([] {
        for (const Index n : {1, 3, 7, 8, 37})
            for (const Centred centred : {Centred::no, Centred::yes}) {
                Random random(6);
                Eigen::ArrayXd gamma(n), dy(n), x_hat(n), room(n);
                for (Index i = 0; i < n; ++i) {
                    gamma(i) = random.normal();
                    dy(i) = random.normal();
                    x_hat(i) = random.normal();
                }
                const bool centres = centred == Centred::yes;
                const Eigen::ArrayXd product = gamma * dy;
                const Eigen::ArrayXd a = product - (centres ? product.mean() : 0);
                const GroupSums s =
                    group_sums(gamma.data(), dy.data(), x_hat.data(), centred, room.data(), n);
                const double near = 1e-13 * static_cast<double>(n) * 10;
                EXPECT_NEAR(s.aa, a.square().sum(), near);
                EXPECT_NEAR(s.ax, (a * x_hat).sum(), near);
                EXPECT_NEAR(s.xx, x_hat.square().sum(), near);
                EXPECT_NEAR(s.gg, (gamma * x_hat).square().sum(), near);
            }
    });
}

} // namespace
} // namespace normscope
