#include "app/words/worked_steps.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/words/norm_formula.h"
#include "app/words/worked_decimals.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <span>

namespace normscope {

namespace {

using worked::Group;
using worked::GroupDecimals;
using worked::PlaceDecimals;

constexpr int k_most_decimals = 6;
constexpr int k_panel_columns = 28;
constexpr char k_soft_space = '\x01'; // goes where a line would be too long for the panel

// The places a step has a line for, ascending. Those in `shared` are always there and share their
// decimals and spacing; the rest is there because someone points at it, and has its own, so that
// pointing does not change the other lines.
struct Shown {
    std::vector<Index> places;
    std::vector<Index> shared;

    bool shares(Index place) const { return std::ranges::binary_search(shared, place); }
};

// The first places, and of a long row the last one. A single place is never left out: saying so
// would take a line too.
Shown shown_places(Index n, const WorkedOptions& options) {
    const Index most = std::max<Index>(options.most_lines, 1);
    const bool all = n <= most + 1;
    const bool with_last = !all && n > k_long_row && most > 1;
    Shown out;
    for (Index i = 0; i < (all ? n : with_last ? most - 1 : most); ++i) out.shared.push_back(i);
    if (with_last) out.shared.push_back(n - 1);
    std::vector<Index> wanted = out.shared;
    std::ranges::copy_if(options.always, std::back_inserter(wanted),
                         [n](Index place) { return place >= 0 && place < n; });
    std::ranges::sort(wanted);
    for (const Index place : wanted) {
        const Index before = out.places.empty() ? -1 : out.places.back();
        if (place == before) continue;
        if (place == before + 2) out.places.push_back(place - 1);
        out.places.push_back(place);
    }
    if (out.places.back() == n - 2) out.places.push_back(n - 1);
    return out;
}

// Writes the page: every result from the operands as they are printed before it.
struct Page {
    const Group& g;
    const Shown& shown;
    std::vector<PlaceDecimals> decimals; // of each place
    GroupDecimals group;
    WorkedSteps& out;

    std::vector<double> z, x_hat; // as printed
    double mean = 0, root = 0;
    double largest_z = g.largest_term();
    const Spread& of = *g.norm.spread;

    // `terms`: the size of the terms that the value is computed from. Several roundings of the
    // program's precision make no more than a few units of that size.
    void expect(double printed_value, double true_value, int d, double terms = 0) {
        if (!std::isfinite(true_value)) out.finite = false;
        if (prints_alike(printed_value, rounded(true_value, d))) return;
        out.exact = false;
        if (!std::isfinite(printed_value) || !std::isfinite(true_value)) {
            out.close = false;
            return;
        }
        const double off = std::abs(printed_value - true_value);
        const double rounding =
            roundings(g.derived.document().precision) * std::max(std::abs(true_value), terms);
        const double usual = std::max(2 * last_digit(true_value, d), rounding);
        out.off = std::max(out.off, off);
        if (off > usual) out.close = false;
    }

    WorkedStep& start(WorkedKind kind, std::string_view name, std::vector<WorkedLine> lines) {
        out.steps.push_back(
            {kind, worded("{} {}", static_cast<int>(kind) + 1, name), std::move(lines)});
        return out.steps.back();
    }

    // The decimals of z in its sum.
    int z_decimals() const { return std::ranges::max_element(decimals, {}, &PlaceDecimals::z)->z; }

    // A line a place, and what is left out between them.
    template<class Line>
    void each_place(WorkedStep& step, Line&& line) {
        Index next = 0;
        const auto elide = [&](Index end) {
            if (end > next) step.lines.push_back({worded("… {} more", end - next), -1, true});
        };
        for (const auto i : indices(shown.places)) {
            elide(shown.places[i]);
            step.lines.push_back({line(i), shown.places[i], false});
            next = shown.places[i] + 1;
        }
        elide(g.n);
    }

    void add() {
        WorkedStep& step = start(WorkedKind::add, "Add",
                                 {{g.skip ? "Z = X + F(X)" : "Z = F(X), without the skip"}});
        each_place(step, [&](std::size_t i) {
            const Index place = shown.places[i];
            const PlaceDecimals& d = decimals[i];
            const double x = rounded(g.at(Tensor::x, place), d.input);
            const double f = rounded(g.at(Tensor::f, place), d.input);
            z.push_back(rounded(g.skip ? x + f : f, d.z));
            expect(z.back(), g.at(Tensor::z, place), d.z, largest_z);
            if (!g.skip) return "= " + printed(z.back(), d.z);
            return worded("{} + {} = {}", printed(x, d.input), printed(f, d.input),
                          printed(z.back(), d.z));
        });
    }

    std::string epsilon() const {
        return short_exponent(g.unit == 1 ? fmt::format("{}", g.eps)
                                          : fmt::format("{:.3g}", g.eps));
    }

    // The printed z, where all of them are.
    std::vector<double> all_z() const {
        return std::ssize(shown.places) == g.n ? z : std::vector<double>();
    }

