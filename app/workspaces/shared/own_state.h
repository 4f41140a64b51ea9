#pragma once
#include <algorithm>
#include <any>
#include <map>
#include <typeindex>

namespace normscope {

// What each workspace adds to a value that all share, which knows no workspace: one T of every type
// that is asked for, default-made until it is changed. Copied and compared as a value.
class OwnState {
  public:
    template<class T>
    T& of() {
        Part& part = parts_[typeid(T)];
        if (!part.value.has_value()) part = {T{}, same<T>};
        return *std::any_cast<T>(&part.value);
    }
    template<class T>
    const T& of() const {
        static const T unchanged{};
        const auto found = parts_.find(typeid(T));
        return found == parts_.end() ? unchanged : *std::any_cast<T>(&found->second.value);
    }

    friend bool operator==(const OwnState& a, const OwnState& b) {
        return a.agrees_with(b) && b.agrees_with(a);
    }

  private:
    struct Part {
        std::any value;
        bool (*same)(const OwnState&, const OwnState&) = nullptr; // in this part
    };
    template<class T>
    static bool same(const OwnState& a, const OwnState& b) {
        return a.of<T>() == b.of<T>();
    }
    bool agrees_with(const OwnState& other) const {
        return std::ranges::all_of(
            parts_, [&](const auto& part) { return part.second.same(*this, other); });
    }

    std::map<std::type_index, Part> parts_;
};

} // namespace normscope
