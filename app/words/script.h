#pragma once
#include "app/study/backward/backward.h"

#include <string>

// The document as a program in Python: X, F(X), γ, β and dY with all their digits, and the lines
// that make Z, x̂, Y, dX, dγ and dβ of them, in the document's precision.
namespace normscope {

enum class ScriptFor : std::uint8_t {
    numpy,  // every step as a formula
    pytorch // torch.nn.functional, and autograd for the gradients
};
template<>
inline constexpr std::array<Choice<ScriptFor>, 2> k_choices<ScriptFor>{{
    {ScriptFor::numpy, "numpy", "NumPy"},
    {ScriptFor::pytorch, "pytorch", "PyTorch"},
}};

// A longer document is saved as files rather than copied.
inline constexpr Index k_most_scripted_values = 20000;

// Errors: a document of more values; a norm that refuses it (a batch of one).
Result<std::string> script_of(const Backward& backward, ScriptFor library);

} // namespace normscope
