#pragma once
#include "app/model/document.h"

#include <string>
#include <variant>

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

using TransformerEdit = std::variant<SetTransformer, TakeOut, SetWords, Decode, TakeWeights>;

} // namespace normscope
