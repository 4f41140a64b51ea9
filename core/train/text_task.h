#pragma once
#include "core/transformer/transformer.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// A text as ids of its characters. Characters are those of UTF-8, in the order of their bytes; line
// ends are "\n" alone.
struct TextData {
    std::vector<std::string> characters; // by id
    std::vector<Index> train;            // the first nine tenths of the text
    std::vector<Index> test;             // the rest
};

// Errors: a text that is not UTF-8; one too short for `context` characters and the next one in its
// test; fewer than two different characters.
Result<TextData> read_text(std::string_view text, Index context);

// Windows of `context` characters, each from a random place, with the character that follows each
// of them as its label: what a decoder alone reads. Into `out`, whose memory is written again.
void draw_windows(const std::vector<Index>& ids, Index context, Index windows, std::uint64_t seed,
                  std::uint64_t stream, Batch& out);

// The whole of `ids` in windows one after the other, up to `most` of them.
Batch all_windows(const std::vector<Index>& ids, Index context, Index most);

} // namespace normscope
