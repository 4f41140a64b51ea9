#include "app/session/examples.h"

#include "app/io/file.h"
#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "app/session/file_weights.h"
#include "core/base/lists.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <ranges>

namespace normscope {

namespace {

namespace fs = std::filesystem;

double to_three_decimals(double value) {
    return std::round(value * 1000) / 1000;
}

struct Feature {
    double mean = 0;
    double scale = 1;
};

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
        entry_at(features, outlier) = {sign * size, 0.15 * size};
    }

    Document d = blank_document(recipe.tokens, recipe.features);
    d.title = "Activations";
    Matrix<double> x(recipe.tokens, recipe.features);
    Matrix<double> f(recipe.tokens, recipe.features);
    for (Index t = 0; t < recipe.tokens; ++t) {
        const double token_scale = std::exp(0.2 * random.normal());
        for (Index j = 0; j < recipe.features; ++j) {
            const Feature& feature = entry_at(features, j);
            x(t, j) =
                to_three_decimals(token_scale * (feature.mean + feature.scale * random.normal()));
            // A sublayer's output is smaller than its input, and large in the same features.
            f(t, j) = to_three_decimals(0.3 * token_scale *
                                        (0.2 * feature.mean + feature.scale * random.normal()));
        }
    }
    d.x = std::move(x);
    d.f = std::move(f);
    return d;
}

ActivationRecipe read_generator(const JsonPlace& place) {
    ActivationRecipe recipe;
    const auto count = [](Index most) {
        return [=](const JsonPlace& at) { return read_integer(at, 1, most); };
    };
    const auto feature = [&](const JsonPlace& at) {
        return static_cast<Index>(read_integer(at, 0, recipe.features - 1));
    };
    Reader reader(place);
    const auto kind = reader.find("kind");
    if (!kind) place.wrong("\"kind\" is missing; expected \"activations\"");
    if (kind->json != "activations") kind->expected("\"activations\"");
    reader("tokens", recipe.tokens, count(k_max_tokens));
    reader("features", recipe.features, count(k_max_features));
    reader("outlier_scale", recipe.outlier_scale);
    reader("seed", recipe.seed, read_seed);
    reader("outlier_features", recipe.outlier_features, list_of(feature));
    reader.only();
    return recipe;
}

} // namespace

Result<Example> read_example(std::string_view bytes, const std::string& file) {
    const auto read_beside = [&](const JsonPlace& at) {
        return fs::path(file).parent_path() / read_string(at);
    };
    const auto document = [](const JsonPlace& at) { return read_document(at); };
    return read_json(bytes, file, [&](const JsonPlace& place) {
        Example out;
        Reader reader(place);
        reader.need("id", out.id);
        reader.need("title", out.title);
        reader("kind", out.kind);
        reader.need("about", out.about);
        reader("order", out.order);
        reader("token", out.token);
        reader("workspace", out.workspace);
        reader("look", out.look);
        reader("weights", out.weights, read_beside);
        reader("document", out.source, document);
        reader("generator", out.source, read_generator);
        reader.only();
        if (out.id.empty()) place.wrong("\"id\" is empty");
        if (place.find("document").has_value() == place.find("generator").has_value())
            place.wrong("expected either \"document\" or \"generator\"");
        for_each_part([&](const auto& part) {
            const auto given = place.find("document");
            if (!out.workspace.empty() && given && given->find(part.key)) out.part = part.key;
        });
        return out;
    });
}

Result<std::vector<Example>> load_examples(const fs::path& folder) {
    std::error_code code;
    const std::vector<fs::path> paths = json_files(folder, code);
    if (code)
        return fail("{}: the folder of examples cannot be read: {}", folder.string(),
                    code.message());
    if (paths.empty()) return fail("{}: no example (*.json) is in this folder", folder.string());
    std::vector<Example> examples;
    for (const fs::path& path : paths) {
        auto example = TRY(read_file(path).and_then(
            [&](const std::string& bytes) { return read_example(bytes, path.string()); }));
        if (find_in(examples, example.id, &Example::id))
            return fail("{}: the id \"{}\" is taken by another file of this folder; "
                        "give it one of its own",
                        path.string(), example.id);
        examples.push_back(std::move(example));
    }
    std::ranges::sort(examples, {}, [](const Example& e) { return std::pair(e.order, e.id); });
    return examples;
}

Result<Example> find_example(const std::vector<Example>& examples, std::string_view id) {
    if (const Example* const found = find_in(examples, id, &Example::id)) return *found;
    return fail("there is no example \"{}\"; there are {}", std::string(id),
                joined(examples, &Example::id));
}

Result<Document> open_example(const Example& example) {
    Document d = std::holds_alternative<Document>(example.source)
                     ? std::get<Document>(example.source)
                     : generate_activations(std::get<ActivationRecipe>(example.source));
    d.title = example.title;
    if (!example.weights.empty()) {
        auto model = TRY(open_safetensors(example.weights).and_then([&](const Safetensors& file) {
            return read_file_weights(file, d.transformer.config);
        }));
        return apply(d, TakeWeights{std::make_shared<const FileWeights>(
                            kept_weights(std::move(model), example.weights))});
    }
    TRY(check(d));
    return d;
}

Result<Document> first_document(const std::vector<Example>& examples, std::string_view id) {
    Document d = TRY(open_example(TRY(find_example(examples, id))));
    if (const auto trained = find_example(examples, k_first_transformer))
        d.transformer = TRY(open_example(*trained)).transformer;
    return d;
}

} // namespace normscope
