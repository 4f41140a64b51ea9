#include "app/cli/inputs.h"

#include "app/io/file.h"
#include "app/session/examples.h"

#include <algorithm>
#include <fmt/format.h>
#include <ostream>
#include <utility>

namespace normscope {

namespace {

Result<std::vector<Example>> load_all() {
    const std::filesystem::path assets = TRY(find_assets());
    return load_examples(assets / "examples");
}

CommandResult list_examples(std::ostream& out) {
    const std::vector<Example> examples = TRY(load_all());
    std::size_t widest = 0;
    for (const Example& example : examples) widest = std::max(widest, example.id.size());
    for (const Example& example : examples)
        out << fmt::format("{:<{}}  {}\n", example.id, widest, example.title);
    return {};
}

} // namespace

CommandAction define_examples(CLI::App&) {
    return [](const CommandContext& context) { return list_examples(context.out); };
}

std::string unknown_example(const std::string& id) {
    const Result<std::vector<Example>> examples = load_all();
    if (!examples) return {}; // not the command line's fault; whoever opens it will say so
    const Result<Example> example = find_example(*examples, id);
    return example ? std::string() : example.error().message;
}

Index example_token(const std::string& id) {
    const auto example =
        load_all().and_then([&](const auto& all) { return find_example(all, id); });
    return example ? example->token : 0;
}

Checked<Document> load_example(const std::string& id) {
    const Result<Example> example = find_example(TRY(load_all()), id);
    if (!example) return usage_error("--example: {}", example.error());
    Result<Document> document = open_example(*example);
    if (!document) return fail("{}: {}", id, document.error());
    return std::move(*document);
}

} // namespace normscope
