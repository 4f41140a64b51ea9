#pragma once
#include "core/base/result.h"

#include <fmt/core.h>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

// The program's words are English in its source. A label is looked up where it becomes a Text, a
// lesson's text where it is read; a sentence with values is made by worded(). A sentence without a
// translation is said in English. Ids and files do not depend on the language.
namespace normscope {

struct Catalogue;

struct Language {
    std::string_view id, name; // "de", "Deutsch"
};

// English comes first; each other language has a catalogue in assets/languages.
std::span<const Language> languages();

// The language of the environment, LC_ALL before LC_MESSAGES before LANG, if the program speaks it;
// else English.
const Language& system_language();

// Every thread says the catalogue's words from now on; null: English ones. The catalogue is never
// freed: views of its words may be anywhere.
void speak(const Catalogue* catalogue);

// The words in the language that is spoken, or themselves.
std::string_view tr(std::string_view english);

// Words that mean something else elsewhere: each of their contexts has a translation of its own.
std::string_view tr(std::string_view english, std::string_view context);

// Words to be drawn: the program's own in the language that is spoken, or typed ones, letter by
// letter as they are.
class Text {
  public:
    Text() = default;
    Text(const char* own) : words_(tr(own)) {}
    Text(std::string_view own) : words_(tr(own)) {}
    Text(const std::string& own) : words_(tr(own)) {}

    // A text without translation: typed by a person, or part of a sentence in its language already.
    static Text typed(std::string_view words) {
        Text text;
        text.words_ = words;
        return text;
    }

    std::string_view view() const { return words_; }
    bool empty() const { return words_.empty(); }

  private:
    std::string_view words_;
};

// While it lives, tr() and worded() say English in this thread: a name that a session keeps is
// English in every language.
class InEnglish {
  public:
    InEnglish();
    ~InEnglish();
    InEnglish(const InEnglish&) = delete;
    InEnglish& operator=(const InEnglish&) = delete;
};

// A value of a sentence: views and literals are the program's own words and are looked up; a string
// may be what a person typed and stays.
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

// A sentence that is kept, to be said by error_text() in whatever language is spoken then.
using Wording = Error;

template<class... T>
Wording wording(fmt::format_string<const T&...> pattern, const T&... values) {
    return error_of(pattern, values...);
}

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
