#pragma once
#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace normscope {

// The values asked for last, at most `Most`, each with the key that it was made of.
template<class Key, class Value, std::size_t Most = 1>
class Memo {
  public:
    // The value for `key`: a kept value, or make(). Valid while the value is kept.
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
