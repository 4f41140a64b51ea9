#include "app/io/npy.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// Any bytes: an array whose slices agree with its shape, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const Result<NpyArray> array = read_npy(bytes, "x.npy");
    if (!array) {
        if (!array.error().message.starts_with("x.npy: ")) std::abort();
        return 0;
    }
    Index count = 1;
    for (const Index side : array->shape) count *= side;
    if (array->stacked.size() != count || !slice(*array, array->slices - 1)) std::abort();
    return 0;
}
