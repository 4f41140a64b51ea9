#pragma once
#include "app/layout/folds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace normscope {

// A scene's record of how a workspace is looked at: a view names each of its choices once, and the
// choice is written down, or chosen again.
class Look {
  public:
    static Look that_keeps(std::map<std::string, double>& kept) { return {&kept, kept}; }
    static Look as_kept(std::map<std::string, double> kept) { return {nullptr, std::move(kept)}; }

    // `most`: the last of an enumeration, or the largest number.
    template<class T>
    void operator()(const std::string& key, T& choice, T most) {
        if (writes_)
            (*writes_)[key] = static_cast<double>(choice);
        else if (const auto number = read(key, 0, static_cast<double>(most)))
            choice = static_cast<T>(*number);
    }
    void operator()(const std::string& key, bool& choice) { (*this)(key, choice, true); }
    void operator()(const std::string& key, double& number, double least, double most) {
        if (writes_)
            (*writes_)[key] = number;
        else
            number = read(key, least, most).value_or(number);
    }
    template<class T>
    void operator()(const std::string& key, std::optional<T>& choice, T most) {
        if (writes_) {
            if (choice) (*this)(key, *choice, most);
            return;
        }
        choice.reset();
        if (kept_.contains(key)) (*this)(key, choice.emplace(), most);
    }

  private:
    Look(std::map<std::string, double>* writes, std::map<std::string, double> kept)
        : writes_(writes), kept_(std::move(kept)) {}

    std::optional<double> read(const std::string& key, double least, double most) const {
        const auto found = kept_.find(key);
        if (found == kept_.end() || std::isnan(found->second)) return std::nullopt;
        return std::clamp(found->second, least, most);
    }

    std::map<std::string, double>* writes_; // null: the view is to be as kept
    std::map<std::string, double> kept_;
};

// Writes down, or restores, which folds of a page are open.
inline void keep_folds(Look& look, std::span<const Fold> folds, OpenFolds& now) {
    for (const Fold& fold : folds) {
        bool open = now.has(fold.id);
        look(std::string(fold.id), open);
        if (open)
            now.ids.insert(fold.id);
        else
            now.ids.erase(fold.id);
    }
}

} // namespace normscope
