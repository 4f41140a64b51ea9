#include "app/io/safetensors/safetensors.h"

#include "app/io/safetensors/element_type.h"
#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace normscope {

namespace {

using Json = nlohmann::json;

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

// Takes the header in while the library reads it: no deeper than the format is, and every key once.
class HeaderReader final : public nlohmann::json_sax<Json> {
  public:
    Safetensors file;
    std::string error; // after a parse that failed

    bool null() override { return unexpected(); }
    bool boolean(bool) override { return unexpected(); }
    bool number_integer(number_integer_t) override { return unexpected(); }
    bool number_float(number_float_t, const string_t&) override { return unexpected(); }
    bool binary(binary_t&) override { return unexpected(); }

    bool number_unsigned(number_unsigned_t value) override {
        if (in_ == In::shape && value <= std::numeric_limits<Index>::max())
            tensor_.shape.push_back(static_cast<Index>(value));
        else if (in_ == In::offsets && offsets_.size() < 2)
            offsets_.push_back(value);
        else
            return unexpected();
        return true;
    }

    bool string(string_t& value) override {
        if (in_ == In::metadata)
            file.metadata[key_] = value;
        else if (in_ == In::tensor && key_ == k_dtype)
            tensor_.dtype = value;
        else
            return unexpected();
        return true;
    }

    bool key(string_t& name) override {
        if (in_ == In::tensor && name != k_dtype && name != k_shape && name != k_offsets)
            return wrong(worded("the key {} is not known: expected dtype, shape and data_offsets",
                                quote_for_message(name)));
        // Two tensors of one name are found among all of them.
        const bool twice = in_ == In::file     ? name == k_metadata_key && has_metadata_
                           : in_ == In::tensor ? std::ranges::count(seen_, name) > 0
                                               : file.metadata.contains(name);
        if (twice)
            return wrong(
                worded("the key {} stands twice: expected it once", quote_for_message(name)));
        if (in_ == In::tensor) seen_.push_back(name);
        if (in_ == In::file && name == k_metadata_key) has_metadata_ = true;
        key_ = std::move(name);
        return true;
    }

    bool start_object(std::size_t) override {
        if (in_ == In::nothing) {
            in_ = In::file;
        } else if (in_ == In::file && key_ == k_metadata_key) {
            in_ = In::metadata;
        } else if (in_ == In::file) {
            in_ = In::tensor;
            tensor_ = {};
            tensor_.name = key_;
            offsets_.clear();
            seen_.clear();
        } else {
            return unexpected();
        }
        return true;
    }

    bool end_object() override {
        if (in_ == In::tensor) {
            if (seen_.size() < 3) return wrong(worded("expected dtype, shape and data_offsets"));
            file.tensors.push_back(std::move(tensor_));
        }
        in_ = in_ == In::file ? In::nothing : In::file;
        return true;
    }

    bool start_array(std::size_t) override {
        if (in_ != In::tensor || key_ == k_dtype) return unexpected();
        in_ = key_ == k_shape ? In::shape : In::offsets;
        return true;
    }

    bool end_array() override {
        if (in_ == In::offsets) {
            if (offsets_.size() < 2) return unexpected();
            tensor_.begin = offsets_[0];
            tensor_.end = offsets_[1];
        }
        in_ = In::tensor;
        return true;
    }

    bool parse_error(std::size_t at, const std::string&,
                     const nlohmann::detail::exception&) override {
        return wrong(worded("byte {} of the header is not valid JSON", at));
    }

  private:
    enum class In : std::uint8_t { nothing, file, metadata, tensor, shape, offsets };
    static constexpr std::string_view k_dtype = "dtype", k_shape = "shape",
                                      k_offsets = "data_offsets";

    bool wrong(const std::string& what) {
        const bool in_tensor = in_ == In::tensor || in_ == In::shape || in_ == In::offsets;
        error = in_tensor
                    ? worded("{}: tensor {}: {}.", file.file_name, quote_name(tensor_.name), what)
                    : worded("{}: the header: {}.", file.file_name, what);
        return false;
    }

    bool unexpected() {
        if (in_ == In::file)
            return wrong(worded("{}: expected an object in braces", quote_name(key_)));
        if (in_ == In::metadata)
            return wrong(worded("__metadata__: {}: expected text in quotation marks",
                                quote_for_message(key_)));
        if (key_ == k_dtype) return wrong(worded("dtype: expected text in quotation marks"));
        if (key_ == k_shape)
            return wrong(worded("shape: expected a list of whole numbers from 0 up"));
        return wrong(worded("data_offsets: expected a list of two whole numbers from 0 up"));
    }

    In in_ = In::nothing;
    std::string key_;    // the last one
    TensorEntry tensor_; // the one that is read, what it has so far
    std::vector<std::uint64_t> offsets_;
    std::vector<std::string> seen_; // keys of the tensor
    bool has_metadata_ = false;
};

// Bytes that a shape takes; none: they are more than 64 bits can count.
std::optional<std::uint64_t> bits_needed(const TensorEntry& tensor, std::uint64_t bits) {
    for (const Index side : tensor.shape)
        if (__builtin_mul_overflow(bits, static_cast<std::uint64_t>(side), &bits))
            return std::nullopt;
    return bits;
}

// What is wrong with a tensor that should begin at `begin`; empty: nothing.
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
    HeaderReader reader;
    reader.file.file_name = file_name;
    if (!Json::sax_parse(json, &reader)) return fail(reader.error);
    std::vector<TensorEntry>& tensors = reader.file.tensors;
    std::ranges::sort(tensors, {}, &TensorEntry::name);
    const auto twice = std::ranges::adjacent_find(tensors, {}, &TensorEntry::name);
    if (twice != tensors.end())
        return fail("{}: there are two tensors {}: expected one of each name.", file_name,
                    quote_name(twice->name));
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
    return std::move(reader.file);
}

} // namespace normscope
