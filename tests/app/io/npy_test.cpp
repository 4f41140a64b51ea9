#include "app/io/npy.h"

#include "app/io/file.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <limits>
#include <string>

namespace normscope {
namespace {

// data/*.npy were written by numpy: make_data.py says what is in them.
std::string data(const std::string& name) {
    const std::filesystem::path folder =
        std::filesystem::path(NORMSCOPE_GOLDEN_DIR) / ".." / "app" / "io" / "data";
    const Result<std::string> bytes = read_file(folder / (name + ".npy"));
    EXPECT_TRUE(bytes.has_value()) << name;
    return bytes.value_or("");
}

NpyArray read(const std::string& name) {
    const Result<NpyArray> array = read_npy(data(name), name);
    EXPECT_TRUE(array.has_value()) << array.error().message;
    return array.value_or(NpyArray{});
}

std::string error_of(std::string_view bytes) {
    const Result<NpyArray> array = read_npy(bytes, "x.npy");
    return array ? "no error" : array.error().message;
}

// A file with this dict and `count` bytes of values.
std::string file_with(const std::string& dict, std::size_t count, char version = 1) {
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    bytes += static_cast<char>(dict.size() & 0xFF);
    bytes += static_cast<char>(dict.size() >> 8);
    if (version > 1) bytes += std::string(2, '\0');
    return bytes + dict + std::string(count, '\0');
}

std::string shaped(const std::string& shape, std::size_t count) {
    return file_with("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }\n", count);
}

Matrix<double> counting(double offset, double step) {
    Matrix<double> values(3, 5);
    for (Index i = 0; i < 15; ++i) values.data()[i] = (static_cast<double>(i) + offset) * step;
    return values;
}

TEST(Npy, ReadsEveryTypeInEitherByteOrder) {
    const std::vector<std::pair<std::string, std::string>> types = {
        {"f2", "float16"}, {"f4", "float32"}, {"f8", "float64"}, {"i1", "int8"},
        {"i2", "int16"},   {"i4", "int32"},   {"i8", "int64"},   {"u1", "uint8"},
        {"u2", "uint16"},  {"u4", "uint32"},  {"u8", "uint64"}};
    for (const auto& [code, name] : types) {
        const double offset = code.front() == 'u' ? 0 : -7;
        const Matrix<double> expected = counting(offset, code.front() == 'f' ? 0.125 : 1);
        const NpyArray little = read("little_" + code);
        EXPECT_EQ(little.dtype, name);
        EXPECT_EQ(little.shape, (std::vector<Index>{3, 5}));
        EXPECT_EQ(little.stacked, expected) << code;
        if (code.back() == '1') continue; // one byte has no order
        EXPECT_EQ(read("big_" + code).stacked, expected) << code;
    }
    const NpyArray flags = read("little_b1");
    EXPECT_EQ(flags.dtype, "bool");
    for (Index i = 0; i < 15; ++i) EXPECT_EQ(flags.stacked.data()[i], i % 2);
}

TEST(Npy, ReadsFortranOrderAndLaterVersions) {
    for (const char* name : {"fortran_f4", "fortran_big_f8", "version_2", "version_3"}) {
        EXPECT_EQ(read(name).stacked, counting(-7, 0.125)) << name;
    }
}

TEST(Npy, ReadsVectorsAndScalarsAsOneRow) {
    const NpyArray vector = read("vector_f4");
    EXPECT_EQ(vector.shape, std::vector<Index>{5});
    EXPECT_EQ(vector.stacked, counting(-7, 0.125).row(1));
    const NpyArray scalar = read("scalar_f8");
    EXPECT_TRUE(scalar.shape.empty());
    EXPECT_EQ(scalar.stacked, Matrix<double>::Constant(1, 1, 0.625));
}

TEST(Npy, ReadsStacksSliceBySlice) {
    for (const char* name : {"stack_f4", "stack_fortran_f4"}) {
        const NpyArray stack = read(name);
        EXPECT_EQ(stack.shape, (std::vector<Index>{2, 3, 5}));
        ASSERT_EQ(stack.slices, 2);
        EXPECT_EQ(slice(stack, 0).value(), counting(-7, 0.125)) << name;
        EXPECT_EQ(slice(stack, 1).value(), counting(8, 0.125)) << name;
        EXPECT_EQ(slice(stack, 2).error().message, "slice 2 is not there: expected 0 to 1.");
        EXPECT_FALSE(slice(stack, -1).has_value());
    }
}

TEST(Npy, ReadsSpecialValues) {
    const Matrix<double> values = read("special_f4").stacked;
    EXPECT_TRUE(std::isnan(values(0, 0)));
    EXPECT_EQ(values(0, 1), std::numeric_limits<double>::infinity());
    EXPECT_EQ(values(0, 2), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(values(0, 3) == 0 && std::signbit(values(0, 3)));
    EXPECT_EQ(values(0, 4), std::numeric_limits<float>::denorm_min());
}

TEST(Npy, WritesTheBytesNumpyWrites) {
    EXPECT_EQ(write_npy(Matrix<float>(counting(-7, 0.125).cast<float>())), data("little_f4"));
    EXPECT_EQ(write_npy(counting(-7, 0.125)), data("little_f8"));
    const Vector<float> row = counting(-7, 0.125).row(1).cast<float>();
    EXPECT_EQ(write_npy(row), data("vector_f4"));
    std::vector<float> stack(30);
    for (std::size_t i = 0; i < 30; ++i) stack[i] = (static_cast<float>(i) - 7) / 8;
    EXPECT_EQ(write_npy(std::span<const float>(stack), {2, 3, 5}), data("stack_f4"));
    const double one = 0.625;
    EXPECT_EQ(write_npy(std::span(&one, 1), {}), data("scalar_f8"));
}

TEST(Npy, ReadsBackWhatItWrites) {
    const Vector<double> vector = Vector<double>::LinSpaced(7, -1, 1);
    const Result<NpyArray> back = read_npy(write_npy(vector), "v.npy");
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(back->shape, std::vector<Index>{7});
    EXPECT_EQ(back->stacked, vector.transpose());
}

TEST(Npy, RefusesTruncatedFilesAtEveryLength) {
    const std::string whole = data("little_f4");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const std::string message = error_of(whole.substr(0, length));
        EXPECT_EQ(message.rfind("x.npy: ", 0), 0U) << length << ": " << message;
    }
    EXPECT_EQ(error_of(whole.substr(0, whole.size() - 1)),
              "x.npy: 59 bytes of values follow the header: expected 60 for shape (3, 5) of "
              "float32.");
    EXPECT_NE(error_of(whole + "?").find("61 bytes"), std::string::npos);
    EXPECT_EQ(
        error_of(whole.substr(0, 20)),
        "x.npy: the file ends after 20 bytes, inside its header: expected a whole .npy file.");
}

TEST(Npy, RefusesAnotherMagicOrVersion) {
    EXPECT_NE(error_of("hello").find("numpy.save"), std::string::npos);
    EXPECT_NE(error_of("").find("empty"), std::string::npos);
    std::string bytes = data("little_f4");
    bytes[6] = 4;
    EXPECT_NE(error_of(bytes).find("format version 4.0"), std::string::npos);
}

TEST(Npy, ChecksTheShapeBeforeTakingMemory) {
    // Each asks for far more than there is; the last two overflow 64 bits when multiplied.
    for (const char* shape :
         {"(16384, 4096)", "(100000, 100000)", "(4294967296, 4294967296)",
          "(9223372036854775807, 16, 16)", "(18446744073709551615, 2)",
          "(99999999999999999999999, 1)", "(67108864, 1, 1)", "(1000000000000,)"}) {
        const std::string message = error_of(shaped(shape, 16));
        EXPECT_NE(message.find("expected"), std::string::npos) << shape << ": " << message;
    }
    EXPECT_NE(error_of(shaped("(-1, 4)", 16)).find("negative"), std::string::npos);
    EXPECT_NE(error_of(shaped("(4, -1)", 16)).find("negative"), std::string::npos);
}

TEST(Npy, RefusesWhatIsNoMatrixOfNumbers) {
    EXPECT_NE(error_of(data("complex")).find("\"<c8\""), std::string::npos);
    EXPECT_NE(error_of(data("records")).find("one type for all values"), std::string::npos);
    EXPECT_NE(error_of(data("strings")).find("expected float16/32/64"), std::string::npos);
    EXPECT_NE(error_of(data("four_dimensions")).find("4 dimensions"), std::string::npos);
    EXPECT_NE(error_of(data("no_values")).find("(0, 5)"), std::string::npos);
    for (const char* descr : {"<f3", "f4", "", "<i16", "|f4", "?f4", "<f4 ", "|O"}) {
        const std::string dict =
            std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (2, 2), }\n";
        EXPECT_NE(error_of(file_with(dict, 16)).find("of type"), std::string::npos) << descr;
    }
}

TEST(Npy, RefusesAMalformedHeader) {
    for (const char* dict :
         {"", "{", "{}", "garbage", "{'descr' '<f4'}", "{'descr': '<f4}",
          "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': 4}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2.5, 2)}",
          "{'descr': '<f4', 'fortran_order': False}",
          "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), 'more': 1}",
          "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2)} x"}) {
        const std::string message = error_of(file_with(dict, 16));
        EXPECT_NE(message.find("of the header: expected"), std::string::npos) << dict << message;
    }
}

TEST(Npy, ReadsHeadersWrittenByOthers) {
    const std::string dict = "{\"shape\":(2,2L),\"fortran_order\":True,\"descr\":\"<f4\"}";
    EXPECT_EQ(error_of(file_with(dict, 16)), "no error");
    EXPECT_EQ(error_of(file_with(dict, 16, 2)), "no error");
}

TEST(Npy, ReadsTheBfloat16ThatNumPySavesAsBytes) {
    const NpyArray array = read("bfloat16");
    EXPECT_EQ(array.dtype, "bfloat16");
    EXPECT_EQ(array.stacked, Matrix<double>({{0, 1, 2, 3}, {4, 5, 6, 7}}));
}

} // namespace
} // namespace normscope
