#include "core/train/tasks.h"

#include "core/base/printable.h"
#include "core/base/random.h"
#include "core/transformer/transformer.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace normscope {
namespace {

Result<std::vector<std::string_view>> split_characters(std::string_view text) {
    std::vector<std::string_view> out;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t bytes = first_character(text.substr(at)).bytes;
        if (bytes == 0) return fail("the text is not UTF-8 at byte {}: save it as UTF-8", at + 1);
        const std::string_view character = text.substr(at, bytes);
        const bool byte_order_mark = at == 0 && character == "\xef\xbb\xbf";
        if (character != "\r" && !byte_order_mark) out.push_back(character);
        at += bytes;
    }
    return out;
}

void take_window(const std::vector<Index>& ids, std::size_t at, std::size_t context,
                 Sentence& out) {
    const auto begin = ids.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(context);
    out.target.assign(begin, end);
    out.labels.assign(begin + 1, end + 1);
}

// The index at which the running sum of softmax(logits/τ) exceeds `share`.
Index drawn(const Matrix<float>& logits, Index row, double temperature, double share) {
    const double top = static_cast<double>(logits.row(row).maxCoeff());
    Vector<double> weights(logits.cols());
    for (Index i = 0; i < weights.size(); ++i)
        weights(i) = std::exp((static_cast<double>(logits(row, i)) - top) / temperature);
    double left = share * weights.sum();
    Index i = 0;
    while (i + 1 < weights.size() && left >= weights(i)) left -= weights(i++);
    return i;
}

} // namespace

Result<TextData> read_text(std::string_view text, Index context) {
    const auto characters = TRY(split_characters(text));
    std::map<std::string_view, Index> ids;
    for (const std::string_view character : characters) ids.emplace(character, 0);
    TextData out;
    for (auto& [character, id] : ids) {
        id = std::ssize(out.characters);
        out.characters.emplace_back(character);
    }
    if (out.characters.size() < 2)
        return fail("the text needs at least two different characters; it has {}",
                    out.characters.size());
    const std::size_t tests = characters.size() / 10;
    if (tests < static_cast<std::size_t>(context) + 1)
        return fail("the text has {} characters; with a context of {} it needs at least {}: take a "
                    "longer text or a shorter context",
                    characters.size(), context, 10 * (context + 1));
    for (const std::string_view character : characters)
        (out.train.size() + tests < characters.size() ? out.train : out.test)
            .push_back(ids[character]);
    return out;
}

void draw_windows(const std::vector<Index>& ids, Index context, Index windows, std::uint64_t seed,
                  std::uint64_t stream, Batch& out) {
    Random random = random_stream(seed, stream);
    const auto length = static_cast<std::size_t>(context);
    out.resize(static_cast<std::size_t>(windows));
    for (Sentence& sentence : out)
        take_window(ids, random.below(ids.size() - length), length, sentence);
}

Batch all_windows(const std::vector<Index>& ids, Index context, Index most) {
    const auto length = static_cast<std::size_t>(context);
    Batch out;
    for (std::size_t at = 0; at + length < ids.size() && std::ssize(out) < most; at += length)
        take_window(ids, at, length, out.emplace_back());
    return out;
}

Result<std::vector<Index>> write_text(const Transformer<float>& model,
                                      const std::vector<Index>& start,
                                      const WriteOptions& options) {
    Random random(options.seed);
    std::vector<Index> all = start;
    Batch batch(1);
    TransformerForward<float> forward;
    for (Index i = 0; i < options.characters; ++i) {
        const auto read = static_cast<std::ptrdiff_t>(
            std::min<std::size_t>(all.size(), static_cast<std::size_t>(options.context)));
        batch[0].target.assign(all.end() - read, all.end());
        TRY(transformer_forward_into(model, batch, forward));
        all.push_back(drawn(forward.logits, read - 1, options.temperature, random.uniform()));
    }
    return std::vector<Index>(all.begin() + static_cast<std::ptrdiff_t>(start.size()), all.end());
}

} // namespace normscope
