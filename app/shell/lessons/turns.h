#pragma once
#include <coroutine>
#include <exception>
#include <utility>

namespace normscope {

// Long work on the thread that draws, cut into turns: a coroutine that rests where it awaits
// k_rest. It may await others of its kind, whose rests are its own. Unfinished work is given up
// when it goes. An aggregate that is made within an await, as in co_await act({…}), GCC 12 destroys
// twice: give it a name before.
class Turns {
  public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;
    struct promise_type {
        Turns* awaited = nullptr;
        std::exception_ptr thrown;

        Turns get_return_object() { return Turns(Handle::from_promise(*this)); }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { thrown = std::current_exception(); }
    };

    Turns(Turns&& other) noexcept : work_(std::exchange(other.work_, nullptr)) {}
    ~Turns() {
        if (work_) work_.destroy();
    }

    // Goes on up to the next rest; false: the work is over. Throws what the work throws.
    bool take_one() {
        if (work_.done()) return false;
        promise_type& own = work_.promise();
        if (own.awaited && own.awaited->take_one()) return true;
        own.awaited = nullptr;
        work_.resume();
        if (own.thrown) std::rethrow_exception(own.thrown);
        return !work_.done();
    }

    // For who awaits it.
    bool await_ready() { return !take_one(); }
    void await_suspend(Handle by) { by.promise().awaited = this; }
    void await_resume() {}

  private:
    explicit Turns(Handle work) : work_(work) {}
    Handle work_;
};

inline constexpr std::suspend_always k_rest;

// All turns, one after the other.
inline void finish(Turns work) {
    while (work.take_one()) {
    }
}

} // namespace normscope
