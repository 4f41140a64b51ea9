#pragma once
#include "app/io/file.h"
#include "core/base/matrix.h"
#include "core/base/named_tensor.h"
#include "core/base/result.h"
#include "core/transformer/transformer_config.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Named tensors in a .safetensors file (huggingface/safetensors): eight bytes that say how long the
// header is, the header as JSON, and the values, one tensor after the other.
namespace normscope {

template<class S>
struct Transformer;

// A tensor as the header describes it.
struct TensorEntry {
    std::string name;
    std::string dtype;                // "F32", "BF16", …
    std::vector<Index> shape;         // empty: one number
    std::uint64_t begin = 0, end = 0; // in the bytes that follow the header
    std::string stored = {};          // the name in the file, where `name` is read for another
};

using TextByKey = std::map<std::string, std::string>;

// A file with its header read and checked: the tensors as the header describes them fit the bytes
// that are there.
struct Safetensors {
    std::string file_name;
    std::vector<TensorEntry> tensors; // by name
    TextByKey metadata;               // what stands under "__metadata__"
    Parts bytes;                      // of all of it
    std::uint64_t data_begin = 0;     // where the header ends

    // Null: there is none of this name.
    const TensorEntry* find(std::string_view name) const;
    // Whether the name of a tensor begins so.
    bool holds(std::string_view prefix) const;
};

// The header alone; the values are read when they are asked for. Errors begin with `file_name`; a
// file of another program is named for what it is.
Result<Safetensors> read_safetensors(Parts bytes, const std::string& file_name);
Result<Safetensors> open_safetensors(const std::filesystem::path& path);

// For a message: a tensor's name in quotation marks, and its shape as "[2, 3]".
std::string quote_name(std::string_view name);
std::string quote_name(const TensorEntry& tensor); // as it stands in the file
std::string describe_shape(const std::vector<Index>& shape);

// A tensor's values, row after row. Errors: a type of value that is not read; what the disk says.
template<class S>
Result<Vector<S>> tensor_values(const Safetensors& file, const TensorEntry& tensor);

// The bytes of a file: F32 or F64, the tensors by name, the header padded so that the values begin
// at a multiple of 8. No two tensors have one name, which is UTF-8.
template<class S>
std::string write_safetensors(std::vector<NamedTensor<const S>> tensors,
                              const TextByKey& metadata = {});

inline constexpr std::string_view k_metadata_key = "__metadata__";
inline constexpr std::size_t k_length_bytes = 8;           // before the header
inline constexpr std::uint64_t k_max_header = 100'000'000; // bytes

// The JSON of a header, checked against the `size` of all that follows it: the tensors lie without
// a gap or an overlap, and each is as long as its shape and type say. Errors begin with
// `file_name`.
Result<Safetensors> read_safetensors_header(std::string_view json, std::uint64_t size,
                                            const std::string& file_name);

// A file whose tensors have the names of torch.nn.Transformer (core/transformer/named_tensors.h).
struct NamedWeights {
    Safetensors file;
    std::optional<Positions> positions; // of a table that the file has; none: it has none
    std::vector<std::string> notes;     // what was renamed or set aside, a sentence's end each
};

// Takes off what wrappers put before a name, reads the names that people give tables, heads and
// stacks as those above, adds the tensors that "__metadata__" names as aliases of others, and sets
// buffers aside. A table of positions that is the sinusoidal one is set aside too. Errors: the
// names of another model; two tensors of one name; names in capitals.
Result<NamedWeights> name_weights(Safetensors file);

// A table of positions, a side's.
inline bool is_position(const TensorEntry& tensor) {
    return tensor.name == "src_pos.weight" || tensor.name == "tgt_pos.weight";
}

// Whether there are tables for words. Layers alone read a matrix.
bool has_tables(const Safetensors& weights);

// D of the layers of name_weights(); 0: there are none.
Index layer_width(const Safetensors& weights);

// The weights of a Transformer under the names of name_weights().
// The stacks, their layers, sizes and final norms follow from the tensors; `said` gives the
// settings that no tensor tells: heads, norm, placement, positions … An encoder's layers are read
// as a decoder's where `said` asks for a decoder alone. Words have an embedding for each side and a
// head of their own, which are 0 where the file has no tables. Learned positions are the first
// `said.longest` that there are. Biases of one kind may all be missing: they are 0. Errors: a
// tensor that is missing, one that has no use, and one of another shape, with the shape that was
// expected; a value that is not finite; those of check_config.
template<class S>
Result<Transformer<S>> read_transformer(Safetensors weights, TransformerConfig said,
                                        int threads = 1);

// The bytes of a file with every weight, and what no tensor says.
template<class S>
std::string write_transformer(const Transformer<S>& model, TextByKey metadata = {});

} // namespace normscope
