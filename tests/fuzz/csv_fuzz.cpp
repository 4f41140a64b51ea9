#include "app/io/csv.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

// Any bytes: a table that is written and read back the same, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const Result<Table> table = read_csv(bytes, "t.csv");
    if (!table) {
        if (!table.error().message.starts_with("t.csv: ")) std::abort();
        return 0;
    }
    const Result<Table> again = read_csv(write_csv(*table), "again.csv");
    if (!again || again->values.rows() != table->values.rows() ||
        again->values.cols() != table->values.cols() || again->token_names != table->token_names ||
        again->feature_names != table->feature_names) {
        std::abort();
    }
    return 0;
}
