#pragma once
#include "app/study/node.h"
#include "app/study/transformer/document_model.h"

#include <memory>
#include <string>
#include <vector>

namespace normscope {

// Which outputs of the decoder move when one word that it reads is another: with the causal mask
// those before it stay, bit for bit.
class Peek {
  public:
    struct Input {
        TransformerSetup setup;
        Index token = 0; // whose word is another
        bool operator==(const Input&) const = default;
    };

    static std::shared_ptr<const Peek> of(const Input& input,
                                          const std::shared_ptr<const Peek>& before);
    static Where where(const Input& input, const Peek* before);
    bool is_of(const Input& input) const { return input_ == input; }
    bool fits(const Input& input) const;

    const std::string& word() const { return word_; } // the other one
    // ‖Δy‖/‖y‖ of each token, of what the head reads; empty where there is nothing to compare.
    const std::vector<double>& moved() const { return moved_; }

  private:
    Input input_;
    std::string word_;
    std::vector<double> moved_;
};

} // namespace normscope
