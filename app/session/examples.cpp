#include "app/session/examples.h"

#include "app/io/file.h"
#include "app/language/language.h"
#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "app/session/weights_file.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <ranges>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Result<std::vector<Index>> read_indices(const JsonPlace& place, Index end) {
    if (!place.json.is_array()) return place.expected("a list of feature numbers");
    return list_of<Index>([&](const JsonPlace& at) { return read_integer(at, 0, end - 1); })(place);
}

Result<ActivationRecipe> read_activations(const JsonPlace& place) {
    ActivationRecipe recipe;
    std::string kind; // looked at by read_generator()
    const auto count = [](Index most) {
        return [=](const JsonPlace& at) { return read_integer(at, 1, most); };
    };
    const auto indices = [&](const JsonPlace& at) { return read_indices(at, recipe.features); };
    return read_members(place, {{"kind", kind, read_string},
                                {"tokens", recipe.tokens, count(k_max_tokens)},
                                {"features", recipe.features, count(k_max_features)},
                                {"outlier_scale", recipe.outlier_scale, read_number},
                                {"seed", recipe.seed, read_seed},
                                {"outlier_features", recipe.outlier_features, indices}})
        .map([&] { return recipe; });
}

Result<ActivationRecipe> read_generator(const JsonPlace& place) {
    if (!place.json.is_object()) return place.expected("an object in braces");
    const auto kind = place.find("kind");
    if (!kind) return place.wrong("\"kind\" is missing; expected \"activations\"");
    if (kind->json != "activations") return kind->expected("\"activations\"");
    return read_activations(place);
}

} // namespace

Result<Example> read_example(std::string_view bytes, const std::string& file) {
    const auto json = parse_json(bytes, file);
    if (!json) return tl::unexpected(json.error());
    const JsonPlace place{*json, file};
    Example out;
    const auto read_beside = [&](const JsonPlace& at) {
        return read_string(at).map(
            [&](const std::string& name) { return fs::path(file).parent_path() / name; });
    };
    const auto document = [](const JsonPlace& at) { return read_document(at); };
    if (auto ok = read_members(place, {needed("id", out.id, read_string),
                                       needed("title", out.title, read_string),
                                       needed("about", out.about, read_string),
                                       {"order", out.order, read_small},
                                       {"token", out.token, read_small},
                                       {"workspace", out.workspace, read_string},
                                       {"weights", out.weights, read_beside},
                                       {"document", out.source, document},
                                       {"generator", out.source, read_generator}});
        !ok)
        return tl::unexpected(ok.error());
    if (out.id.empty()) return place.wrong("\"id\" is empty");
    if (place.find("document").has_value() == place.find("generator").has_value())
        return place.wrong("expected either \"document\" or \"generator\"");
    return out;
}

Result<std::vector<Example>> load_examples(const fs::path& folder) {
    std::error_code code;
    const std::vector<fs::path> paths = json_files(folder, code);
    if (code)
        return fail(folder.string() + worded(": the folder of examples cannot be read: ") +
                    code.message());
    if (paths.empty())
        return fail(folder.string() + worded(": no example (*.json) is in this folder"));
    std::vector<Example> examples;
    for (const fs::path& path : paths) {
        const auto bytes = read_file(path);
        if (!bytes) return tl::unexpected(bytes.error());
        auto example = read_example(*bytes, path.string());
        if (!example) return tl::unexpected(example.error());
        if (std::ranges::find(examples, example->id, &Example::id) != examples.end())
            return fail(worded("{}: the id \"{}\" is taken by another file of this folder; "
                               "give it one of its own",
                               path.string(), example->id));
        examples.push_back(std::move(*example));
    }
    std::ranges::sort(examples, {}, [](const Example& e) { return std::pair(e.order, e.id); });
    return examples;
}

Result<Example> find_example(const std::vector<Example>& examples, std::string_view id) {
    const auto found = std::ranges::find(examples, id, &Example::id);
    if (found != examples.end()) return *found;
    const auto ids =
        fmt::format("{}", fmt::join(std::views::transform(examples, &Example::id), ", "));
    return fail(worded("there is no example \"{}\"; there are {}", id, ids));
}

Result<Document> open_example(const Example& example) {
    Document d = std::holds_alternative<Document>(example.source)
                     ? std::get<Document>(example.source)
                     : generate_activations(std::get<ActivationRecipe>(example.source));
    d.title = example.title;
    if (!example.weights.empty()) {
        const auto file = open_safetensors(example.weights);
        if (!file) return tl::unexpected(file.error());
        auto weights = read_file_weights(*file, d.transformer.config);
        if (!weights) return tl::unexpected(weights.error());
        return apply(d, TakeWeights{std::make_shared<const FileWeights>(std::move(*weights))});
    }
    if (const auto ok = check(d); !ok) return tl::unexpected(ok.error());
    return d;
}

} // namespace normscope
