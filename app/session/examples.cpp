#include "app/session/examples.h"

#include "app/language/language.h"
#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "app/session/weights_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <limits>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Result<std::vector<Index>> read_indices(const JsonPlace& place, Index end) {
    if (!place.json.is_array()) return place.expected("a list of feature numbers");
    std::vector<Index> out;
    for (std::size_t i = 0; i < place.json.size(); ++i) {
        const auto index = read_integer(place.at(i), 0, end - 1);
        if (!index) return tl::unexpected(index.error());
        out.push_back(static_cast<Index>(*index));
    }
    return out;
}

Result<ActivationRecipe> read_activations(const JsonPlace& place) {
    if (auto ok = check_keys(
            place, {"kind", "tokens", "features", "seed", "outlier_features", "outlier_scale"});
        !ok)
        return tl::unexpected(ok.error());
    ActivationRecipe recipe;
    const auto count = [](Index most) {
        return [=](const JsonPlace& at) { return read_integer(at, 1, most); };
    };
    const auto seed = [](const JsonPlace& at) {
        return read_integer(at, 0, std::numeric_limits<std::int64_t>::max());
    };
    for (const auto& ok :
         {read_optional(place, "tokens", recipe.tokens, count(k_max_tokens)),
          read_optional(place, "features", recipe.features, count(k_max_features)),
          read_optional(place, "outlier_scale", recipe.outlier_scale, read_number)})
        if (!ok) return tl::unexpected(ok.error());
    std::int64_t seed_value = 0;
    if (auto ok = read_optional(place, "seed", seed_value, seed); !ok)
        return tl::unexpected(ok.error());
    recipe.seed = static_cast<std::uint64_t>(seed_value);
    const auto indices = [&](const JsonPlace& at) { return read_indices(at, recipe.features); };
    if (auto ok = read_optional(place, "outlier_features", recipe.outlier_features, indices); !ok)
        return tl::unexpected(ok.error());
    return recipe;
}

Result<ActivationRecipe> read_generator(const JsonPlace& place) {
    if (!place.json.is_object()) return place.expected("an object in braces");
    const auto kind = place.find("kind");
    if (!kind) return place.wrong("\"kind\" is missing; expected \"activations\"");
    if (kind->json != "activations") return kind->expected("\"activations\"");
    return read_activations(place);
}

Result<std::string> read_bytes(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return fail(path.string() + worded(": cannot be opened"));
    std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (in.bad()) return fail(path.string() + worded(": cannot be read"));
    return bytes;
}

} // namespace

Result<Example> read_example(std::string_view bytes, const std::string& file) {
    const auto json = parse_json(bytes, file);
    if (!json) return tl::unexpected(json.error());
    const JsonPlace place{*json, file};
    if (auto ok = check_keys(place, {"id", "title", "about", "order", "token", "workspace",
                                     "weights", "document", "generator"});
        !ok)
        return tl::unexpected(ok.error());
    Example out;
    for (const char* key : {"id", "title", "about"})
        if (!place.find(key)) return place.wrong(fmt::format("\"{}\" is missing", key));
    const auto small_integer = [](const JsonPlace& at) {
        return read_integer(at, 0, 1'000'000).map([](std::int64_t v) {
            return static_cast<int>(v);
        });
    };
    const auto read_beside = [&](const JsonPlace& at) {
        return read_string(at).map(
            [&](const std::string& name) { return fs::path(file).parent_path() / name; });
    };
    for (const auto& ok : {read_optional(place, "id", out.id, read_string),
                           read_optional(place, "title", out.title, read_string),
                           read_optional(place, "about", out.about, read_string),
                           read_optional(place, "order", out.order, small_integer),
                           read_optional(place, "token", out.token, small_integer),
                           read_optional(place, "workspace", out.workspace, read_string),
                           read_optional(place, "weights", out.weights, read_beside)})
        if (!ok) return tl::unexpected(ok.error());
    if (out.id.empty()) return place.wrong("\"id\" is empty");

    const auto document = place.find("document");
    const auto generator = place.find("generator");
    if (document.has_value() == generator.has_value())
        return place.wrong("expected either \"document\" or \"generator\"");
    if (document) {
        auto value = read_document(*document);
        if (!value) return tl::unexpected(value.error());
        out.source = std::move(*value);
    } else {
        auto recipe = read_generator(*generator);
        if (!recipe) return tl::unexpected(recipe.error());
        out.source = std::move(*recipe);
    }
    return out;
}

Result<std::vector<Example>> load_examples(const fs::path& folder) {
    std::error_code code;
    std::vector<fs::path> paths;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (it->path().extension() == ".json") paths.push_back(it->path());
    if (code)
        return fail(folder.string() + worded(": the folder of examples cannot be read: ") +
                    code.message());
    if (paths.empty())
        return fail(folder.string() + worded(": no example (*.json) is in this folder"));
    std::sort(paths.begin(), paths.end());

    std::vector<Example> examples;
    for (const fs::path& path : paths) {
        const auto bytes = read_bytes(path);
        if (!bytes) return tl::unexpected(bytes.error());
        auto example = read_example(*bytes, path.string());
        if (!example) return tl::unexpected(example.error());
        for (const Example& other : examples)
            if (other.id == example->id)
                return fail(worded("{}: the id \"{}\" is taken by another file of this folder; "
                                   "give it one of its own",
                                   path.string(), other.id));
        examples.push_back(std::move(*example));
    }
    std::stable_sort(examples.begin(), examples.end(), [](const Example& a, const Example& b) {
        return a.order != b.order ? a.order < b.order : a.id < b.id;
    });
    return examples;
}

Result<Example> find_example(const std::vector<Example>& examples, std::string_view id) {
    std::string ids;
    for (const Example& example : examples) {
        if (example.id == id) return example;
        ids += (ids.empty() ? "" : ", ") + example.id;
    }
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
