#include "app/io/load.h"

#include "app/io/safetensors/element_type.h"
#include "app/io/text.h"
#include "app/language/language.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr std::string_view k_tensors =
    "open it where it was made and save one matrix with numpy.save";
constexpr std::string_view k_sheet =
    "open it in a spreadsheet and save the sheet with the numbers as CSV";
constexpr std::string_view k_frame = "save the table with the numbers as CSV";
constexpr std::string_view k_packed = "unpack it first, or pack it with gzip";
constexpr std::string_view k_weights =
    "expected a .safetensors file, as safetensors.torch.save_file writes it";
constexpr std::string_view k_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
constexpr std::string_view k_picture = "expected the numbers that it shows, as .csv or .npy";

struct Kind {
    std::size_t at; // of the mark
    std::string_view mark;
    std::string_view what;
    std::string_view way_out;
};

using namespace std::string_view_literals;

// Marks of bytes that are not text: "PAR1" may also be a heading.
constexpr std::array k_kinds{
    Kind{0, "GGUF"sv, "a GGUF model", k_tensors},
    Kind{0, "MATLAB 5.0 MAT-file"sv, "a MATLAB file", k_tensors},
    Kind{0, "MATLAB 7.3 MAT-file"sv, "a MATLAB file", k_tensors},
    Kind{0, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file", k_tensors},
    Kind{512, "\x89HDF\r\n\x1A\n"sv, "an HDF5 file", k_tensors},
    Kind{0, "PAR1"sv, "a Parquet table", k_frame},
    Kind{0, "ARROW1"sv, "an Arrow table", k_frame},
    Kind{0, "FEA1"sv, "a Feather table", k_frame},
    Kind{0, "RDX"sv, "R's data", k_frame},
    Kind{0, "X\n\0\0\0"sv, "R's data", k_frame},
    Kind{0, "SQLite format 3\0"sv, "an SQLite database", k_frame},
    Kind{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "an older Excel workbook (.xls)", k_sheet},
    Kind{0, "\x28\xB5\x2F\xFD"sv, "packed with zstd", k_packed},
    Kind{0, "\xFD\x37zXZ\0"sv, "packed with xz", k_packed},
    Kind{0, "BZh"sv, "packed with bzip2", k_packed},
    Kind{0, "7z\xBC\xAF\x27\x1C"sv, "a 7z archive", k_packed},
    Kind{0, "Rar!\x1A\x07"sv, "a RAR archive", k_packed},
    Kind{257, "ustar"sv, "a tar archive", k_packed},
    Kind{0, "\x89PNG\r\n\x1A\n"sv, "a PNG picture", k_picture},
    Kind{0, "\xFF\xD8\xFF"sv, "a JPEG picture", k_picture},
    Kind{0, "GIF8"sv, "a GIF picture", k_picture},
    Kind{0, "\x7F\x45LF"sv, "a program", "expected one matrix as .npy, .csv or .tsv"},
};

bool is_text(std::string_view bytes) {
    constexpr std::size_t k_looked_at = 1024;
    constexpr std::size_t k_cut_letter = 3; // bytes of a letter at the end
    const std::string_view head = bytes.substr(0, k_looked_at);
    return std::ranges::none_of(head, [](char c) { return c >= 0 && c < '\t'; }) &&
           find_invalid_utf8(head) >= head.size() - std::min(k_cut_letter, head.size());
}

bool is_safetensors(std::string_view bytes) {
    if (bytes.size() < 9 || bytes[8] != '{') return false;
    return little_endian(bytes, 0, 8) <= bytes.size() - 8;
}

bool is_pickle(std::string_view bytes) {
    return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

std::string_view skip_blanks(std::string_view text) {
    if (text.starts_with(k_byte_order_mark)) text.remove_prefix(k_byte_order_mark.size());
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    return text;
}

// A word may begin with a bracket as well: "{", "[CLS]".
bool is_json(std::string_view bytes) {
    const std::string_view text = skip_blanks(bytes);
    const std::string_view inside = skip_blanks(text.substr(std::min<std::size_t>(1, text.size())));
    if (text.starts_with('{')) return inside.starts_with('"') || inside.starts_with('}');
    constexpr std::string_view k_in_array = "[{\"]-0123456789";
    const std::size_t last = bytes.find_last_not_of(" \t\r\n");
    return text.starts_with('[') && !inside.empty() &&
           k_in_array.find(inside.front()) != k_in_array.npos && bytes[last] == ']';
}

bool is_markup(std::string_view bytes) {
    const std::string begin = lower_case(skip_blanks(bytes).substr(0, 9));
    return std::ranges::any_of(std::array{"<!doctype", "<html", "<head", "<?xml", "<!--"},
                               [&](std::string_view mark) { return begin.starts_with(mark); });
}

std::string pointer_kind(std::string_view bytes) {
    constexpr std::string_view k_size = "\nsize ";
    const std::size_t at = bytes.find(k_size);
    std::string_view size;
    if (at != bytes.npos) {
        size = bytes.substr(at + k_size.size());
        size = size.substr(0, size.find_first_not_of("0123456789"));
    }
    return size.empty()
               ? worded("is a Git LFS pointer to a file, not that file: fetch it with git lfs pull")
               : worded("is a Git LFS pointer to a file of {} bytes, not that file: fetch it with "
                        "git lfs pull",
                        size);
}

std::string kind(std::string_view what, std::string_view way_out, Wanted wanted) {
    return worded("is {}: {}", what, wanted == Wanted::weights ? k_weights : way_out);
}

// "A =", "ans = [1 2": a name and what it is.
bool is_assignment(std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_not_of(k_name_letters));
    const std::string_view rest = trim(line.substr(name.size()));
    if (name.empty() || !rest.starts_with('=')) return false;
    const std::string_view value = trim(rest.substr(1));
    return value.empty() || value.starts_with('[');
}

} // namespace

