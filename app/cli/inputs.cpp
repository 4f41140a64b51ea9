#include "app/cli/inputs.h"

#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/text.h"
#include "core/base/caught.h"
#include "core/base/printable.h"
#include "core/norm/affine.h"

#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <tuple>
#include <utility>

namespace normscope {

namespace {

Checked<Document> load_document(const DocumentOptions& options) {
    if (!options.example.empty()) return load_example(options.example);
    Table x = TRY(load_input(options.x));
    const CellBlock part =
        TRY(chosen_part(options.part, options.x, x.values.rows(), x.values.cols()));
    x = cut_out(x, part);
    const Index tokens = part.rows, features = part.cols;
    Document document = blank_document(tokens, features);
    // Names that are written to a terminal must not command it.
    for (auto* names : {&x.token_names, &x.feature_names})
        for (std::string& name : *names) name = printable(name);
    document.title = printable(options.x);
    document.tokens = names_or_numbered(std::move(x.token_names), 't', tokens);
    document.features = names_or_numbered(std::move(x.feature_names), 'd', features);
    document.x = std::move(x.values);
    if (options.sublayer.empty()) return document;
    const Table f = TRY(load_input(options.sublayer));
    document.f =
        cut_out(f,
                TRY(chosen_part(options.part, options.sublayer, f.values.rows(), f.values.cols())))
            .values;
    return document;
}

// The document with the options' settings in place of its own.
Checked<Document> apply_options(Document document, const DocumentOptions& options) {
    const AffinePer before = document.affine_per;
    document = applied(options.settings, std::move(document));
    for (const auto& [given, neutral_text, target] :
         {std::tuple(&options.gamma, "1", &document.gamma),
          std::tuple(&options.beta, "0", &document.beta)}) {
        if (given->empty() && document.affine_per == before) continue;
        const Vector<double> values =
            TRY(load_parameter(given->empty() ? neutral_text : *given, document.affine_per,
                               document.token_count(), document.feature_count()));
        *target = std::vector<double>(values.begin(), values.end());
    }
    if (const Result<void> consistent = check(document); !consistent) {
        const bool other_shape = document.f->rows() != document.token_count() ||
                                 document.f->cols() != document.feature_count();
        const std::string& file =
            other_shape && !options.sublayer.empty() ? options.sublayer : document.title;
        return fail("{}: {}", file, consistent.error());
    }
    return document;
}

// "0:255", both ends counted.
std::optional<PartOptions::Range> parse_range(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos) return std::nullopt;
    const auto first = whole_number(text.substr(0, colon));
    const auto last = whole_number(text.substr(colon + 1));
    if (!first || !last || *first > *last) return std::nullopt;
    return PartOptions::Range(*first, *last - *first + 1);
}

} // namespace

void define_part_options(CLI::App& app, PartOptions& options) {
    const auto add = [&](const char* name, std::optional<PartOptions::Range>& into,
                         const char* help) {
        app.add_option_function<std::string>(
               name, [&into](const std::string& text) { into = parse_range(text); }, help)
            ->type_name("A:B")
            ->check([](const std::string& text) {
                return parse_range(text) ? std::string()
                                         : "expected two counts with a colon between them, the "
                                           "lower first, as in 0:255, found " +
                                               text;
            });
    };
    add("--rows", options.rows, "The tokens that are taken, counted from 0; all if not said");
    add("--features", options.features, "The features that are taken, likewise");
}

Checked<CellBlock> chosen_part(const PartOptions& options, const std::string& file, Index tokens,
                               Index features) {
    CellBlock part{0, 0, tokens, features};
    if (options.rows) std::tie(part.row, part.rows) = *options.rows;
    if (options.features) std::tie(part.col, part.cols) = *options.features;
    if (part.row + part.rows > tokens || part.col + part.cols > features)
        return fail("{}: holds {} tokens of {} features: --rows ends at {} and --features at {}.",
                    file, tokens, features, part.row + part.rows - 1, part.col + part.cols - 1);
    if (fits_document(part.rows, part.cols)) return part;
    const CellBlock first = first_part(part.rows, part.cols);
    return fail(
        "{}: {} tokens of {} features are too many: at most {} tokens, {} features and {} values "
        "fit. Take a part: --rows {}:{} --features {}:{}. The command compute takes every size.",
        file, part.rows, part.cols, k_max_tokens, k_max_features, k_most_values, part.row,
        part.row + first.rows - 1, part.col, part.col + first.cols - 1);
}

Checked<Table> load_input(const std::string& path) {
    return TRY(caught(path, [&] { return load_table(path); }));
}

Checked<Vector<double>> load_vector(const std::string& path, Index count,
                                    const std::string& meaning) {
    const Matrix<double> values = TRY(load_input(path)).values;
    const bool line = values.rows() == 1 || values.cols() == 1;
    if (!line || values.size() != count)
        return fail("{}: holds a {}×{} matrix: expected {} {}, {}.", path, values.rows(),
                    values.cols(), count, count == 1 ? "value" : "values", meaning);
    return Vector<double>(values.reshaped<Eigen::RowMajor>());
}

Checked<Vector<double>> load_parameter(const std::string& text, AffinePer per, Index tokens,
                                       Index features) {
    const Index count = affine_size(per, tokens, features);
    if (const Result<double> number = parse_number(text))
        return Vector<double>(Vector<double>::Constant(count, *number));
    std::error_code error;
    if (text != k_standard_input && !std::filesystem::exists(split_array(text).file, error))
        return fail("{}: neither a number nor a file.", text);
    const std::string whose =
        per == AffinePer::scalar ? "one for all" : "one per " + std::string(id_of(per));
    return load_vector(text, count, fmt::format("{} of the {}×{} matrix", whose, tokens, features));
}

void define_document_options(CLI::App& app, DocumentOptions& options) {
    app.add_option("--example", options.example, "The example to take (see: examples)")
        ->type_name("NAME")
        ->check(unknown_example);
    app.add_option("--x", options.x, std::string("X, T×D: ") + k_matrix_files)->type_name("FILE");
    app.add_option("--sublayer", options.sublayer, "F(X), T×D, added to X")->type_name("FILE");
    define_part_options(app, options.part);
    app.add_option("--gamma", options.gamma, "γ, a number or a file")->type_name("GAMMA");
    app.add_option("--beta", options.beta, "β, a number or a file")->type_name("BETA");
    add_field_options(app, options.settings);
}

Checked<Document> document_from(const DocumentOptions& options, const std::string& command) {
    if (options.example.empty() == options.x.empty())
        return usage_error("{}: expected either --example or --x", command);
    if (options.x.empty() && !options.sublayer.empty())
        return usage_error("{}: --sublayer goes with --x", command);
    if (options.x.empty() && (options.part.rows || options.part.features))
        return usage_error("{}: --rows and --features go with --x", command);
    return apply_options(TRY(load_document(options)), options);
}

} // namespace normscope
