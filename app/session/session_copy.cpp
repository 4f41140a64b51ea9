#include "app/session/session_copy.h"

#include "app/session/json_reader.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace normscope {

namespace {

constexpr std::string_view k_mark = "NScopy1\n";
constexpr std::size_t k_word = 8;
constexpr std::size_t k_read_for_its_name = 1 << 20; // bytes of a session; more would take long
constexpr std::size_t k_gathered = 1 << 16;          // bytes that are appended at once
constexpr std::array k_inputs{Input::x, Input::f, Input::dy, Input::target};

struct Run {
    std::uint32_t first = 0, count = 0;
};

using Runs = std::vector<Run>;

// Where `now` has other bits than `before`, or than 0 where that is of another size.
Runs changed_runs(const Matrix<double>* before, const Matrix<double>& now) {
    if (before && (before->rows() != now.rows() || before->cols() != now.cols())) before = nullptr;
    Runs runs;
    const auto size = static_cast<std::uint32_t>(now.size());
    for (std::uint32_t i = 0; i < size; ++i) {
        const double was = before ? before->data()[i] : 0;
        if (std::bit_cast<std::uint64_t>(was) == std::bit_cast<std::uint64_t>(now.data()[i]))
            continue;
        if (runs.empty() || runs.back().first + runs.back().count != i) runs.push_back({i, 0});
        ++runs.back().count;
    }
    return runs;
}

std::size_t values_in(const Runs& runs) {
    std::size_t values = 0;
    for (const Run& run : runs) values += run.count;
    return values;
}

constexpr std::uint64_t k_no_words = 0xcbf29ce484222325ull; // their checksum

// The checksum goes on from `sum`. It takes 8 bytes at a time, so that half a gigabyte takes no
// time; FNV-1a's numbers.
std::uint64_t checksum(std::string_view words, std::uint64_t sum = k_no_words) {
    for (std::size_t at = 0; at < words.size(); at += k_word) {
        std::uint64_t word = 0;
        std::memcpy(&word, words.data() + at, k_word);
        sum = (sum ^ word) * 0x100000001b3ull;
        sum ^= sum >> 29;
    }
    return sum;
}

template<class T>
std::string_view bytes_of(const T* values, std::size_t count) {
    return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

// Appends small pieces together.
struct Appender {
    const std::function<void(std::string_view)>& append;
    std::string gathered = {};
    std::uint64_t sum = k_no_words; // the checksum of what came since it was last begun anew

    void bytes(std::string_view piece) {
        sum = checksum(piece, sum);
        if (gathered.size() + piece.size() > k_gathered) flush();
        if (piece.size() > k_gathered)
            append(piece);
        else
            gathered += piece;
    }
    void number(std::uint64_t value) { bytes(bytes_of(&value, 1)); }
    void flush() {
        if (!gathered.empty()) append(std::exchange(gathered, {}));
    }
};

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
};

struct Record {
    std::string_view payload;
    std::uint64_t sum; // that it should have
};

// The record that begins here. None: it is torn, or not there.
std::optional<Record> take_record(Taker& from) {
    if (from.bytes(k_mark.size()) != k_mark) return std::nullopt;
    const auto size = from.number();
    if (!size || *size % k_word != 0) return std::nullopt;
    const auto payload = from.bytes(*size);
    const auto sum = from.number();
    return payload && sum ? std::optional(Record{*payload, *sum}) : std::nullopt;
}

// Or is a session, as copies of earlier versions were.
bool has_records(std::string_view bytes) {
    return bytes.empty() || bytes.front() == k_mark.front();
}

// A copy may be damaged: a member of a wrong type leaves the others.
CopyHead head_of_json(std::string_view bytes) {
    CopyHead head;
    const auto json = parse_json(bytes, "");
    if (!json) return head;
    take_kept(*json, "title", head.title);
    take_kept(*json, "file", head.file);
    take_kept(*json, "saved", head.saved);
    return head;
}

std::optional<std::string_view> take_json(Taker& from) {
    const auto size = from.number();
    return size ? from.bytes(*size) : std::nullopt;
}

// What a record says of a matrix.
struct MatrixChange {
    Index rows = 0, cols = 0;
    Runs runs;
    std::string_view values;
};

std::optional<MatrixChange> take_change(Taker& from) {
    const auto rows = from.number(), cols = from.number(), count = from.number();
    if (!rows || !cols || !count) return std::nullopt;
    if (*rows > static_cast<std::uint64_t>(k_max_tokens) ||
        *cols > static_cast<std::uint64_t>(k_max_features) || *count > *rows * *cols)
        return std::nullopt;
    MatrixChange change{static_cast<Index>(*rows), static_cast<Index>(*cols), {}, {}};
    const auto runs = from.bytes(*count * sizeof(Run));
    if (!runs) return std::nullopt;
    change.runs.resize(static_cast<std::size_t>(*count));
    if (!runs->empty()) std::memcpy(change.runs.data(), runs->data(), runs->size());
    for (const Run& run : change.runs)
        if (std::uint64_t{run.first} + run.count > *rows * *cols) return std::nullopt;
    const auto values = from.bytes(values_in(change.runs) * sizeof(double));
    if (!values) return std::nullopt;
    change.values = *values;
    return change;
}

void apply_change(const MatrixChange& change, Matrix<double>& m) {
    if (m.rows() != change.rows || m.cols() != change.cols)
        m = Matrix<double>::Zero(change.rows, change.cols);
    const char* from = change.values.data();
    for (const Run& run : change.runs) {
        std::memcpy(m.data() + run.first, from, run.count * sizeof(double));
        from += run.count * sizeof(double);
    }
}

} // namespace

