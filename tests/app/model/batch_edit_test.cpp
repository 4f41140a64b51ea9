#include "app/model/edit.h"
#include "app/model/history.h"
#include "app/session/session_file.h"
#include "tests/app/model/edited.h"
#include "tests/app/model/random_document.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::edited;

Matrix<double> one(double value) {
    return Matrix<double>::Constant(1, 1, value);
}

Document small_document() {
    Document d = blank_document(3, 4);
    Matrix<double> x(3, 4), f(3, 4);
    for (Index i = 0; i < x.size(); ++i) {
        x.data()[i] = static_cast<double>(i) / 10;
        f.data()[i] = 0.2;
    }
    d.x = x;
    d.f = f;
    return d;
}

TEST(SetZ, ChangesXSoThatZTakesTheValue) {
    const Document before = small_document();
    const Document d = edited(before, SetZ{1, 2, one(1.23)});
    EXPECT_EQ((*d.x)(1, 2), 1.03) << "as it would be typed, without the rounding of a difference";
    EXPECT_NEAR((*d.x)(1, 2) + (*d.f)(1, 2), 1.23, 1e-15);
    EXPECT_TRUE(d.f.is(before.f));
    Matrix<double> rest = *d.x - *before.x;
    rest(1, 2) = 0;
    EXPECT_TRUE(rest.isZero(0));
    // A value with all its digits keeps them.
    EXPECT_EQ((*edited(before, SetZ{0, 0, one(M_PI)}).x)(0, 0), M_PI - 0.2);
}

TEST(SetZ, ChangesFWithoutTheSkip) {
    Document before = small_document();
    before.residual = Residual::no_skip;
    const Document d = edited(before, SetZ{0, 3, one(-7)});
    EXPECT_EQ((*d.f)(0, 3), -7);
    EXPECT_TRUE(d.x.is(before.x));
}

TEST(SetZ, ReplacesANaNSumByTheTypedNumber) {
    Document before = small_document();
    Matrix<double> f = *before.f;
    f(2, 1) = std::nan("");
    before.f = f;
    const Document d = edited(before, SetZ{2, 1, one(4)});
    EXPECT_EQ((*d.x)(2, 1) + (*d.f)(2, 1), 4);
    EXPECT_TRUE(std::isnan((*edited(small_document(), SetZ{2, 1, one(std::nan(""))}).x)(2, 1)));
}

TEST(SetZ, TakesBlocksAndRefusesWhatDoesNotFit) {
    const Document before = small_document();
    const Document d = edited(before, SetZ{1, 1, Matrix<double>::Constant(2, 3, 0.5)});
    EXPECT_EQ((*d.x).bottomRightCorner(2, 3), (Matrix<double>::Constant(2, 3, 0.3)));
    EXPECT_FALSE(apply(before, SetZ{2, 2, Matrix<double>::Constant(2, 3, 0.5)}));
    EXPECT_FALSE(apply(before, SetZ{-1, 0, one(1)}));
    EXPECT_FALSE(apply(before, SetZ{0, 0, Matrix<double>()}));
}

TEST(BatchEdit, RefusesWhatCannotBe) {
    const Document d = small_document();
    for (const Edit& change : std::initializer_list<Edit>{
             set<&BatchSetup::batch>(-1), set<&BatchSetup::momentum>(0),
             set<&BatchSetup::momentum>(1.5), set<&BatchSetup::momentum>(std::nan("")),
             set<&BatchSetup::updates>(-1), set<&BatchSetup::updates>(k_most_updates + 1),
             set<&BatchSetup::nan_update>(-1), set<&BatchSetup::nan_update>(k_most_updates + 1),
             set<&BatchSetup::lengths>({0, 5, 2, 4}), set<&BatchSetup::lengths>({3, 5, 6, 4}),
             set<&BatchSetup::leak>({4, 0, 0}), set<&BatchSetup::leak>({0, 5, 0}),
             set<&BatchSetup::leak>({0, 0, -1})}) {
        const auto next = apply(d, change);
        ASSERT_FALSE(next) << describe(change, d);
        EXPECT_GT(next.error().message.size(), 20u);
    }
}

TEST(BatchEdit, TheWholeBatchStaysTheWholeWhenTokensComeAndGo) {
    Document d = edited(small_document(), set<&BatchSetup::batch>(2));
    EXPECT_EQ(batch_size(d.batch, d.token_count()), 2);
    d = *apply(d, Remove{Axis::token, 0});
    d = *apply(d, Remove{Axis::token, 0});
    EXPECT_EQ(batch_size(d.batch, d.token_count()), 1);
    EXPECT_TRUE(check(d));
    d = edited(edited(small_document(), set<&BatchSetup::batch>(2)), set<&BatchSetup::batch>(3));
    d = *apply(d, Insert{Axis::token, 0});
    EXPECT_EQ(batch_size(d.batch, d.token_count()), 4);
}

TEST(BatchEdit, EveryChangeIsUndoneAndHasAName) {
    const Document start = small_document();
    History history(start);
    const std::vector<Edit> changes = {SetZ{0, 1, one(9)},
                                       set<&BatchSetup::batch>(2),
                                       set<&BatchSetup::momentum>(0.5),
                                       set<&BatchSetup::updates>(7),
                                       set<&BatchSetup::nan_update>(3),
                                       set<&BatchSetup::seed>(12),
                                       set<&BatchSetup::lengths>({3, 2, 2, 4}),
                                       set<&BatchSetup::padding>(Padding::left_out),
                                       set<&BatchSetup::leak>({0, 1, 2}),
                                       ResetRunning{}};
    for (const Edit& change : changes) {
        const Document next = edited(history.document(), change);
        EXPECT_NE(next, history.document());
        history.change(next, change);
        history.settle(false);
        EXPECT_FALSE(history.undo_label().empty());
    }
    for (std::size_t i = 0; i < changes.size(); ++i) history.undo();
    EXPECT_EQ(history.document(), start);
    EXPECT_EQ(describe(SetZ{0, 1, one(9)}, start), "Z[t0, d1] → 9.00");
}

TEST(BatchEdit, AFileWithWrongSettingsIsRefusedByPlace) {
    const auto read = [](const std::string& settings) {
        return read_session(R"({"format": "normscope", "version": 1, "x": [[1, 2]], "batch": )" +
                                settings + "}",
                            "a.json");
    };
    EXPECT_TRUE(read(R"({"size": 1, "lengths": [1, 2, 3, 4]})"));
    for (const char* wrong :
         {R"([])", R"({"sise": 1})", R"({"size": -1})", R"({"momentum": 2})",
          R"({"momentum": "x"})", R"({"updates": 5001})", R"({"nan_update": 1.5})",
          R"({"seed": -1})", R"({"lengths": [1, 2, 3]})", R"({"lengths": [1, 2, 3, 6]})",
          R"({"padding": "some"})", R"({"leak": [9, 0, 0]})", R"({"leak": 3})"}) {
        const auto d = read(wrong);
        ASSERT_FALSE(d) << wrong;
        EXPECT_EQ(d.error().message.rfind("a.json", 0), 0u) << d.error().message;
    }
}

} // namespace
} // namespace normscope
