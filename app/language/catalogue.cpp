#include "app/language/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

// What stands in a placeholder's braces. One without a number gets the next, as std::format does.
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

// Where the brace that opens at `open` closes.
std::size_t closing(std::string_view words, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < words.size(); ++i) {
        depth += words[i] == '{' ? 1 : words[i] == '}' ? -1 : 0;
        if (depth == 0) return i;
    }
    return words.npos;
}

class Reader {
  public:
    Reader(std::string_view po, const std::string& file) : rest_(po), file_(file) {}

    Result<ReadCatalogue> run() {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            std::string_view line = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            line = line.substr(0, line.find_last_not_of("\r \t") + 1);
            if (auto ok = take(line); !ok) return tl::unexpected(ok.error());
        }
        end_entry();
        return std::move(out_);
    }

  private:
    Result<void> take(std::string_view line) {
        if (line.empty()) return {};
        if (line.front() == '#') {
            if (into_ == &msgstr_) end_entry();
            if (line.starts_with("#,") && line.find("fuzzy") != line.npos) fuzzy_ = true;
            return {};
        }
        if (line.starts_with("msgid ")) {
            if (into_) end_entry();
            begun_at_ = number_;
            into_ = &msgid_;
            return quoted(line.substr(6));
        }
        if (line.starts_with("msgstr ") && into_ == &msgid_) {
            into_ = &msgstr_;
            return quoted(line.substr(7));
        }
        if (line.front() == '"' && into_) return quoted(line);
        return wrong(
            "expected msgid \"…\", msgstr \"…\" or a text in quotation marks (plural forms "
            "and contexts are not read)");
    }

    Result<void> quoted(std::string_view text) {
        while (text.starts_with(' ')) text.remove_prefix(1);
        if (text.size() < 2 || text.front() != '"' || text.back() != '"')
            return wrong("expected a text in quotation marks");
        text = text.substr(1, text.size() - 2);
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '"') return wrong("a quotation mark in a text is written \\\"");
            if (text[i] != '\\') {
                *into_ += text[i];
                continue;
            }
            constexpr std::string_view k_written = "nt\"\\", k_meant = "\n\t\"\\";
            const std::size_t known = ++i < text.size() ? k_written.find(text[i]) : k_written.npos;
            if (known == k_written.npos)
                return wrong("after a backslash, expected n, t, \" or another one");
            *into_ += k_meant[known];
        }
        return {};
    }

    void end_entry() {
        if (!msgid_.empty() && !msgstr_.empty() && !fuzzy_) check_and_put();
        msgid_.clear();
        msgstr_.clear();
        into_ = nullptr;
        fuzzy_ = false;
    }

    void check_and_put() {
        const auto there = placeholders(msgid_);
        const auto here = placeholders(msgstr_);
        const auto problem = [&](std::string_view what) {
            out_.problems.push_back(
                fmt::format("{}: line {}: “{}”: {}", file_, begun_at_, msgid_, what));
        };
        if (there && (!here || *here != *there))
            return problem(fmt::format("the translation must have the same in braces: {}",
                                       fmt::join(*there, ", ")));
        if (!out_.catalogue.words.try_emplace(msgid_, std::move(msgstr_)).second)
            problem("it is translated twice");
    }

    Result<void> wrong(std::string_view what) const {
        return fail(fmt::format("{}: line {}: {}", file_, number_, what));
    }

    std::string_view rest_;
    const std::string& file_;
    std::string msgid_, msgstr_;
    std::string* into_ = nullptr; // the text that is being read; null: between entries
    bool fuzzy_ = false;
    int number_ = 0, begun_at_ = 0; // lines
    ReadCatalogue out_;
};

} // namespace

std::optional<std::string_view> Catalogue::find(std::string_view english) const {
    const auto found = words.find(english);
    return found == words.end() ? std::nullopt : std::optional<std::string_view>(found->second);
}

Result<ReadCatalogue> read_catalogue(std::string_view po, const std::string& file) {
    return Reader(po, file).run();
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
