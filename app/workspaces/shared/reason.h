#pragma once
#include "app/study/backward/not_a_number.h"
#include "app/widgets/ui.h"

#include <string>

namespace normscope {

// Why there is no number, and the way out; in a picture, where nothing can be done, the cause
// alone.
std::string words_of(const Ui& ui, const NotANumber& why);

} // namespace normscope
