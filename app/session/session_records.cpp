#include "app/session/session_records.h"

#include "core/base/lists.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace normscope {

namespace {

constexpr std::string_view k_mark = "NScopy1\n";
constexpr std::size_t k_word = 8;

// FNV-1a's numbers, 8 bytes at a time.
std::uint64_t checksum(std::string_view words) {
    std::uint64_t sum = 0xcbf29ce484222325ull;
    for (std::size_t at = 0; at < words.size(); at += k_word) {
        std::uint64_t word = 0;
        std::memcpy(&word, words.data() + at, k_word);
        sum = (sum ^ word) * 0x100000001b3ull;
        sum ^= sum >> 29;
    }
    return sum;
}

// Takes numbers and bytes from the beginning of what is left; none where too few are left.
struct Taker {
    std::string_view left;

    std::optional<std::string_view> bytes(std::uint64_t count) {
        if (count > left.size()) return std::nullopt;
        const std::string_view taken = left.substr(0, static_cast<std::size_t>(count));
        left.remove_prefix(taken.size());
        return taken;
    }
    std::optional<std::uint64_t> number() {
        const auto taken = bytes(k_word);
        if (!taken) return std::nullopt;
        std::uint64_t value = 0;
        std::memcpy(&value, taken->data(), k_word);
        return value;
    }
    std::optional<std::string_view> sized_bytes() {
        const auto size = number();
        return size ? bytes(*size) : std::nullopt;
    }
};

struct Run {
    std::uint32_t first = 0, count = 0;
};

// The changes of a matrix. False: they are not whole.
bool take_matrix(Taker& from, Matrix<double>& m) {
    const auto rows = from.number(), cols = from.number(), count = from.number();
    if (!rows || !cols || !count || *rows > static_cast<std::uint64_t>(k_max_tokens) ||
        *cols > static_cast<std::uint64_t>(k_max_features) || *count > *rows * *cols)
        return false;
    const auto bytes = from.bytes(*count * sizeof(Run));
    if (!bytes) return false;
    std::vector<Run> runs(static_cast<std::size_t>(*count));
    if (!runs.empty()) std::memcpy(runs.data(), bytes->data(), bytes->size());
    if (std::cmp_not_equal(m.rows(), *rows) || std::cmp_not_equal(m.cols(), *cols))
        m = Matrix<double>::Zero(static_cast<Index>(*rows), static_cast<Index>(*cols));
    for (const Run& run : runs) {
        const auto values = from.bytes(run.count * sizeof(double));
        if (!values || std::uint64_t{run.first} + run.count > *rows * *cols) return false;
        std::memcpy(m.data() + run.first, values->data(), values->size());
    }
    return true;
}

} // namespace

bool has_records(std::string_view bytes) {
    return bytes.starts_with(k_mark);
}

std::optional<RecordedSession> read_records(std::string_view bytes) {
    std::array<Matrix<double>, std::tuple_size_v<InputMatrices>> matrices;
    std::optional<RecordedSession> last;
    Taker file{bytes};
    while (file.bytes(k_mark.size()) == k_mark) {
        const auto payload = file.sized_bytes();
        const auto sum = file.number();
        if (!payload || payload->size() % k_word != 0 || sum != checksum(*payload)) break;
        Taker record{*payload};
        const auto settings = record.sized_bytes();
        bool whole = settings.has_value();
        for (auto& m : matrices) whole = whole && take_matrix(record, m);
        if (!whole) break;
        last = RecordedSession{*settings, {}};
    }
    if (last)
        for (const auto i : indices(matrices)) last->matrices[i] = std::move(matrices[i]);
    return last;
}

} // namespace normscope
