#pragma once
#include "app/model/document.h"

#include <string>
#include <string_view>

namespace normscope {

// One Add & Norm of a stack, as everything but a document holds it.
struct AddNormPart {
    std::string title;
    Names tokens;
    Matrix<float> x, f; // with λ and α in them, so that Z is the stack's own
    Norm norm;
    Residual residual = Residual::add;
    Affine<float> affine; // a value a feature
    double eps = 1e-5;
    Matrix<float> dy; // ∂L/∂ of its output; empty: there is none
};

// `document` with the X, F(X), γ, β and dY of the part. Errors: what no document may be.
Result<Document> as_document(const Document& document, const AddNormPart& part);

// An Add & Norm that was asked for; `from` is the document that it was made of.
struct OpenedPart {
    Document from;
    std::string name;          // "block 3"
    std::string_view opens_in; // the workspace it is looked at in, by its id
    Result<Document> document;
};

} // namespace normscope
