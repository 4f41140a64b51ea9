#pragma once
#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace normscope {

// The last values that were made, `Most` of them, each with what it was made of.
template<class Key, class Value, std::size_t Most = 1>
class Memo {
  public:
    // The value for `key`: one that is kept, or make(). Valid while it is kept.
    template<class Make>
    Value& of(const Key& key, Make&& make) {
        const auto found = std::ranges::find(kept_, key, &std::pair<Key, Value>::first);
        if (found != kept_.end()) {
            kept_.splice(kept_.begin(), kept_, found);
        } else {
            kept_.emplace_front(key, make());
            ++made_;
            if (kept_.size() > Most) kept_.pop_back();
        }
        return kept_.front().second;
    }

    int made() const { return made_; }

  private:
    std::list<std::pair<Key, Value>> kept_; // the one asked for last in front
    int made_ = 0;
};

} // namespace normscope
