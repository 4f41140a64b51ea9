#include "app/language/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

// The text in a placeholder's braces. A placeholder without a number gets the next one, as in
// std::format.
std::string numbered(std::string_view inside, int& next) {
    std::string out;
    if (inside.empty() || inside.front() == ':') out = std::to_string(next++);
    while (!inside.empty()) {
        const std::size_t open = inside.find('{');
        out += inside.substr(0, open);
        if (open == inside.npos) break;
        const std::size_t close = std::min(inside.find('}', open), inside.size() - 1);
        out += '{' + numbered(inside.substr(open + 1, close - open - 1), next) + '}';
        inside.remove_prefix(close + 1);
    }
    return out;
}

// The index of the brace that closes the one at `open`; npos: none does.
std::size_t closing(std::string_view words, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < words.size(); ++i) {
        depth += words[i] == '{' ? 1 : words[i] == '}' ? -1 : 0;
        if (depth == 0) return i;
    }
    return words.npos;
}

struct Reader {
    std::string_view rest;
    const std::string& file;
    std::string msgctxt = {}, msgid = {}, msgstr = {};
    std::string* into = nullptr; // the text that is being read; null: between entries
    bool fuzzy = false;
    int number = 0, begun_at = 0; // lines
    ReadCatalogue out = {};

    Result<ReadCatalogue> run() {
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            std::string_view line = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            ++number;
            line = line.substr(0, line.find_last_not_of("\r \t") + 1);
            if (auto ok = take(line); !ok) return tl::unexpected(ok.error());
        }
        end_entry();
        return std::move(out);
    }

    Result<void> take(std::string_view line) {
        if (line.empty()) return {};
        if (line.front() == '#') {
            if (into == &msgstr) end_entry();
            if (line.starts_with("#,") && line.find("fuzzy") != line.npos) fuzzy = true;
            return {};
        }
        if (line.starts_with("msgctxt ")) {
            if (into) end_entry();
            into = &msgctxt;
            return quoted(line.substr(8));
        }
        if (line.starts_with("msgid ")) {
            if (into && into != &msgctxt) end_entry();
            begun_at = number;
            into = &msgid;
            return quoted(line.substr(6));
        }
        if (line.starts_with("msgstr ") && into == &msgid) {
            into = &msgstr;
            return quoted(line.substr(7));
        }
        if (line.front() == '"' && into) return quoted(line);
        return wrong("expected msgid \"…\", msgstr \"…\", msgctxt \"…\" or a text in quotation "
                     "marks (plural "
                     "forms are not read)");
    }

    Result<void> quoted(std::string_view text) {
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (text.size() < 2 || text.front() != '"' || text.back() != '"')
            return wrong("expected a text in quotation marks");
        text = text.substr(1, text.size() - 2);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"') return wrong("a quotation mark in a text is written \\\"");
            if (text[i] != '\\') {
                *into += text[i];
                continue;
            }
            constexpr std::string_view k_written = "nt\"\\", k_meant = "\n\t\"\\";
            const std::size_t known = ++i < text.size() ? k_written.find(text[i]) : k_written.npos;
            if (known == k_written.npos)
                return wrong("after a backslash, expected n, t, \" or another one");
            *into += k_meant[known];
        }
        return {};
    }

    void end_entry() {
        if (!msgid.empty() && !msgstr.empty() && !fuzzy) check_and_put();
        msgctxt.clear();
        msgid.clear();
        msgstr.clear();
        into = nullptr;
        fuzzy = false;
    }

    void check_and_put() {
        const auto there = placeholders(msgid);
        const auto here = placeholders(msgstr);
        const auto problem = [&](std::string_view what) {
            out.problems.push_back(
                fmt::format("{}: line {}: “{}”: {}", file, begun_at, msgid, what));
        };
        if (there && (!here || *here != *there))
            return problem(fmt::format("the translation must have the same in braces: {}",
                                       fmt::join(*there, ", ")));
        if (!out.catalogue.words.try_emplace(key_of(msgctxt, msgid), std::move(msgstr)).second)
            problem("it is translated twice");
    }

    Result<void> wrong(std::string_view what) const {
        return fail(fmt::format("{}: line {}: {}", file, number, what));
    }
};

} // namespace

std::string key_of(std::string_view context, std::string_view english) {
    return context.empty() ? std::string(english) : fmt::format("{}\4{}", context, english);
}

std::optional<std::string_view> Catalogue::find(std::string_view key) const {
    const auto found = words.find(key);
    return found == words.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

Result<ReadCatalogue> read_catalogue(std::string_view po, const std::string& file) {
    return Reader{po, file}.run();
}

std::optional<std::vector<std::string>> placeholders(std::string_view words) {
    std::vector<std::string> all;
    int next = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != '{' && words[i] != '}') continue;
        if (words.substr(i + 1).starts_with(words[i])) { // an escaped one
            ++i;
            continue;
        }
        const std::size_t close = words[i] == '{' ? closing(words, i) : words.npos;
        if (close == words.npos) return std::nullopt;
        all.push_back(numbered(words.substr(i + 1, close - i - 1), next));
        i = close;
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

} // namespace normscope
