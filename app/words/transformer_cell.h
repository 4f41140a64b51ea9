#pragma once
#include "app/study/transformer/transformer_study.h"

#include <string>

namespace normscope {

// Where a number of the figure comes from: its formula and its numbers in one line, to four
// significant digits, “Z = X + F(X) = 0.8012 + -0.2799 = 0.5213 → …”.
std::string where_from(const TransformerStudy& study, const Box& box, Index token, Index feature);

// The same of ∂L/∂ of what a box puts out: “∂L/∂Y = skip + sublayer above = 0.0121 + −0.0043 = …”.
std::string gradient_from(const TransformerStudy& study, const Box& box, Index token,
                          Index feature);

} // namespace normscope
