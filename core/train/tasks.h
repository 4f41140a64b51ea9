#pragma once
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/transformer/sentence.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

template<class S>
struct Transformer;

// Tasks to learn. own: points that a person brings.
enum class Task : std::uint8_t {
    spirals,
    moons,
    circles,
    exclusive_or,
    gaussians,
    reverse,
    copy,
    sort,
    first,
    text,
    own
};
template<>
inline constexpr std::array<Choice<Task>, 11> k_choices<Task>{{
    {Task::spirals, "spirals", "Spirals"},
    {Task::moons, "moons", "Moons"},
    {Task::circles, "circles", "Circles"},
    {Task::exclusive_or, "xor", "XOR"},
    {Task::gaussians, "gaussians", "Gaussians"},
    {Task::reverse, "reverse", "Reverse"},
    {Task::copy, "copy", "Copy"},
    {Task::sort, "sort", "Sort"},
    {Task::first, "first", "First"},
    {Task::text, "text", "Text"},
    {Task::own, "own", "Own points"},
}};

// Kinds of examples: a point with a class, a sentence of symbols, a piece of a text.
enum class TaskKind : std::uint8_t { points, sequences, text };

constexpr TaskKind kind_of(Task task) {
    if (task == Task::text) return TaskKind::text;
    const bool of_points = task < Task::reverse || task == Task::own;
    return of_points ? TaskKind::points : TaskKind::sequences;
}

// Names from a person's table of points.
struct PointNames {
    std::vector<std::string> features; // F
    std::vector<std::string> classes;  // by class
    std::string class_column;          // heading or number of the column of classes
    Index class_at = 0;                // this column's place among all columns

    bool operator==(const PointNames&) const = default;
};

// Each row of x is a point; a class from 0 to class_count − 1 for each.
struct Points {
    Matrix<double> x; // N×F
    std::vector<Index> classes;
    Index class_count = 2;
    PointNames names = {}; // empty for points made by code
};

struct PointData {
    Points train;
    Points test;
};

// A fifth of the points, drawn by the seed, is the test. Every column is brought to mean 0 and
// variance 1 over the points for training; one that is constant there, but for rounding, is 0
// everywhere: nothing is learned of it. Errors:
// fewer than 10 points; fewer than two columns or two classes; a value that is not finite, by its
// place; classes that do not fit.
Result<PointData> split_points(const Points& points, std::uint64_t seed);

// A text as ids of its characters, those of UTF-8 in the order of their bytes; line ends are "\n",
// and a byte-order mark is no character.
struct TextData {
    std::vector<std::string> characters; // by id
    std::vector<Index> train;            // the first nine tenths of the text
    std::vector<Index> test;             // the rest
};

// Errors: a text that is not UTF-8; one too short for `context` characters and the next one in its
// test; fewer than two different characters.
Result<TextData> read_text(std::string_view text, Index context);

// Windows of `context` characters, each from a random place, with the character that follows each
// of them as its label: the input of a decoder alone. Into `out`, whose memory is written again.
void draw_windows(const std::vector<Index>& ids, Index context, Index windows, std::uint64_t seed,
                  std::uint64_t stream, Batch& out);

// The whole of `ids` in windows one after the other, up to `most` of them.
Batch all_windows(const std::vector<Index>& ids, Index context, Index most);

// How a decoder writes: each next character is drawn with the probabilities softmax(logits/τ).
struct WriteOptions {
    Index characters = 80;
    Index context = 32; // how many characters it reads at most
    double temperature = 0.5;
    std::uint64_t seed = 0;
};

// The ids that `model`, in evaluation mode, writes after `start`, not empty. Errors: of its pass.
Result<std::vector<Index>> write_text(const Transformer<float>& model,
                                      const std::vector<Index>& start, const WriteOptions& options);

} // namespace normscope
