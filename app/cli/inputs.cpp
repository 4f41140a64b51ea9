#include "app/cli/inputs.h"

#include "app/cli/options.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/number.h"
#include "core/base/caught.h"
#include "core/norm/affine.h"

#include <filesystem>
#include <system_error>

namespace normscope {

namespace {

std::string shape(Index rows, Index cols) {
    return std::to_string(rows) + "×" + std::to_string(cols);
}

} // namespace

Checked<Table> load_input(const std::string& path) {
    return checked(caught(path, [&] { return load_table(path); }));
}

Checked<Vector<double>> load_vector(const std::string& path, Index count,
                                    const std::string& meaning) {
    const Checked<Table> table = load_input(path);
    if (!table) return tl::unexpected(table.error());
    const Matrix<double>& values = table->values;
    const bool line = values.rows() == 1 || values.cols() == 1;
    if (!line || values.size() != count)
        return data_error(path + ": holds a " + shape(values.rows(), values.cols()) +
                          " matrix: expected " + std::to_string(count) +
                          (count == 1 ? " value, " : " values, ") + meaning + ".");
    return Vector<double>(values.reshaped<Eigen::RowMajor>());
}

Checked<Vector<double>> load_parameter(const std::string& text, AffinePer per, Index tokens,
                                       Index features) {
    const Index count = affine_size(per, tokens, features);
    if (const Result<double> number = parse_number(text))
        return Vector<double>(Vector<double>::Constant(count, *number));
    std::error_code error;
    if (text != k_standard_input && !std::filesystem::exists(split_array(text).file, error))
        return data_error(text + ": neither a number nor a file.");
    const std::string whose =
        per == AffinePer::scalar ? "one for all" : "one per " + std::string(id_of(per));
    return load_vector(text, count, whose + " of the " + shape(tokens, features) + " matrix");
}

} // namespace normscope
