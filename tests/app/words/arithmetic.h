#pragma once
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

// A student with a calculator: reads the arithmetic of a worked line as printed and works it out.
namespace normscope::testing {

class Arithmetic {
  public:
    explicit Arithmetic(const std::string& text) : text_(plain(text)) {}

    static long double value(const std::string& text) {
        Arithmetic a(text);
        const long double v = a.sum();
        if (a.at_ != a.text_.size()) throw std::runtime_error("cannot read: " + text);
        return v;
    }

  private:
    std::string text_;
    std::size_t at_ = 0;

    // ASCII without spaces; a sign directly after an operator stays a sign.
    static std::string plain(std::string text) {
        const std::pair<const char*, const char*> table[] = {{"−", "-"}, {"·", "*"},   {"√", "r"},
                                                             {"∞", "i"}, {"NaN", "n"}, {" ", ""}};
        for (const auto& [from, to] : table)
            for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos;)
                text.replace(i, std::string(from).size(), to);
        return text;
    }

    char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    long double sum() {
        long double v = product();
        while (peek() == '+' || peek() == '-') {
            const char op = text_[at_++];
            const long double w = product();
            v = op == '+' ? v + w : v - w;
        }
        return v;
    }
    long double product() {
        long double v = factor();
        while (peek() == '*' || peek() == '/') {
            const char op = text_[at_++];
            const long double w = factor();
            v = op == '*' ? v * w : v / w;
        }
        return v;
    }
    long double factor() {
        switch (peek()) {
        case '-':
            ++at_;
            return -factor();
        case 'r':
            ++at_;
            return std::sqrt(factor());
        case 'i':
            ++at_;
            return std::numeric_limits<long double>::infinity();
        case 'n':
            ++at_;
            return std::numeric_limits<long double>::quiet_NaN();
        case '(': {
            ++at_;
            const long double v = sum();
            if (peek() != ')') throw std::runtime_error("no ) in " + text_);
            ++at_;
            return v;
        }
        default: {
            std::size_t used = 0;
            const long double v = std::stold(text_.substr(at_), &used);
            at_ += used;
            return v;
        }
        }
    }
};

} // namespace normscope::testing
