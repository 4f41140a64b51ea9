#include "app/io/load.h"
#include "app/io/npy.h"
#include "tests/fuzz/input_file.h"

// Any bytes opened as an array: an array whose slices agree with its shape, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    static fuzz::InputFile file("x.npy");
    file.write(data, size);
    const Result<LoadedFile> loaded = load_file(file.path());
    if (!loaded) {
        fuzz::require(loaded.error().message.starts_with(file.path().string() + ": "));
        return 0;
    }
    if (const auto* array = std::get_if<NpyArray>(&*loaded)) {
        Index count = 1;
        for (const Index side : array->shape) count *= side;
        fuzz::require(array->stacked.size() == count && slice(*array, array->slices - 1));
    }
    return 0;
}
