#include "app/io/csv.h"
#include "app/io/load.h"
#include "tests/fuzz/input_file.h"

// Any bytes opened as a table: a table that is written and read back the same, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    static fuzz::InputFile file("t.csv");
    file.write(data, size);
    const Result<Table> table = load_table(file.path());
    if (!table) {
        fuzz::require(table.error().message.starts_with(file.path().string() + ": "));
        return 0;
    }
    const Result<Table> again = read_csv(write_csv(*table), "again.csv");
    fuzz::require(again && again->values.rows() == table->values.rows() &&
                  again->values.cols() == table->values.cols() &&
                  again->token_names == table->token_names &&
                  again->feature_names == table->feature_names);
    return 0;
}