void append_record(const SessionCopy& now, const Document* before,
                   const std::function<void(std::string_view)>& append) {
    std::string json = write_copy_settings(now);
    json.resize((json.size() + k_word - 1) / k_word * k_word, ' ');
    std::array<Runs, k_inputs.size()> runs;
    std::size_t size = k_word + json.size();
    for (std::size_t i = 0; i < k_inputs.size(); ++i) {
        const Shared<Matrix<double>>& m = now.document.input(k_inputs[i]);
        const Shared<Matrix<double>>* was = before ? &before->input(k_inputs[i]) : nullptr;
        if (!was || !was->is(m)) runs[i] = changed_runs(was ? &**was : nullptr, *m);
        size += 3 * k_word + runs[i].size() * sizeof(Run) + values_in(runs[i]) * sizeof(double);
    }

    Appender out{append};
    out.bytes(k_mark);
    out.number(size);
    out.sum = k_no_words;
    out.number(json.size());
    out.bytes(json);
    for (std::size_t i = 0; i < k_inputs.size(); ++i) {
        const Matrix<double>& m = *now.document.input(k_inputs[i]);
        out.number(static_cast<std::uint64_t>(m.rows()));
        out.number(static_cast<std::uint64_t>(m.cols()));
        out.number(runs[i].size());
        out.bytes(bytes_of(runs[i].data(), runs[i].size()));
        for (const Run& run : runs[i]) out.bytes(bytes_of(m.data() + run.first, run.count));
    }
    out.number(out.sum);
    out.flush();
}

Result<SessionCopy> read_session_copy(std::string_view bytes, const std::string& name,
                                      const Progress& progress) {
    if (!has_records(bytes)) return read_copy_settings(bytes, name, nullptr, progress);
    std::array<Matrix<double>, k_inputs.size()> matrices;
    std::optional<std::string_view> last;
    Taker records{bytes};
    while (const auto record = take_record(records)) {
        const auto share = static_cast<double>(record->payload.data() - bytes.data()) /
                           static_cast<double>(bytes.size());
        TRY(progress.at(share));
        Taker from{record->payload};
        const auto json = take_json(from);
        std::array<std::optional<MatrixChange>, k_inputs.size()> changes;
        bool whole = checksum(record->payload) == record->sum && json;
        for (auto& change : changes)
            if (whole) whole = (change = take_change(from)).has_value();
        if (!whole) break;
        for (std::size_t i = 0; i < k_inputs.size(); ++i) apply_change(*changes[i], matrices[i]);
        last = json;
    }
    if (!last)
        return fail(worded("{}: the copy was not written to its end: nothing can be read", name));
    InputMatrices shared;
    for (std::size_t i = 0; i < k_inputs.size(); ++i) shared[i] = std::move(matrices[i]);
    return read_copy_settings(*last, name, &shared);
}

std::optional<CopyHead> read_copy_head(std::string_view bytes) {
    if (!has_records(bytes))
        return bytes.size() <= k_read_for_its_name ? head_of_json(bytes) : CopyHead{};
    std::optional<std::string_view> last;
    Taker records{bytes};
    while (const auto record = take_record(records)) {
        Taker from{record->payload};
        last = take_json(from);
    }
    return last ? std::optional(head_of_json(*last)) : std::nullopt;
}

} // namespace normscope
