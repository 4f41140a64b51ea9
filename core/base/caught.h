#pragma once
#include "core/base/result.h"

#include <exception>
#include <new>
#include <string>
#include <type_traits>

namespace normscope {

// The words of the exception that is being handled, for a message.
inline Error exception_in_words() {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return error_of(
            "there is not enough memory: close other programs, or use a smaller matrix");
    } catch (const std::exception& e) {
        return error_of("unexpected error: {}", std::string(e.what()));
    } catch (...) {
        return error_of("unexpected error");
    }
}

// The Result that `work` returns; an exception that leaves it is an error in the name of `subject`.
template<class Work>
std::invoke_result_t<Work&> caught(const std::string& subject, Work&& work) {
    try {
        return work();
    } catch (...) {
        return fail("{}: {}", subject, exception_in_words());
    }
}

} // namespace normscope
