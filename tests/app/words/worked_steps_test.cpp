#include "app/model/edit.h"
#include "app/model/printed_number.h"
#include "app/words/worked_steps.h"
#include "tests/app/model/random_document.h"
#include "tests/app/words/arithmetic.h"
#include "tests/app/words/written_numbers.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>

namespace normscope {
namespace {

using testing::Arithmetic;

// "LEFT = RIGHT" or "= LEFT = RIGHT"; "= RIGHT" has no left.
struct Equation {
    std::string left, right;
};

Equation equation(std::string line) {
    if (line.rfind("= ", 0) == 0) line.erase(0, 2);
    const auto at = line.rfind(" = ");
    if (at == std::string::npos) return {{}, line};
    return {line.substr(0, at), line.substr(at + 3)};
}

int decimals_of(const std::string& number) {
    const auto point = number.find('.');
    const auto end = std::min(number.find('e'), number.size());
    return point == std::string::npos ? 0 : static_cast<int>(end - point - 1);
}

// Half a unit of the last printed place, and what long double rounds.
long double half_unit(const std::string& number) {
    const auto e = number.find('e');
    const long double exponent = e == std::string::npos ? 0 : std::stold(number.substr(e + 1));
    return 0.5L * std::pow(10.0L, exponent - decimals_of(number)) * (1 + 1e-9L);
}

// The student's result is the page's.
void expect_follows(const std::string& line) {
    const Equation e = equation(line);
    if (e.left.empty()) return;
    const long double computed = Arithmetic::value(e.left);
    const long double shown = Arithmetic::value(e.right);
    if (std::isnan(shown) || std::isinf(shown))
        EXPECT_TRUE(std::isnan(shown) ? std::isnan(computed) : computed == shown) << line;
    else
        EXPECT_LE(std::abs(computed - shown), half_unit(e.right) + std::abs(computed) * 1e-14L)
            << line;
}

bool is_arithmetic(const WorkedLine& line, WorkedKind kind) {
    if (line.place >= 0) return true;
    return !line.elision && line.text.rfind("= ", 0) == 0 &&
           (kind == WorkedKind::mean || kind == WorkedKind::variance);
}

const WorkedStep& step(const WorkedSteps& w, WorkedKind kind) {
    return w.steps.at(static_cast<std::size_t>(kind));
}

std::map<Index, Equation> by_place(const WorkedStep& s) {
    std::map<Index, Equation> out;
    for (const WorkedLine& line : s.lines)
        if (line.place >= 0) out[line.place] = equation(line.text);
    return out;
}

// An operand is the printed number before it, possibly in fewer decimals.
void expect_taken_from(const std::string& operand, const std::string& source) {
    const auto value = static_cast<double>(Arithmetic::value(source));
    EXPECT_EQ(operand, printed(value, decimals_of(operand))) << "from " << source;
}

// Every line, and how the lines hang together.
void expect_adds_up(const WorkedSteps& w, const Derived& derived) {
    for (const WorkedStep& s : w.steps)
        for (const WorkedLine& line : s.lines)
            if (is_arithmetic(line, s.kind)) expect_follows(line.text);

    const NormKind norm = derived.document().norm;
    const auto z = by_place(step(w, WorkedKind::add));
    const auto x_hat = by_place(step(w, WorkedKind::normalize));
    const auto y = by_place(step(w, WorkedKind::scale_and_shift));
    ASSERT_EQ(z.size(), x_hat.size());
    ASSERT_EQ(z.size(), y.size());
    for (const auto& [place, line] : y) {
        std::string left = line.left; // γ · x̂ + β, with or without spaces around the dot
        const auto dot = left.find("·");
        const auto plus = left.rfind(" + ");
        std::string operand = left.substr(dot + 2, plus - dot - 2);
        std::erase(operand, ' ');
        EXPECT_EQ(operand, x_hat.at(place).right) << left;
    }
    for (const auto& [place, line] : x_hat) {
        if (!norm_entry(norm).normalizes()) {
            EXPECT_EQ(line.right, z.at(place).right);
            continue;
        }
        if (line.left.empty()) continue;
        const bool rms = !norm_entry(norm).centres;
        const auto minus = line.left.find(" − ");
        const auto slash = line.left.rfind('/');
        std::string first = line.left.substr(rms ? 0 : 1, (rms ? slash : minus) - (rms ? 0 : 1));
        std::string root = line.left.substr(slash + 1);
        std::erase(first, ' ');
        std::erase(root, ' ');
        EXPECT_EQ(first, z.at(place).right) << line.left;
        expect_taken_from(root, equation(step(w, WorkedKind::variance).lines.back().text).right);
        if (rms) continue;
        const auto start = minus + std::string(" − ").size();
        const std::string mean = line.left.substr(start, line.left.find(')') - start);
        expect_taken_from(mean, equation(step(w, WorkedKind::mean).lines.back().text).right);
    }
}

// The results on the page are the program's numbers, rounded.
void expect_true(const WorkedSteps& w, const Derived& derived, Index group) {
    const std::pair<WorkedKind, Tensor> parts[] = {{WorkedKind::add, Tensor::z},
                                                   {WorkedKind::normalize, Tensor::x_hat},
                                                   {WorkedKind::scale_and_shift, Tensor::y}};
    const StatisticSets sets = derived.sets();
    for (const auto& [kind, tensor] : parts)
        for (const auto& [place, line] : by_place(step(w, kind))) {
            const double truth =
                derived.view(tensor)(sets.token(group, place), sets.feature(group, place));
            EXPECT_EQ(line.right, printed(truth, decimals_of(line.right)))
                << line.left << " place " << place;
        }
    const NormEntry& norm = norm_entry(derived.document().norm);
    if (!norm.normalizes() || derived.error()) return;
    const std::string root = equation(step(w, WorkedKind::variance).lines.back().text).right;
    EXPECT_EQ(root, printed(1 / derived.rstd(group), decimals_of(root)));
    if (!norm.centres) return;
    const std::string mean = equation(step(w, WorkedKind::mean).lines.back().text).right;
    EXPECT_EQ(mean, printed(derived.mean(group), decimals_of(mean)));
}

std::string text(const WorkedSteps& w) {
    std::string out;
    for (const WorkedStep& s : w.steps) {
        out += s.heading + "\n";
        for (const WorkedLine& line : s.lines) out += "  " + line.text + "\n";
    }
    return out;
}

Document section_8() {
    Document d = blank_document(1, 6);
    Matrix<double> x(1, 6), f(1, 6);
    x << 1.8, -0.3, 0.8, -0.9, 0.4, 2.1;
    f << 1.36, 0.91, 1.07, -0.4, 0.2, 0.75;
    d.x = x;
    d.f = f;
    d.tokens = Names{"studying"};
    d.gamma = std::vector<double>{1, 1.4, 0.6, 1.8, 1, 0.8};
    d.beta = std::vector<double>{0, 0.3, 0, -0.5, 0, 0.2};
    return d;
}

TEST(WorkedSteps, LookAsDesigned) {
    const auto derived = Derived::of(section_8());
    const WorkedSteps w = worked_steps(*derived, 0);
    EXPECT_EQ(w.subject, "studying");
    EXPECT_EQ(w.decimals, 2);
    EXPECT_TRUE(w.exact);
    EXPECT_EQ(text(w), "1 Add\n"
                       "  Z = X + F(X)\n"
                       "  1.80 + 1.36 = 3.16\n"
                       "  −0.30 + 0.91 = 0.61\n"
                       "  0.80 + 1.07 = 1.87\n"
                       "  … 3 more\n"
                       "2 Mean\n"
                       "  μ = Σ z / 6\n"
                       "  = (3.16 + 0.61 + …) / 6\n"
                       "  = 7.79 / 6 = 1.298\n"
                       "3 Variance\n"
                       "  σ² = Σ (z − μ)² / 6\n"
                       "  = (1.862² + …) / 6\n"
                       "  = 13.913 / 6 = 2.319\n"
                       "  √(σ² + ε)\n"
                       "  = √(2.319 + 1e-5) = 1.523\n"
                       "4 Normalize\n"
                       "  x\u0302 = (z − μ) / √(σ² + ε)\n"
                       "  (3.16 − 1.30) / 1.52 = 1.22\n"
                       "  (0.61 − 1.30) / 1.52 = −0.45\n"
                       "  (1.87 − 1.30) / 1.52 = 0.38\n"
                       "  … 3 more\n"
                       "5 Scale and shift\n"
                       "  y = γ · x\u0302 + β\n"
                       "  1.00 · 1.22 + 0.00 = 1.22\n"
                       "  1.40 · −0.45 + 0.30 = −0.33\n"
                       "  0.60 · 0.38 + 0.00 = 0.23\n"
                       "  … 3 more\n");
}

// The squares of a line of terms, worked out.
double squares_in(std::string line) {
    for (std::size_t i = 0; (i = line.find("²", i)) != std::string::npos;) line.erase(i, 2);
    double sum = 0;
    for (const auto& n : testing::written_numbers(line.substr(0, line.rfind('/'))))
        sum += n.value * n.value;
    return sum;
}

TEST(WorkedSteps, TheMeanAndTheVarianceShowAllTheirTerms) {
    Document d = section_8();
    d.x = Matrix<double>(d.x->leftCols(3));
    d.f = Matrix<double>(d.f->leftCols(3));
    d.features = numbered_names('d', 3);
    d.gamma = std::vector<double>(3, 1.0);
    d.beta = std::vector<double>(3, 0.0);
    const WorkedSteps few = worked_steps(*Derived::of(d), 0);
    EXPECT_EQ(step(few, WorkedKind::mean).lines[1].text, "= (3.16 + 0.61 + 1.87) / 3");
    EXPECT_EQ(step(few, WorkedKind::mean).lines[1].all, "") << "nothing is left out";
    EXPECT_EQ(step(few, WorkedKind::variance).lines[1].all, "= (1.28² + (−1.27)² + (−0.01)²) / 3");

    const auto derived = Derived::of(section_8());
    const WorkedSteps many = worked_steps(*derived, 0, {.most_lines = 6});
    const WorkedLine mean = step(many, WorkedKind::mean).lines[1];
    EXPECT_EQ(mean.all, "= (3.16 + 0.61 + 1.87 − 1.30 + 0.60 + 2.85) / 6");
    EXPECT_NEAR(static_cast<double>(Arithmetic::value(mean.all.substr(2))), derived->mean(0),
                0.005);
    const double variance = std::pow(derived->rstd(0), -2) - 1e-5;
    EXPECT_NEAR(squares_in(step(many, WorkedKind::variance).lines[1].all) / 6, variance, 0.005);
}

TEST(WorkedSteps, OfAThousandTermsSomeAreCounted) {
    const WorkedSteps w = worked_steps(*Derived::of(blank_document(1, 1000)), 0);
    const WorkedLine mean = step(w, WorkedKind::mean).lines[1];
    EXPECT_TRUE(mean.text.ends_with(" + …) / 1000")) << mean.text;
    EXPECT_TRUE(mean.all.ends_with(" + … 936 more) / 1000")) << mean.all;
    EXPECT_EQ(std::count(mean.all.begin(), mean.all.end(), '+'), 64);
}

// Ordinary numbers whose last digits are beyond float32 are no cancellation.
TEST(WorkedSteps, RoundingOfLargeNumbersIsNotCancellation) {
    Random random(19);
    for (int round = 0; round < 50; ++round) {
        Document d = blank_document(1, 7);
        Matrix<double> x(1, 7);
        for (Index i = 0; i < 7; ++i) x(0, i) = 1e6 * random.normal();
        d.x = x;
        EXPECT_TRUE(worked_steps(*Derived::of(d), 0).close) << round;
    }
    Document offset = blank_document(1, 4);
    offset.x = Matrix<double>{{1e6 - 0.3, 1e6 + 0.2, 1e6 - 0.1, 1e6 + 0.4}};
    const WorkedSteps w = worked_steps(*Derived::of(offset), 0);
    EXPECT_TRUE(w.exact || !w.close) << "digits that are lost in x\u0302 are no rounding";
}

TEST(WorkedSteps, SaysWhenNothingIsLeftOfXHat) {
    Document d = blank_document(1, 3);
    d.x = Matrix<double>{{3e-13, -6e-13, 1.6e-12}};
    EXPECT_TRUE(worked_steps(*Derived::of(d), 0).x_hat_lost);
    d.eps = 0;
    EXPECT_FALSE(worked_steps(*Derived::of(d), 0).x_hat_lost);
    EXPECT_FALSE(worked_steps(*Derived::of(section_8()), 0).x_hat_lost);
}

TEST(WorkedSteps, PointingAtAPlaceAddsItsLineAndLeavesTheOthers) {
    const auto derived = Derived::of(section_8());
    const WorkedSteps plain = worked_steps(*derived, 0);
    for (Index place = 3; place < 6; ++place) {
        const WorkedSteps w = worked_steps(*derived, 0, {.always = {place}});
        expect_adds_up(w, *derived);
        expect_true(w, *derived, 0);
        for (const WorkedKind kind :
             {WorkedKind::add, WorkedKind::normalize, WorkedKind::scale_and_shift}) {
            const auto& lines = step(w, kind).lines;
            EXPECT_EQ(by_place(step(w, kind)).count(place), 1u);
            for (std::size_t i = 0; i < 4; ++i)
                EXPECT_EQ(lines[i].text, step(plain, kind).lines[i].text);
        }
    }
}

TEST(WorkedSteps, LeavesOutTheMiddleAndSaysHowMuch) {
    Random random(3);
    Document d = testing::any_document(random, 2, 768, testing::any_number);
    d.norm = NormKind::layer;
    const auto derived = Derived::of(d);
    const WorkedSteps w = worked_steps(*derived, 1, {.always = {3, 400, 767, -1, 768, 1}});
    std::vector<std::string> left_out;
    std::vector<Index> places;
    for (const WorkedLine& line : step(w, WorkedKind::add).lines) {
        if (line.elision) left_out.push_back(line.text);
        if (line.place >= 0) places.push_back(line.place);
    }
    EXPECT_EQ(places, (std::vector<Index>{0, 1, 2, 3, 400, 767}));
    EXPECT_EQ(left_out, (std::vector<std::string>{"… 396 more", "… 366 more"}));
}

TEST(WorkedSteps, ALongRowIsShownFromBothEnds) {
    Random random(3);
    Document d = testing::any_document(random, 2, 768, testing::any_number);
    d.norm = NormKind::layer;
    const auto derived = Derived::of(d);
    const WorkedSteps w = worked_steps(*derived, 1);
    const auto& lines = step(w, WorkedKind::scale_and_shift).lines;
    ASSERT_EQ(lines.size(), 5u);
    EXPECT_EQ(lines[2].place, 1);
    EXPECT_EQ(lines[3].text, "… 765 more");
    EXPECT_EQ(lines[4].place, 767);
    expect_adds_up(w, *derived);
}

TEST(WorkedSteps, GivenDecimalsAreKept) {
    const auto derived = Derived::of(section_8());
    const WorkedSteps w = worked_steps(*derived, 0, {.decimals = 4});
    EXPECT_EQ(w.decimals, 4);
    EXPECT_EQ(by_place(step(w, WorkedKind::scale_and_shift)).at(0).right, "1.2225");
    expect_adds_up(w, *derived);
}

TEST(WorkedSteps, VerySmallValuesAreCountedInAUnitOfTheirSize) {
    Document d = blank_document(1, 3);
    Matrix<double> x(1, 3), f(1, 3);
    x << 1e-15, 2e-15, -3e-15;
    f << 1e-15, 5e-15, 1e-15;
    d.x = x;
    d.f = f;
    d.eps = 1e-32;
    const auto derived = Derived::of(d);
    const WorkedSteps w = worked_steps(*derived, 0);
    EXPECT_EQ(w.unit, "1e-15");
    const auto z = by_place(step(w, WorkedKind::add));
    EXPECT_EQ(z.at(1).left, "2.00 + 5.00");
    EXPECT_EQ(z.at(1).right, "7.00");
    // ε is 0.01 of the unit's square.
    EXPECT_EQ(step(w, WorkedKind::variance).lines.back().text, "= √(13.556 + 0.01) = 3.683");
    expect_adds_up(w, *derived);

    d.eps = 1e-5;
    const auto outweighed = Derived::of(d);
    expect_adds_up(worked_steps(*outweighed, 0), *outweighed);
    EXPECT_EQ(worked_steps(*outweighed, 0, {.decimals = 6}).unit, "1e-15") << "else all are 0";
    EXPECT_EQ(worked_steps(*outweighed, 0, {.decimals = 17}).unit, "");
    EXPECT_EQ(worked_steps(*Derived::of(section_8()), 0).unit, "");
}

// The page says what the program computes even if squares or sums leave the range of numbers.
TEST(WorkedSteps, AtTheEndsOfTheRangeThePageSaysWhatTheCardsSay) {
    const auto expect_cards = [](const WorkedSteps& w, const Derived& derived) {
        for (const auto& [kind, tensor] : {std::pair{WorkedKind::add, Tensor::z},
                                           {WorkedKind::normalize, Tensor::x_hat},
                                           {WorkedKind::scale_and_shift, Tensor::y}}) {
            const double unit = tensor == Tensor::z && !w.unit.empty()
                                    ? static_cast<double>(Arithmetic::value(w.unit))
                                    : 1;
            for (const auto& [place, equation] : by_place(step(w, kind))) {
                const double card = derived.view(tensor)(0, place) / unit;
                if (!std::isfinite(card))
                    EXPECT_EQ(equation.right, std::isnan(card) ? "NaN"
                                              : card > 0       ? "∞"
                                                               : "−∞")
                        << text(w);
                else
                    EXPECT_NEAR(static_cast<double>(Arithmetic::value(equation.right)), card, 0.005)
                        << text(w);
            }
        }
    };
    struct Case {
        Precision precision;
        double size, eps;
        const char* unit;
    };
    for (const Case& c : {Case{Precision::float64, 3e307, 1e-5, "1e307"},
                          {Precision::float64, 5e-324, 1e-5, ""},
                          {Precision::float64, 1e-300, 1e-5, ""},
                          {Precision::float64, 1e-200, 0, "1e-200"},
                          {Precision::float64, 1e-140, 0, "1e-140"},
                          {Precision::float64, 1e-140, 1e-5, "1e-140"},
                          {Precision::float32, 1e-30, 0, "1e-30"},
                          {Precision::float32, 2e-12, 0, "1e-12"}}) {
        SCOPED_TRACE(c.size);
        Document d = blank_document(1, 8);
        d.precision = c.precision;
        d.eps = c.eps;
        Matrix<double> x = Matrix<double>::Constant(1, 8, c.size);
        x(0, 1) = -c.size;
        d.x = x;
        const auto derived = Derived::of(d);
        const WorkedSteps w = worked_steps(*derived, 0, {.most_lines = 8});
        EXPECT_EQ(w.unit, c.unit);
        expect_cards(w, *derived);
        expect_adds_up(w, *derived);
    }
}

// The promise of the page, over everything that can be set.
TEST(WorkedSteps, AStudentWhoRecomputesGetsThePagesNumbers) {
    Random random(2024);
    int exact = 0, all = 0;
    for (int round = 0; round < 1500; ++round) {
        const Index tokens = 1 + testing::index_below(random, 9);
        const Index features = 1 + testing::index_below(random, 12);
        const Document d = testing::any_document(random, tokens, features, testing::any_number);
        const auto derived = Derived::of(d);
        const Index group = testing::index_below(random, derived->sets().count());
        const WorkedSteps w = worked_steps(*derived, group,
                                           {.most_lines = 1 + testing::index_below(random, 5),
                                            .always = {testing::index_below(random, 12)}});
        expect_adds_up(w, *derived);
        if (w.exact) expect_true(w, *derived, group);
        if (HasFailure()) FAIL() << "round " << round << "\n" << text(w);
        if (derived->sets().groups > 1) continue; // three to six values: more pages are inexact
        ++all;
        exact += w.exact ? 1 : 0;
    }
    EXPECT_GE(exact, all * 97 / 100) << exact << " of " << all;
}

// Numbers as people type them: two decimals, and ε as it stands.
TEST(WorkedSteps, TypedNumbersComeOutShortAndExact) {
    Random random(7);
    const auto typed = [](Random& r) { return std::round(r.normal() * 150) / 100; };
    int short_ones = 0;
    for (int round = 0; round < 500; ++round) {
        Document d = testing::any_document(random, 4, 6, typed);
        d.eps = 1e-5;
        d.residual = Residual::add;
        const auto derived = Derived::of(d);
        const WorkedSteps w = worked_steps(*derived, testing::index_below(random, 4));
        EXPECT_TRUE(w.exact) << text(w);
        EXPECT_LE(w.decimals, 3) << text(w); // 3 where a y is a half by two decimals
        short_ones += w.decimals == 2 ? 1 : 0;
        std::size_t lines = 0;
        for (const WorkedStep& s : w.steps) lines += s.lines.size();
        EXPECT_LE(lines, 24u);
    }
    EXPECT_GE(short_ones, 450);
}

TEST(WorkedSteps, NaNAndInfinityAreShownAsTheyAre) {
    Random random(5);
    const auto draw = [](Random& r) {
        const double infinity = std::numeric_limits<double>::infinity();
        const double nan = std::numeric_limits<double>::quiet_NaN();
        return testing::any_of(r,
                               {r.normal(), r.normal(), r.normal(), 0.0, infinity, -infinity, nan});
    };
    for (int round = 0; round < 300; ++round) {
        const Document d = testing::any_document(random, 3, 5, draw);
        const auto derived = Derived::of(d);
        const Index group = testing::index_below(random, 3);
        const WorkedSteps w = worked_steps(*derived, group);
        expect_adds_up(w, *derived);
        if (w.exact) expect_true(w, *derived, group);
        if (HasFailure()) FAIL() << "round " << round << "\n" << text(w);
    }
}

TEST(WorkedSteps, TellsWhetherItsResultsAreFinite) {
    Document d = blank_document(2, 3);
    Matrix<double> x = Matrix<double>::Ones(2, 3);
    x(0, 1) = std::numeric_limits<double>::infinity();
    d.x = std::move(x);
    EXPECT_FALSE(worked_steps(*Derived::of(d), 0).finite);
    EXPECT_TRUE(worked_steps(*Derived::of(d), 1).finite);
}

TEST(WorkedSteps, TellsWhetherLargeNumbersCancel) {
    Document d = blank_document(1, 3);
    Matrix<double> x = Matrix<double>::Constant(1, 3, 0.5);
    x(0, 0) = 1e9;
    d.x = x;
    d.precision = Precision::float64;
    const WorkedSteps large = worked_steps(*Derived::of(d), 0);
    EXPECT_TRUE(large.close) << text(large);
    const auto undone = apply(d, UndoNorm{0});
    ASSERT_TRUE(undone);
    const WorkedSteps cancelling = worked_steps(*Derived::of(*undone), 0);
    EXPECT_FALSE(cancelling.exact);
    EXPECT_FALSE(cancelling.close) << text(cancelling);
}

TEST(WorkedSteps, AConstantRowWithoutEpsilonIsZeroByZero) {
    Document d = blank_document(1, 3);
    d.eps = 0;
    const WorkedSteps w = worked_steps(*Derived::of(d), 0);
    EXPECT_EQ(step(w, WorkedKind::normalize).lines[1].text, "(0.00 − 0.00) / 0.00 = NaN");
    EXPECT_TRUE(w.exact);
}

TEST(WorkedSteps, ABatchOfOneSaysWhatIsMissing) {
    Document d = blank_document(1, 3);
    d.norm = NormKind::batch;
    const auto derived = Derived::of(d);
    const WorkedSteps w = worked_steps(*derived, 2);
    EXPECT_EQ(w.subject, "d2");
    EXPECT_EQ(step(w, WorkedKind::mean).lines[0].text, "Batch norm needs more than");
    EXPECT_EQ(step(w, WorkedKind::normalize).lines[1].text, "= NaN");
}

// In float32 no number of decimals gives the program's results exactly; two would be off by 0.05.
TEST(WorkedSteps, ALargeOffsetInFloat32TakesTheDecimalsThatBringItNearest) {
    Document d = blank_document(1, 8);
    d.x = Matrix<double>{{999.9, 1000, 1000.1, 1000, 1000.1, 1000.1, 999.9, 1000.1}};
    d.f = Matrix<double>{{0.02, 0.06, 0.04, 0, -0.09, -0.04, -0.1, 0.11}};
    d.gamma = std::vector<double>{-1.56, -0.38, 2.07, 0.56, -0.78, -0.37, 0.96, 2.63};
    d.beta = std::vector<double>{0.83, 0.77, 1.61, -1.54, -1.43, -2.28, 0.86, -2.29};
    d.eps = 0.1;
    const WorkedSteps w = worked_steps(*Derived::of(d), 0, {.most_lines = 8});
    EXPECT_FALSE(w.exact) << text(w);
    EXPECT_LT(w.off, 0.005) << text(w);
    EXPECT_GT(worked_steps(*Derived::of(d), 0, {.decimals = 2, .most_lines = 8}).off, 0.01);
}

} // namespace
} // namespace normscope
