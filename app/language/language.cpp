#include "app/language/language.h"

#include "app/language/catalogue.h"
#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <fmt/args.h>

namespace normscope {

namespace {

constexpr Language k_languages[] = {{"en", "English"}, {"de", "Deutsch"}, {"es", "Español"}};

std::atomic<const Catalogue*> spoken = nullptr;
thread_local int in_english = 0; // objects of InEnglish that live

} // namespace

std::span<const Language> languages() {
    return k_languages;
}

const Language& system_language() {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* const value = std::getenv(name);
        if (!value || !*value) continue;
        const std::string_view locale = value; // de_AT.UTF-8@euro
        const auto found = std::ranges::find(
            k_languages, locale.substr(0, locale.find_first_of("_.@")), &Language::id);
        return found == std::end(k_languages) ? k_languages[0] : *found;
    }
    return k_languages[0];
}

void speak(const Catalogue* catalogue) {
    spoken.store(catalogue, std::memory_order_release);
}

InEnglish::InEnglish() {
    ++in_english;
}

InEnglish::~InEnglish() {
    --in_english;
}

std::string_view tr(std::string_view english) {
    if (in_english > 0) return english;
    const Catalogue* const catalogue = spoken.load(std::memory_order_acquire);
    return catalogue ? catalogue->find(english).value_or(english) : english;
}

std::string_view tr(std::string_view english, std::string_view context) {
    const std::string key = key_of(context, english);
    const std::string_view said = tr(key);
    return said == key ? english : said;
}

std::string error_text(const Error& error) {
    if (error.pattern.empty()) return brief(error.message);
    fmt::dynamic_format_arg_store<fmt::format_context> values;
    for (const Error& value : error.values) values.push_back(error_text(value));
    return brief(fmt::vformat(tr(error.pattern), values));
}

} // namespace normscope
