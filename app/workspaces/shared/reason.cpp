#include "app/workspaces/shared/reason.h"

namespace normscope {

std::string words_of(const Ui& ui, const NotANumber& why) {
    return ui.state.picture ? why.cause + "." : why.cause + ". " + why.way_out;
}

} // namespace normscope
