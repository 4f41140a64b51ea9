#include "app/io/safetensors/safetensors.h"

#include "app/io/load.h"
#include "app/io/safetensors/element_type.h"
#include "app/io/table.h"
#include "app/io/text.h"
#include "app/io/zip.h"
#include "app/language/language.h"
#include "core/base/caught.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <span>
#include <type_traits>
#include <utility>

namespace normscope {

namespace {

constexpr std::size_t k_value_alignment = 8;

// The error of a file that begins with `head` and is no safetensors file.
tl::unexpected<Error> fail_foreign(std::string_view head, const Parts& parts,
                                   const std::string& name) {
    if (is_zip(head)) {
        std::vector<std::string> names;
        if (parts.size <= k_max_file_bytes) {
            const std::string bytes = TRY(parts.read(0, parts.size));
            for (const ZipMember& member : TRY(list_zip(bytes, name))) names.push_back(member.name);
        }
        return fail("{}: {}.", name, foreign_zip_kind(names, Wanted::weights));
    }
    const std::string kind = foreign_kind(head, Wanted::weights);
    return fail("{}: {}.", name,
                kind.empty() ? worded("is not a safetensors file: expected the length of a header "
                                      "and the header in braces")
                             : kind);
}

// Whether the bytes, as far as they go, begin a file of the format.
bool is_begun(std::string_view bytes) {
    if (bytes.size() < k_length_bytes) return false;
    return little_endian(bytes, 0, k_length_bytes) <= k_max_header &&
           (bytes.size() == k_length_bytes || bytes[k_length_bytes] == '{');
}

} // namespace

const TensorEntry* Safetensors::find(std::string_view name) const {
    const auto at = std::ranges::lower_bound(tensors, name, {}, &TensorEntry::name);
    return at != tensors.end() && at->name == name ? &*at : nullptr;
}

bool Safetensors::holds(std::string_view prefix) const {
    const auto at = std::ranges::lower_bound(tensors, prefix, {}, &TensorEntry::name);
    return at != tensors.end() && at->name.starts_with(prefix);
}

std::string quote_name(const TensorEntry& tensor) {
    return quote_name(tensor.stored.empty() ? tensor.name : tensor.stored);
}

std::string quote_name(std::string_view name) {
    constexpr std::size_t k_longest = 120;
    return quote_for_message(name, k_longest);
}

std::string describe_shape(const std::vector<Index>& shape) {
    return "[" + shortened(joined(shape)) + "]";
}

Result<Safetensors> read_safetensors(Parts bytes, const std::string& name) {
    constexpr std::uint64_t k_head = 1 << 16;
    const std::string head = TRY(bytes.read(0, std::min(bytes.size, k_head)));
    if (head.empty()) return fail("{}: the file is empty: expected a .safetensors file.", name);
    if (!is_begun(head)) {
        if (head.size() > k_length_bytes && head[k_length_bytes] == '{' &&
            foreign_kind(head, Wanted::weights).empty())
            return fail("{}: the header is {} bytes long: expected at most {}.", name,
                        little_endian(head, 0, k_length_bytes), k_max_header);
        return fail_foreign(head, bytes, name);
    }
    const std::uint64_t length = little_endian(head, 0, k_length_bytes);
    const std::uint64_t rest = bytes.size - k_length_bytes;
    if (length > rest)
        return fail("{}: the file is cut off: {} bytes of its header are missing: download "
                    "or copy it again.",
                    name, length - rest);
    const std::string json = TRY(bytes.read(k_length_bytes, length));
    Safetensors file = TRY(read_safetensors_header(json, rest - length, name));
    file.bytes = std::move(bytes);
    file.data_begin = k_length_bytes + length;
    return file;
}

Result<Safetensors> open_safetensors(const std::filesystem::path& path) {
    const std::string name = path.string();
    return caught(name, [&]() -> Result<Safetensors> {
        return read_safetensors(TRY(open_parts(path)), name);
    });
}

template<class S>
Result<Vector<S>> tensor_values(const Safetensors& file, const TensorEntry& tensor) {
    const ElementType* const type =
        find_in(element_types(), tensor.dtype, &ElementType::safetensors);
    if (!type)
        return fail("{}: tensor {}: values of the type {} are not read: expected "
                    "floating-point numbers of 16, 32 or 64 bits, whole numbers or BOOL.",
                    file.file_name, quote_name(tensor), tensor.dtype);
    Vector<S> values(static_cast<Index>((tensor.end - tensor.begin) / type->bytes));
    S* to = values.data();
    constexpr std::uint64_t k_chunk = 1 << 20; // a multiple of every type's bytes
    for (std::uint64_t at = tensor.begin; at < tensor.end; at += k_chunk) {
        const std::string bytes =
            TRY(file.bytes.read(file.data_begin + at, std::min(k_chunk, tensor.end - at)));
        for (std::size_t i = 0; i < bytes.size(); i += type->bytes)
            *to++ = static_cast<S>(
                read_value(bytes.data() + i, *type, std::endian::native != std::endian::little));
    }
    return values;
}

template<class S>
std::string write_safetensors(std::vector<NamedTensor<const S>> tensors,
                              const TextByKey& metadata) {
    std::ranges::sort(tensors, {}, &NamedTensor<const S>::name);
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header[std::string(k_metadata_key)] = metadata;
    std::size_t at = 0;
    for (const NamedTensor<const S>& tensor : tensors) {
        const std::size_t end = at + static_cast<std::size_t>(tensor.size()) * sizeof(S);
        header[tensor.name] = {{"dtype", std::is_same_v<S, float> ? "F32" : "F64"},
                               {"shape", tensor.shape},
                               {"data_offsets", {at, end}}};
        at = end;
    }
    std::string json = header.dump();
    json.append((k_value_alignment - json.size() % k_value_alignment) % k_value_alignment, ' ');
    std::string bytes;
    for (std::size_t i = 0; i < k_length_bytes; ++i)
        bytes += static_cast<char>(json.size() >> (8 * i) & 0xFF);
    bytes.reserve(bytes.size() + json.size() + at);
    bytes += json;
    for (const NamedTensor<const S>& tensor : tensors)
        append_little_endian(bytes,
                             std::span(tensor.data, static_cast<std::size_t>(tensor.size())));
    return bytes;
}

NORMSCOPE_IN_BOTH_PRECISIONS(tensor_values);
NORMSCOPE_IN_BOTH_PRECISIONS(write_safetensors);

} // namespace normscope
