#include "app/words/worked_terms.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"

#include <algorithm>
#include <vector>

namespace normscope::worked {

namespace {

constexpr int k_line_columns = 28;
constexpr Index k_most_terms = 64;

// `terms`: each with the sign that stands before it, but the first.
WorkedLine over_n(const std::vector<std::string>& terms, Index n) {
    const std::string end = worded(") / {}", n);
    std::string all = "= (";
    for (const std::string& term : terms) all += term;
    const Index more = n - static_cast<Index>(terms.size());
    all += (more > 0 ? worded(" + … {} more", more) : "") + end;
    if (columns(all) <= k_line_columns) return {all};
    std::string text = "= (" + terms.front();
    for (std::size_t i = 1; i < terms.size(); ++i) {
        if (columns(text + terms[i] + " + …" + end) > k_line_columns) break;
        text += terms[i];
    }
    return {text + " + …" + end, -1, false, all};
}

} // namespace

WorkedLine mean_terms(const Group& g, int decimals) {
    std::vector<std::string> terms;
    for (Index i = 0; i < std::min(g.n, k_most_terms); ++i) {
        const double z = rounded(g.at(Tensor::z, i), decimals);
        terms.push_back(i == 0 ? printed(z, decimals)
                               : (z < 0 ? " − " : " + ") + printed(z < 0 ? -z : z, decimals));
    }
    return over_n(terms, g.n);
}

WorkedLine square_terms(const Group& g, int decimals, double mean, int mean_decimals) {
    const bool finer = g.norm.centres && !prints_alike(rounded(mean, decimals), mean);
    const int d = finer ? std::max(decimals, mean_decimals) : decimals;
    std::vector<std::string> terms;
    for (Index i = 0; i < std::min(g.n, k_most_terms); ++i) {
        const double off = rounded(rounded(g.at(Tensor::z, i), decimals) - mean, d);
        const std::string text = printed(off, d);
        terms.push_back((i == 0 ? "" : " + ") + (off < 0 ? "(" + text + ")²" : text + "²"));
    }
    return over_n(terms, g.n);
}

} // namespace normscope::worked