std::string printed_kind(std::string_view bytes) {
    std::string_view text = skip_blanks(bytes);
    text = text.substr(0, text.find_last_not_of(" \t\r\n;") + 1);
    const std::string_view inside = skip_blanks(text.substr(std::min<std::size_t>(1, text.size())));
    const bool in_brackets =
        text.starts_with('[') && text.ends_with(']') && inside.find_first_of("[]-.0123456789") == 0;
    if (is_assignment(text.substr(0, text.find_first_of("\r\n"))) ||
        (in_brackets && text.find(';') != text.npos))
        return worded("is a matrix as MATLAB prints it, rounded: save it with writematrix as .csv");
    if (text.starts_with("array([") || text.starts_with("tensor([") ||
        (in_brackets && text.find(',') == text.npos))
        return worded(
            "is a matrix as NumPy prints it, rounded: save it with numpy.save or numpy.savetxt");
    return {};
}

std::string foreign_kind(std::string_view bytes, Wanted wanted) {
    const bool text = is_text(bytes);
    for (const Kind& known : k_kinds)
        if (!text && bytes.size() > known.at && bytes.substr(known.at).starts_with(known.mark))
            return kind(known.what, known.way_out, wanted);
    if (bytes.starts_with("%PDF-")) return kind("a PDF", k_picture, wanted);
    if (bytes.starts_with("{\\rtf"))
        return kind("formatted text (RTF)", "save it as plain text with commas between numbers",
                    wanted);
    if (bytes.starts_with("version https://git-lfs")) return pointer_kind(bytes);
    if (wanted == Wanted::table && is_safetensors(bytes))
        return kind("a safetensors file", k_tensors, wanted);
    if (is_pickle(bytes)) return kind("a Python pickle", k_tensors, wanted);
    if (is_markup(bytes))
        return wanted == Wanted::table
                   ? worded("is a web page (HTML or XML): download the file that it names, or save "
                            "its table as CSV")
                   : worded("is a web page (HTML or XML): download the file that it names");
    if (std::string printed = printed_kind(bytes); wanted == Wanted::table && !printed.empty())
        return printed;
    if (is_json(bytes))
        return kind("JSON",
                    "a session's name ends in .json; expected one matrix as .npy, .csv or .tsv",
                    wanted);
    return {};
}

std::string foreign_zip_kind(const std::vector<std::string>& names, Wanted wanted) {
    const auto holds = [&](std::string_view part) {
        return std::ranges::any_of(
            names, [&](const std::string& name) { return name.find(part) != name.npos; });
    };
    if (holds("data.pkl")) return kind("a PyTorch file", k_tensors, wanted);
    if (holds(".weights.h5")) return kind("a Keras model", k_tensors, wanted);
    if (holds("xl/workbook")) return kind("an Excel workbook (.xlsx)", k_sheet, wanted);
    if (holds("mimetype") && holds("content.xml"))
        return kind("an OpenDocument file (.ods)", k_sheet, wanted);
    if (holds("[Content_Types].xml")) return kind("an Office document", k_sheet, wanted);
    if (wanted == Wanted::weights) return kind("a zip archive", {}, wanted);
    return worded("is a zip archive without a NumPy array: unpack it, and open one matrix as .npy, "
                  ".csv or .tsv");
}

} // namespace normscope
