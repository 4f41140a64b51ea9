#pragma once
#include "core/base/matrix.h"
#include "core/base/named_tensor.h"
#include "core/base/result.h"
#include "core/transformer/transformer.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Named tensors in a .safetensors file (huggingface/safetensors): eight bytes that say how long the
// header is, the header as JSON, and the values, one tensor after the other.
namespace normscope {

class Mapping;

// What the header says of a tensor.
struct TensorEntry {
    std::string name;
    std::string dtype;                // "F32", "BF16", …
    std::vector<Index> shape;         // empty: one number
    std::uint64_t begin = 0, end = 0; // in the bytes that follow the header
};

using TextByKey = std::map<std::string, std::string>;

// A file of which the header was read and checked: what it says of each tensor fits the bytes that
// are there.
struct Safetensors {
    std::string file_name;
    std::vector<TensorEntry> tensors; // by name
    TextByKey metadata;               // what stands under "__metadata__"
    std::string_view data;            // the bytes that follow the header
    std::shared_ptr<const Mapping> mapping = {};

    // Null: there is none of this name.
    const TensorEntry* find(std::string_view name) const;
};

// The header alone. `bytes` must outlive what comes out. Errors begin with `file_name`; a file of
// another program is named for what it is.
Result<Safetensors> read_safetensors(std::string_view bytes, std::string_view file_name);

// The same of a file, which stays open: the values are read when they are asked for.
Result<Safetensors> open_safetensors(const std::filesystem::path& path);

// For a message: a tensor's name in quotation marks, and its shape as "[2, 3]".
std::string quote_name(std::string_view name);
std::string describe_shape(const std::vector<Index>& shape);

// A tensor's values, row after row. Error: a type of value that is not read.
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

// The JSON of a header, checked against the bytes that follow it: the tensors lie without a gap or
// an overlap, and each is as long as its shape and type say. Errors begin with `file_name`.
Result<Safetensors> read_safetensors_header(std::string_view json, std::string_view data,
                                            const std::string& file_name);

// The weights of a Transformer, under the names and with the shapes of torch.nn.Transformer
// (core/transformer/named_tensors.h).
// Which stacks there are, their layers, sizes and final norms follow from the tensors; of `said`
// counts what no tensor tells: heads, norm, placement, positions … Words have an embedding for each
// side and a head of their own; positions are not learned. Errors: a tensor that is missing, one
// that has no use, and one of another shape, with the shape that was expected; those of
// check_config.
template<class S>
Result<Transformer<S>> read_transformer(const Safetensors& file, TransformerConfig said,
                                        int threads = 1);

// The bytes of a file with every weight, and what no tensor says.
template<class S>
std::string write_transformer(const Transformer<S>& model, TextByKey metadata = {});

} // namespace normscope