    void average() {
        if (!g.norm.centres) {
            start(WorkedKind::mean, "Mean",
                  {{g.norm.normalizes() ? worded("{} norm subtracts no mean", g.norm.label)
                                        : "No norm: no mean is taken"}});
            return;
        }
        const double sum = worked::printed_sum(g, all_z(), group.sum);
        mean = rounded(sum / static_cast<double>(g.n), group.mean);
        expect(sum, g.sum, group.sum, largest_z * static_cast<double>(g.n));
        expect(mean, g.mean, group.mean, largest_z);
        start(
            WorkedKind::mean, "Mean",
            {{worded("μ = Σ z / {}", g.n)},
             worked::mean_terms(g, z_decimals()),
             {worded("= {} / {} = {}", printed(sum, group.sum), g.n, printed(mean, group.mean))}});
    }

    void spread() {
        if (!g.norm.normalizes()) {
            start(WorkedKind::variance, "Variance", {{"No norm: nothing to divide by"}});
            return;
        }
        const double total = worked::printed_total(g, all_z(), mean, group.total);
        const double statistic = rounded(total / g.parts, group.statistic);
        root = rounded(of.divisor(statistic, g.eps), group.root);
        expect(total, g.total, group.total);
        expect(statistic, g.statistic, group.statistic);
        expect(root, g.root, group.root);
        const std::string q = printed(statistic, group.statistic);
        std::vector<WorkedLine> lines;
        if (of.squares)
            lines = {{worded("{} / {}", of.definition, g.n)},
                     worked::square_terms(g, z_decimals(), mean, group.mean),
                     {worded("= {} / {} = {}", printed(total, group.total), g.n, q)}};
        else
            lines = {{std::string(of.definition)}, {"= " + q}};
        lines.push_back({divisor_formula(of, of.symbol)});
        lines.push_back({worded("= {} = {}",
                                of.squares ? worded("√({} + {})", q, epsilon())
                                           : worded("{} + {}", q, epsilon()),
                                printed(root, group.root))});
        start(WorkedKind::variance, of.title, std::move(lines));
    }

    void normalize() {
        const bool none = !of.divides;
        WorkedStep& step = start(WorkedKind::normalize, "Normalize",
                                 {{"x\u0302 = " + (none ? "z" : x_hat_formula(of, of.symbol))}});
        each_place(step, [&](std::size_t i) {
            const PlaceDecimals& d = decimals[i];
            const double m = rounded(mean, d.divisor);
            const double s = rounded(root, d.divisor);
            x_hat.push_back(none ? z[i] : rounded(g.normalized(z[i], m, s), d.x_hat));
            expect(x_hat.back(), g.at(Tensor::x_hat, shown.places[i]), d.x_hat);
            const std::string result = printed(x_hat.back(), d.x_hat);
            if (none) return "= " + result;
            if (!of.centres)
                return fmt::format("{0}{3}/{3}{1} = {2}", printed(z[i], d.z), printed(s, d.divisor),
                                   result, k_soft_space);
            return fmt::format("({0} − {1}){4}/{4}{2} = {3}", printed(z[i], d.z),
                               printed(m, d.divisor), printed(s, d.divisor), result, k_soft_space);
        });
        fit(step);
    }

    void scale_and_shift() {
        WorkedStep& step =
            start(WorkedKind::scale_and_shift, "Scale and shift", {{"y = γ · x\u0302 + β"}});
        each_place(step, [&](std::size_t i) {
            const PlaceDecimals& d = decimals[i];
            const double gamma = rounded(g.gamma(shown.places[i]), d.param);
            const double beta = rounded(g.beta(shown.places[i]), d.param);
            const double y = rounded(gamma * x_hat[i] + beta, d.y);
            expect(y, g.at(Tensor::y, shown.places[i]), d.y, std::abs(beta));
            return fmt::format("{0}{4}·{4}{1} + {2} = {3}", printed(gamma, d.param),
                               printed(x_hat[i], d.x_hat), printed(beta, d.param), printed(y, d.y),
                               k_soft_space);
        });
        fit(step);
    }

