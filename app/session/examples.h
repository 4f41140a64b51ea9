#pragma once
#include "app/model/document.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace normscope {

// A matrix like the activations inside a trained model: every feature has its own scale, and in a
// few of them every token is tens of times larger (Dettmers et al. 2022, "LLM.int8()", section 4).
// X and F(X) are the same on every platform, to three decimals: what can be printed is all there
// is.
struct ActivationRecipe {
    Index tokens = 128;
    Index features = 768;
    std::uint64_t seed = 0;
    std::vector<Index> outlier_features; // each below `features`
    double outlier_scale = 40;           // how far their values lie from 0, about
};

// An example as its file describes it. The file holds
//   "id"     names it on the command line
//   "title"  names it in the menu, and the document
//   "kind"   its heading in the menu
//   "about"  one sentence: what to look at
//   "order"  its place in the menu
//   "token"  the one to look at first, from 0; left out: the first
//   "workspace"  the one to look in. Where the document has a part of its own for it, the example
//   is
//            opened as that part alone
//   "look"   how its workspace shows it, {"geometry": 1} say, as in a scene; left out: as usual
//   "weights" of its Transformer: a .safetensors file beside it; left out: drawn from the seed
// and either "document", in the format of a session, or "generator": what to compute it from, e.g.
//   {"kind": "activations", "tokens": 128, "features": 768, "seed": 7, "outlier_features": [11]}
struct Example {
    std::string id;
    std::string title;
    std::string kind;
    std::string about;
    int order = 0;
    int token = 0;                      // the token to look at first
    std::string workspace;              // the one to look in; empty: the one that is open
    std::map<std::string, double> look; // of that workspace; empty: the usual one
    std::string part;              // the key of the workspace's part; empty: the whole document
    std::filesystem::path weights; // of the Transformer; empty: drawn
    std::variant<Document, ActivationRecipe> source;
};

// The example the program opens with when nothing else is asked for.
inline constexpr std::string_view k_default_example = "studying";
inline constexpr std::string_view k_first_example = "three-features";          // of the first start
inline constexpr std::string_view k_first_transformer = "transformer-reverse"; // with either

// Every *.json of a folder, by "order", then by id. To add an example is to add a file.
// Errors name the file, the place in it and what was expected: a folder that cannot be read or has
// no example, a malformed file, an id that two files have.
Result<std::vector<Example>> load_examples(const std::filesystem::path& folder);

// One file's bytes; `file` is what messages call them.
Result<Example> read_example(std::string_view bytes, const std::string& file);

// The example called `id`, or an error that lists the ids.
Result<Example> find_example(const std::vector<Example>& examples, std::string_view id);

// The example's document, generated now if its file says so. Errors: those of its file of weights.
Result<Document> open_example(const Example& example);

// The document that the program begins with: the example's, with a Transformer that has learned
// something.
Result<Document> first_document(const std::vector<Example>& examples,
                                std::string_view id = k_default_example);

} // namespace normscope
