#pragma once
#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/io/table.h"
#include "app/model/document.h"
#include "core/norm/norm.h"

#include <optional>
#include <string>
#include <utility>

// Matrices, parameters and documents that the command line names.
namespace normscope {

// The files that hold a matrix, for the help text.
inline constexpr const char* k_matrix_files = ".csv, .tsv, .npy or .npz, also packed as .gz";

// The matrix in a file.
Checked<Table> load_input(const std::string& path);

// A file of `count` values in one row or one column; `meaning` says what they are, for the error.
Checked<Vector<double>> load_vector(const std::string& path, Index count,
                                    const std::string& meaning);

// γ or β of a tokens × features matrix: `text` is a number for all, or the path of a file with as
// many values as `per` asks for.
Checked<Vector<double>> load_parameter(const std::string& text, AffinePer per, Index tokens,
                                       Index features);

// The message that no example is called `id`, with the ids there are; empty: there is one.
std::string unknown_example(const std::string& id);

// The document of the example called `id`. An id that no example has is a usage error.
Checked<Document> load_example(const std::string& id);

// The token that the example says to look at first; 0 where there is no such example.
Index example_token(const std::string& id);

// The tokens and features of a larger matrix that are taken, from the first to the last. Empty
// where nothing was said.
struct PartOptions {
    using Range = std::pair<Index, Index>; // the first and how many
    std::optional<Range> rows, features;
};

// Adds --rows and --features. `options` must outlive the parsing.
void define_part_options(CLI::App& app, PartOptions& options);

// The part of a tokens × features matrix. Errors begin with its file: the part is not there, or is
// larger than a document may be.
Checked<CellBlock> chosen_part(const PartOptions& options, const std::string& file, Index tokens,
                               Index features);

// A document that the command line describes: an example or matrices from files, and what to change
// about it. Empty where nothing was said.
struct DocumentOptions {
    std::string example;
    std::string x;
    std::string sublayer;
    std::string gamma; // a number or a path
    std::string beta;
    PartOptions part; // of the files
    Said<Document> settings;
};

// Adds --example, --x, --sublayer, --rows, --features, --gamma, --beta and those of the document's
// own settings. `options` must outlive the parsing.
void define_document_options(CLI::App& app, DocumentOptions& options);

// Errors: neither or both of --example and --x; --sublayer without --x; files that cannot be read;
// shapes that do not fit. `command` begins the message of a usage error.
Checked<Document> document_from(const DocumentOptions& options, const std::string& command);

} // namespace normscope
