#pragma once
#include "core/base/result.h"

#include <fmt/core.h>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// What the program says is English in its source. A label is looked up where it is drawn
// (charts/canvas.cpp, widgets), a lesson's text where it is read, so that both stay as they are; a
// sentence with numbers in it is made by worded(). A sentence without a translation is said in
// English. Ids, files and undo do not depend on it.
namespace normscope {

class Catalogue;

struct Language {
    std::string_view id, name; // "de", "Deutsch"
};

// English first; the others have a catalogue in assets/languages.
std::span<const Language> languages();

// That of the environment, LC_ALL before LC_MESSAGES before LANG, if it is one of languages(); else
// English.
const Language& system_language();

// What is said from now on, in every thread; null: English. The catalogue outlives the program's
// use of words: it is never freed.
void speak(const Catalogue* catalogue);

// The words in the language that is spoken, or themselves.
std::string_view tr(std::string_view english);

// Of what is put into a sentence: the program's own words are views and literals, what a person
// typed is a string.
template<class T>
decltype(auto) in_language(const T& value) {
    if constexpr (std::is_convertible_v<const T&, std::string_view> &&
                  !std::is_same_v<T, std::string>)
        return tr(value);
    else
        return (value);
}

// The sentence of an error, made again of its pattern.
std::string error_text(const Error& error);

// A sentence as fmt::format() makes it, of the translated pattern. A pattern that comes through
// read_catalogue() takes the same values.
template<class... T>
std::string worded(fmt::format_string<const T&...> pattern, const T&... values) {
    const auto fill = [&](const auto&... said) {
        const fmt::string_view english = pattern;
        return fmt::vformat(tr({english.data(), english.size()}), fmt::make_format_args(said...));
    };
    return fill(in_language(values)...);
}

} // namespace normscope
