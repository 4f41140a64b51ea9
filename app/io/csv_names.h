#pragma once
#include "app/io/csv_records.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

// Names and values of a table told apart, and names as they are written.
namespace normscope {

// Where the names of a table are.
struct NamePlaces {
    bool header = false;       // the first record
    bool token_column = false; // the first field of each
};

// By the first records, all equally wide. NA and its like stand for values, but beside names they
// may be names. Nothing where `shortened`, a first record that had a field less than the others and
// was given an empty one in front, is no heading.
std::optional<NamePlaces> find_names(std::span<const Record> sample, const Dialect& dialect,
                                     bool shortened);

// Whether the first fields of `rows` are names rather than values.
bool names_lead(std::span<const Record> rows, const Dialect& dialect);

bool is_token_heading(std::string_view text); // "token", in any case

// A name as a field holds it. In quotation marks an apostrophe may stand in front that hides the
// name from a spreadsheet, which would take it for a formula or a number.
std::string name_of(const CsvField& field);

// Whether the apostrophe is needed in front of `name`, which may have some of its own.
bool needs_apostrophe(std::string_view name);

} // namespace normscope
