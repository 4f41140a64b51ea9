#include "app/shell/frame/followers.h"

namespace normscope {

namespace {

// False: there is nothing to show yet.
template<class T, class Input>
bool keep_up(Follower<T>& follower, const Input& input, Where where, Latest<T>& latest) {
    auto shown = follower.update(input, latest.last(), where);
    const bool fits = shown && shown->fits(input);
    const bool behind = !shown || !shown->is_of(input);
    latest.keep(std::move(shown), behind);
    return fits;
}

} // namespace

bool Followers::update(Needs needs, const Document& document, const Document* began,
                       DrawMemory& memory) {
    const auto where = [&](Index at_once) {
        return document.x->size() <= at_once ? Where::here : Where::on_a_worker;
    };
    bool ready = true;
    if (needs == Needs::backward)
        ready = keep_up(backward_, document, where(k_backward_at_once), memory.backward);
    else
        backward_.rest();
    if (needs == Needs::batch) {
        ready = keep_up(batch_, batch_input(document, began), where(k_batch_at_once),
                        memory.batch_study);
        // The experiment has a panel of its own, which waits for it alone.
        keep_up(small_batches_, document.batch.seed, Where::on_a_worker, memory.small_batches);
    } else {
        batch_.rest();
        small_batches_.rest();
    }
    return ready;
}

bool Followers::computing() const {
    return backward_.computing() || batch_.computing() || small_batches_.computing();
}

bool Followers::slow() const {
    return backward_.slow() || batch_.slow() || small_batches_.slow();
}

std::optional<Error> Followers::take_error() {
    std::optional<Error> error = backward_.take_error();
    if (!error) error = batch_.take_error();
    if (!error) error = small_batches_.take_error();
    return error;
}

bool Followers::just_begun() const {
    return backward_.just_begun() || batch_.just_begun() || small_batches_.just_begun();
}

} // namespace normscope