    // Soft spaces stay where the line, or every line of those that go together, is short enough.
    void fit(WorkedStep& step) const {
        const auto too_long = [](const WorkedLine& line) {
            return columns(line.text) > k_panel_columns;
        };
        const auto shared = [this](const WorkedLine& line) {
            return line.place < 0 || shown.shares(line.place);
        };
        const bool tight = std::ranges::any_of(
            step.lines, [&](const WorkedLine& line) { return shared(line) && too_long(line); });
        for (WorkedLine& line : step.lines) {
            if (shared(line) ? tight : too_long(line))
                std::erase(line.text, k_soft_space);
            else
                std::ranges::replace(line.text, k_soft_space, ' ');
        }
    }
};

struct Decimals {
    std::vector<PlaceDecimals> places;
    GroupDecimals group;
};

Decimals fit_decimals(const Group& g, const Shown& shown, const PlaceDecimals& least) {
    const std::span<const Index> places = shown.places;
    const PlaceDecimals shared = fit_places(g, shown.shared, least);
    Decimals out;
    for (std::size_t i = 0; i < places.size(); ++i)
        out.places.push_back(shown.shares(places[i]) ? shared
                                                     : fit_places(g, places.subspan(i, 1), shared));
    if (!g.norm.normalizes()) return out;

    std::vector<int> divisors;
    std::vector<double> z;
    for (const auto i : indices(places)) {
        divisors.push_back(out.places[i].divisor);
        z.push_back(rounded(g.at(Tensor::z, places[i]), out.places[i].z));
    }
    if (std::ssize(places) != g.n) z.clear();
    out.group = fit_group(g, least.y, divisors, z);
    return out;
}

// Gives more decimals to the numbers that the group shares with the places, where the group's own
// do not come out: to μ and s as they are used, and to z where all of z is on the page, so that its
// squares must add up too (small differences between large numbers need that).
Decimals decimals_for_all(const Group& g, const Shown& shown, int decimals) {
    constexpr int k_most_more = 6;
    const Decimals first = fit_decimals(g, shown, PlaceDecimals::all(decimals));
    if (first.group.fits) return first;
    const bool complete = std::ssize(shown.places) == g.n;
    for (int more = 1; more <= k_most_more; ++more) {
        for (const auto& [divisor, z] : {std::pair{more, 0}, {0, more}, {more, more}}) {
            if (z > 0 && !complete) continue;
            PlaceDecimals least = PlaceDecimals::all(decimals);
            least.divisor += divisor;
            least.z += z;
            if (Decimals finer = fit_decimals(g, shown, least); finer.group.fits) return finer;
        }
    }
    return first;
}

WorkedSteps page(const Group& g, const Shown& shown, int decimals) {
    WorkedSteps out;
    out.decimals = decimals;
    Decimals fitted = decimals_for_all(g, shown, decimals);
    Page page{g, shown, std::move(fitted.places), fitted.group, out, {}, {}};
    page.add();
    page.average();
    page.spread();
    page.normalize();
    page.scale_and_shift();
    const double largest = g.largest(Tensor::x_hat);
    out.x_hat_lost = largest > 0 && largest < last_digit(1, k_most_decimals) / 2;
    return out;
}

// The page of a norm without statistics: of too few values, or of groups that do not divide the
// features.
WorkedSteps refused(const Group& g, const Shown& shown, int decimals) {
    WorkedSteps out = page(g, shown, decimals);
    for (WorkedStep& step : out.steps) {
        if (step.kind == WorkedKind::mean || step.kind == WorkedKind::variance)
            step.lines =
                g.n < g.norm.fewest_values()
                    ? std::vector<WorkedLine>{{worded("{} norm needs more than", g.norm.label)},
                                              {worded("one value per {}", g.sets.name())}}
                    : std::vector<WorkedLine>{
                          {worded("{} groups do not divide", g.derived.document().norm.groups)},
                          {worded("{} features", g.sets.features)}};
        if (step.kind == WorkedKind::normalize)
            for (WorkedLine& line : step.lines)
                if (line.place >= 0) line.text = "= NaN";
    }
    out.exact = true;
    return out;
}

// Decimals in which the largest of Z and its terms has two digits, and so have that of x̂ and that
// of Y.
int readable_decimals(const Group& g) {
    int decimals = 2;
    for (const double largest : {g.largest_term(), g.largest(Tensor::x_hat), g.largest(Tensor::y)})
        while (decimals < k_most_decimals && largest > 0 && largest < std::pow(10.0, 1 - decimals))
            ++decimals;
    return decimals;
}

} // namespace

WorkedSteps worked_steps(const Derived& derived, Index group, const WorkedOptions& options) {
    // As many decimals as are asked for; where little is seen in them, in units of what there is.
    const bool units = options.decimals <= 0 || Group(derived, group, false).largest_term() <
                                                    std::pow(10.0, 2 - options.decimals);
    const Group g(derived, group, units);
    const Shown shown = shown_places(g.n, options);
    const int least = options.decimals > 0 ? options.decimals : readable_decimals(g);
    WorkedSteps out;
    if (derived.error()) {
        out = refused(g, shown, least);
    } else {
        out = page(g, shown, least);
        // A page that does not come out exactly, as with a large offset in float32, gets the
        // decimals that bring it clearly nearer.
        for (int d = least + 1; options.decimals <= 0 && !out.exact && d <= k_most_decimals; ++d)
            if (WorkedSteps finer = page(g, shown, d);
                finer.exact || (!out.close && finer.off < out.off / 2))
                out = std::move(finer);
    }
    if (g.unit != 1) out.unit = short_exponent(fmt::format("{:.0e}", g.unit));
    out.subject = set_name(derived.document(), g.sets, group);
    return out;
}

} // namespace normscope
