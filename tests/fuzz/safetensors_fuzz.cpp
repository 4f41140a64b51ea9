#include "app/io/safetensors/safetensors.h"
#include "tests/app/io/safetensors/safetensors_testing.h"
#include "tests/fuzz/input_file.h"

// Any bytes opened as named tensors: tensors whose values are written and read back the same, or a
// message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    static fuzz::InputFile input("x.safetensors");
    input.write(data, size);
    const Result<Safetensors> file = open_safetensors(input.path());
    if (!file) {
        fuzz::require(file.error().message.starts_with(input.path().string() + ": "));
        return 0;
    }
    std::vector<Vector<double>> values;
    values.reserve(file->tensors.size());
    std::vector<NamedTensor<const double>> tensors;
    for (const TensorEntry& tensor : file->tensors) {
        const Result<Vector<double>> read = tensor_values<double>(*file, tensor);
        if (!read) continue;
        values.push_back(*read);
        tensors.push_back({tensor.name, tensor.shape, values.back().data()});
    }
    const std::string written = write_safetensors(tensors, file->metadata);
    const Result<Safetensors> again = read_bytes(written, "again");
    fuzz::require(again && again->metadata == file->metadata &&
                  again->tensors.size() == tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const TensorEntry& tensor = again->tensors[i];
        fuzz::require(tensor.name == tensors[i].name && tensor.shape == tensors[i].shape &&
                      tensor_values<double>(*again, tensor)->size() == values[i].size());
    }
    return 0;
}
