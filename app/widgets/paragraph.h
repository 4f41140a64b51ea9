#pragma once
#include "app/widgets/ui.h"
#include "core/base/result.h"

#include <functional>
#include <string>

namespace normscope {

// Calls line(text) for every line of the words wrapped to `width`.
void wrapped(const Ui& ui, float width, std::string_view words, TextRole role,
             const std::function<void(const std::string&)>& line);

// Words wrapped to the width of `r`; returns the height they took.
float paragraph(Ui& ui, Rect r, std::string_view words, TextRole role, Color color);

// The height that paragraph() takes in that width.
float paragraph_height(const Ui& ui, float width, std::string_view words, TextRole role);

// What a library says of an error, as a sentence of its own: with a capital and a full stop.
std::string sentence(const Error& error);

} // namespace normscope
