#pragma once
#include "app/model/document.h"

#include <string>

// What a person can do to the Transformer of a document.
namespace normscope {

struct SetTransformer { // describe() names the setting that differs: "Layers → 6"
    TransformerConfig config;
};
struct TakeOut { // or put it back
    TakenOut piece;
    bool out;
};
struct SetWords { // the whole sentence
    SentenceSide side;
    Words words;
};
struct Decode { // so many words; none: the target is given
    std::optional<int> words;
};
// Another Transformer, with its sentences: what is taken out is put back. Null: the same one with
// weights that are drawn.
struct TakeWeights {
    std::shared_ptr<const FileWeights> weights;
};

// As apply() and describe() of edit.h.
Result<Document> apply(const Document& document, const SetTransformer& edit);
Result<Document> apply(const Document& document, const TakeOut& edit);
Result<Document> apply(const Document& document, const SetWords& edit);
Result<Document> apply(const Document& document, const Decode& edit);
Result<Document> apply(const Document& document, const TakeWeights& edit);
std::string describe(const SetTransformer& edit, const Document& before);
std::string describe(const TakeOut& edit, const Document& before);
std::string describe(const SetWords& edit, const Document& before);
std::string describe(const Decode& edit, const Document& before);
std::string describe(const TakeWeights& edit, const Document& before);

} // namespace normscope
