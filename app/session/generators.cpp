#include "app/session/generators.h"

#include "core/base/random.h"

#include <cmath>

namespace normscope {

namespace {

double to_three_decimals(double value) {
    return std::round(value * 1000) / 1000;
}

struct Feature {
    double mean = 0;
    double scale = 1;
};

} // namespace

Document generate_activations(const ActivationRecipe& recipe) {
    Random random(recipe.seed);
    std::vector<Feature> features(static_cast<std::size_t>(recipe.features));
    for (Feature& f : features) {
        f.mean = 0.1 * random.normal();
        f.scale = std::exp(0.4 * random.normal()); // log-normal, median 1
    }
    for (const Index outlier : recipe.outlier_features) {
        // Between half and one and a half times the scale, of one sign in all tokens.
        const double size = recipe.outlier_scale * (0.5 + random.uniform());
        const double sign = random.uniform() < 0.5 ? -1.0 : 1.0;
        features[static_cast<std::size_t>(outlier)] = {sign * size, 0.15 * size};
    }

    Document d = blank_document(recipe.tokens, recipe.features);
    d.title = "Activations";
    Matrix<double> x(recipe.tokens, recipe.features);
    Matrix<double> f(recipe.tokens, recipe.features);
    for (Index t = 0; t < recipe.tokens; ++t) {
        const double token_scale = std::exp(0.2 * random.normal());
        for (Index j = 0; j < recipe.features; ++j) {
            const Feature& feature = features[static_cast<std::size_t>(j)];
            x(t, j) =
                to_three_decimals(token_scale * (feature.mean + feature.scale * random.normal()));
            // What a sublayer adds is smaller than what it adds to, and in the same features large.
            f(t, j) = to_three_decimals(0.3 * token_scale *
                                        (0.2 * feature.mean + feature.scale * random.normal()));
        }
    }
    d.x = std::move(x);
    d.f = std::move(f);
    return d;
}

} // namespace normscope
