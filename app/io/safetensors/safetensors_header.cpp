#include "app/io/safetensors/safetensors.h"

#include "app/io/json_reader.h"
#include "app/io/safetensors/element_type.h"
#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace normscope {

namespace {

// Types of the format that are not read.
struct OtherType {
    std::string_view name;
    std::uint64_t bits;
};
constexpr OtherType k_other_types[] = {
    {"C64", 64},        {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8}, {"F6_E2M3", 6}, {"F6_E3M2", 6}, {"F4", 4},
};

std::optional<std::uint64_t> bits_of(std::string_view dtype) {
    for (const ElementType& type : element_types())
        if (type.safetensors == dtype) return 8 * type.bytes;
    for (const OtherType& type : k_other_types)
        if (type.name == dtype) return type.bits;
    return std::nullopt;
}

std::uint64_t read_count(const JsonPlace& at) {
    if (!at.json.is_number_unsigned()) at.expected("a whole number from 0 up");
    return at.json.get<std::uint64_t>();
}

Index read_side(const JsonPlace& at) {
    return read_integer(at, 0, std::numeric_limits<Index>::max());
}

TensorEntry read_tensor(const std::string& name, const JsonPlace& at) {
    constexpr std::string_view k_keys[] = {"dtype", "shape", "data_offsets"};
    const auto is_known = [&](std::string_view key) { return at.find(key).has_value(); };
    if (!at.json.is_object() || at.json.size() != 3 || !std::ranges::all_of(k_keys, is_known))
        at.expected(worded("an object with dtype, shape and data_offsets"));
    const auto offsets = list_of(read_count)(*at.find("data_offsets"));
    if (offsets.size() != 2) at.find("data_offsets")->expected("a list of two whole numbers");
    return {name, read_string(*at.find("dtype")), list_of(read_side)(*at.find("shape")), offsets[0],
            offsets[1]};
}

Safetensors read_entries(const JsonPlace& header) {
    Safetensors out;
    out.file_name = header.file;
    if (!header.json.is_object()) header.expected("an object in braces");
    for (const auto& [name, json] : header.json.items()) {
        const JsonPlace at = *header.find(name);
        if (name != k_metadata_key) {
            out.tensors.push_back(read_tensor(name, at));
            continue;
        }
        if (!json.is_object()) at.expected("an object in braces");
        for (const auto& [key, text] : json.items()) out.metadata[key] = read_string(*at.find(key));
    }
    return out;
}

// Bytes that a shape takes; none: they are more than 64 bits can count.
std::optional<std::uint64_t> bits_needed(const TensorEntry& tensor, std::uint64_t bits) {
    for (const Index side : tensor.shape)
        if (__builtin_mul_overflow(bits, static_cast<std::uint64_t>(side), &bits))
            return std::nullopt;
    return bits;
}

// The fault of a tensor that should begin at `begin`; empty: there is none.
std::string problem_of(const TensorEntry& tensor, std::uint64_t begin) {
    const auto bits = bits_of(tensor.dtype);
    if (!bits)
        return worded("the type {} is not known: expected one of the format, such as F32",
                      quote_for_message(tensor.dtype));
    if (tensor.begin != begin)
        return worded(
            "data_offsets are {} and {}: expected the first to be {}, where the tensor before ends",
            tensor.begin, tensor.end, begin);
    if (tensor.end < tensor.begin)
        return worded("data_offsets are {} and {}: expected the second not to be smaller",
                      tensor.begin, tensor.end);
    const auto needed = bits_needed(tensor, *bits);
    if (needed && *needed % 8 == 0 && *needed / 8 == tensor.end - tensor.begin) return {};
    const std::string length = !needed            ? worded("more bytes")
                               : *needed % 8 == 0 ? worded("{} bytes", *needed / 8)
                                                  : worded("{} bits", *needed);
    return worded("data_offsets are {} and {}: expected {} between them for the shape {} of {}",
                  tensor.begin, tensor.end, length, describe_shape(tensor.shape), tensor.dtype);
}

} // namespace

Result<Safetensors> read_safetensors_header(std::string_view json, std::uint64_t size,
                                            const std::string& file_name) {
    Safetensors file = TRY(read_json(json, file_name, read_entries));
    std::vector<TensorEntry>& tensors = file.tensors;
    std::ranges::sort(tensors, {}, [](const TensorEntry& t) { return std::pair(t.begin, t.end); });
    std::uint64_t end = 0;
    for (const TensorEntry& tensor : tensors) {
        if (const std::string problem = problem_of(tensor, end); !problem.empty())
            return fail("{}: tensor {}: {}.", file_name, quote_name(tensor.name), problem);
        end = tensor.end;
    }
    if (end > size)
        return fail("{}: the file is cut off: {} bytes of the tensors are missing: download "
                    "or copy it again.",
                    file_name, end - size);
    if (end < size)
        return fail("{}: {} bytes follow the last tensor: expected the file to end with it.",
                    file_name, size - end);
    std::ranges::sort(tensors, {}, &TensorEntry::name);
    return file;
}

} // namespace normscope
