#include "tests/app/io/safetensors/safetensors_testing.h"

#include <gtest/gtest.h>
#include <vector>

// Files that are refused, each with what its message says.
namespace normscope {
namespace {

std::string entry(const std::string& name, const std::string& shape, const std::string& offsets,
                  const std::string& dtype = "F32") {
    return "\"" + name + "\":{\"dtype\":\"" + dtype + "\",\"shape\":" + shape +
           ",\"data_offsets\":" + offsets + "}";
}

std::string error_of_header(const std::string& header, std::size_t data_bytes) {
    return safetensors_error(safetensors_with(header, std::string(data_bytes, '\0')));
}

TEST(SafetensorsRefused, OtherFilesAreNamedForWhatTheyAre) {
    const std::string expected =
        ": expected a .safetensors file, as safetensors.torch.save_file writes it.";
    EXPECT_EQ(
        safetensors_error(
            "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 548118077\n"),
        "x: is a Git LFS pointer to a file of 548118077 bytes, not that file: fetch it with git "
        "lfs pull.");
    EXPECT_EQ(safetensors_error("<!DOCTYPE html>\n<html>"),
              "x: is a web page (HTML or XML): download the file that it names.");
    EXPECT_EQ(safetensors_error("GGUF\x03\0\0\0\x10\0\0\0"s), "x: is a GGUF model" + expected);
    EXPECT_EQ(safetensors_error("\x80\x02}q\0(X\x01\0\0\0"s), "x: is a Python pickle" + expected);
    EXPECT_EQ(safetensors_error("{\"weight_map\":{}}"), "x: is JSON" + expected);
    EXPECT_EQ(safetensors_error("\x89PNG\r\n\x1A\n\0\0\0\0"s), "x: is a PNG picture" + expected);
    EXPECT_EQ(safetensors_error("PK\x05\x06"s + std::string(18, '\0')),
              "x: is a zip archive" + expected);
    const std::string member = "archive/data.pkl";
    const std::string torch = "PK\x03\x04" + std::string(22, '\0') + "\x10\0\0\0"s + member +
                              "PK\x01\x02" + std::string(24, '\0') + "\x10\0"s +
                              std::string(16, '\0') + member + "PK\x05\x06" + std::string(4, '\0') +
                              "\1\0\1\0\x3E\0\0\0\x2E\0\0\0\0\0"s;
    EXPECT_EQ(safetensors_error(torch), "x: is a PyTorch file" + expected);
    EXPECT_EQ(safetensors_error(""), "x: the file is empty: expected a .safetensors file.");
    for (const std::string& bytes : {"1,2\n"s, safetensors_length(2) + "[]", std::string(16, '\0')})
        EXPECT_EQ(safetensors_error(bytes),
                  "x: is not a safetensors file: expected the length of a header and the header in "
                  "braces.");
}

TEST(SafetensorsRefused, ACutFileSaysHowManyBytesAreMissing) {
    const std::string whole =
        safetensors_with("{" + entry("a", "[2]", "[0,8]") + "}", std::string(8, '\0'));
    ASSERT_EQ(safetensors_error(whole), "no error");
    const std::size_t header = whole.size() - 8 - 8;
    for (std::size_t length = 1; length < whole.size(); ++length) {
        const std::string message = safetensors_error(whole.substr(0, length));
        const std::string missing = std::to_string(whole.size() - length);
        if (length < 8)
            EXPECT_NE(message, "no error") << length;
        else if (length < 8 + header)
            EXPECT_EQ(message, "x: the file is cut off: " + std::to_string(8 + header - length) +
                                   " bytes of its header are missing: download or copy it again.");
        else
            EXPECT_EQ(message, "x: the file is cut off: " + missing +
                                   " bytes of the tensors are missing: download or copy it again.");
    }
    EXPECT_EQ(safetensors_error(whole + "1234"),
              "x: 4 bytes follow the last tensor: expected the file to end with it.");
}

TEST(SafetensorsRefused, AHeaderOverTheLimitIsNotRead) {
    EXPECT_EQ(safetensors_error(safetensors_length(100'000'001) + "{}"),
              "x: the header is 100000001 bytes long: expected at most 100000000.");
    EXPECT_EQ(safetensors_error(safetensors_length(100'000'000) + "{}"),
              "x: the file is cut off: 99999998 bytes of its header are missing: download or copy "
              "it again.");
    EXPECT_EQ(safetensors_error(safetensors_length(~std::uint64_t{0}) + "{}"),
              "x: the header is 18446744073709551615 bytes long: expected at most 100000000.");
}

TEST(SafetensorsRefused, GapsAndOverlaps) {
    const std::string a = entry("a", "[1]", "[0,4]");
    // In whichever order the header names them.
    EXPECT_EQ(error_of_header("{" + entry("b", "[1]", "[4,8]") + "," + a + "}", 8), "no error");
    EXPECT_EQ(error_of_header("{" + entry("b", "[1]", "[8,12]") + "," + a + "}", 12),
              "x: tensor \"b\": data_offsets are 8 and 12: expected the first to be 4, where the "
              "tensor before ends.");
    EXPECT_EQ(error_of_header("{" + a + "," + entry("b", "[1]", "[2,6]") + "}", 6),
              "x: tensor \"b\": data_offsets are 2 and 6: expected the first to be 4, where the "
              "tensor before ends.");
    EXPECT_EQ(error_of_header("{" + a + "," + entry("b", "[1]", "[0,4]") + "}", 4),
              "x: tensor \"b\": data_offsets are 0 and 4: expected the first to be 4, where the "
              "tensor before ends.");
    EXPECT_EQ(error_of_header("{" + entry("a", "[1]", "[4,8]") + "}", 8),
              "x: tensor \"a\": data_offsets are 4 and 8: expected the first to be 0, where the "
              "tensor before ends.");
    EXPECT_EQ(error_of_header("{" + a + "," + entry("b", "[0]", "[4,2]") + "}", 4),
              "x: tensor \"b\": data_offsets are 4 and 2: expected the second not to be smaller.");
}

TEST(SafetensorsRefused, SizesThatDoNotFitTheShape) {
    const auto error = [](const std::string& shape, const std::string& offsets, std::size_t bytes,
                          const std::string& dtype = "F32") {
        return error_of_header("{" + entry("a", shape, offsets, dtype) + "}", bytes);
    };
    EXPECT_EQ(error("[2,3]", "[0,20]", 20),
              "x: tensor \"a\": data_offsets are 0 and 20: expected 24 bytes between them for the "
              "shape [2, 3] of F32.");
    EXPECT_EQ(error("[]", "[0,8]", 8),
              "x: tensor \"a\": data_offsets are 0 and 8: expected 4 bytes between them for the "
              "shape [] of F32.");
    EXPECT_EQ(error("[3]", "[0,1]", 1, "F4"),
              "x: tensor \"a\": data_offsets are 0 and 1: expected 12 bits between them for the "
              "shape [3] of F4.");
    // 2^63 · 2 · 32 bits and 2^62 · 4 · 32 bits are 0 in 64 bits.
    for (const char* shape : {"[9223372036854775807,4]", "[4611686018427387904,4]",
                              "[4294967296,4294967296]", "[4611686018427387904,4,0]"}) {
        EXPECT_NE(error(shape, "[0,0]", 0).find("expected more bytes between them"),
                  std::string::npos)
            << error(shape, "[0,0]", 0);
    }
    EXPECT_EQ(error("[4]", "[0,18446744073709551615]", 16),
              "x: tensor \"a\": data_offsets are 0 and 18446744073709551615: expected 16 bytes "
              "between them for the shape [4] of F32.");
}

TEST(SafetensorsRefused, TypesThatAreNotRead) {
    EXPECT_EQ(error_of_header("{" + entry("a", "[1]", "[0,4]", "f32") + "}", 4),
              "x: tensor \"a\": the type \"f32\" is not known: expected one of the format, such as "
              "F32.");
    // Only when it is asked for: the others of the file can be read.
    const std::string bytes = safetensors_with("{" + entry("a", "[3]", "[0,3]", "F8_E4M3") + "," +
                                                   entry("b", "[1]", "[3,7]") + "}",
                                               std::string(7, '\0'));
    const Result<Safetensors> file = read_bytes(bytes, "x");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_TRUE(tensor_values<float>(*file, *file->find("b")).has_value());
    EXPECT_EQ(tensor_values<float>(*file, *file->find("a")).error().message,
              "x: tensor \"a\": values of the type F8_E4M3 are not read: expected floating-point "
              "numbers of 16, 32 or 64 bits, whole numbers or BOOL.");
}

TEST(SafetensorsRefused, KeysThatStandTwice) {
    const std::string twice = " stands twice: take one of them out";
    EXPECT_EQ(error_of_header(
                  "{" + entry("a", "[1]", "[0,4]") + "," + entry("a", "[1]", "[4,8]") + "}", 8),
              "x: the key \"a\"" + twice);
    EXPECT_EQ(error_of_header(R"({"a":{"dtype":"F32","dtype":"F64","shape":[1],)"
                              R"("data_offsets":[0,8]}})",
                              8),
              "x: at /a: the key \"dtype\"" + twice);
    EXPECT_EQ(error_of_header(R"({"__metadata__":{},"__metadata__":{}})", 0),
              "x: the key \"__metadata__\"" + twice);
    EXPECT_EQ(error_of_header(R"({"__metadata__":{"k":"1","k":"2"}})", 0),
              "x: at /__metadata__: the key \"k\"" + twice);
}

TEST(SafetensorsRefused, HeadersThatAreNotOfTheFormat) {
    const std::string entries =
        "at /a: expected an object with dtype, shape and data_offsets, found ";
    const std::vector<std::pair<std::string, std::string>> cases{
        {R"({"a":1})", entries + "1"},
        {R"({"a":{}})", entries + "an object"},
        {R"({"a":{"b":{}}})", entries + "an object"},
        {R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"b":1}})", entries + "an object"},
        {"{" + entry("a", "{}", "[0,0]") + "}", "at /a/shape: expected a list, found an object"},
        {"{" + entry("a", "\"F32\"", "[0,0]") + "}", "at /a/shape: expected a list, found \"F32\""},
        {R"({"a":{"dtype":["F32"],"shape":[],"data_offsets":[0,4]}})",
         "at /a/dtype: expected text in quotation marks, found a list of 1"},
        {R"({"__metadata__":{"a":1}})",
         "at /__metadata__/a: expected text in quotation marks, found 1"},
        {R"({"__metadata__":[]})",
         "at /__metadata__: expected an object in braces, found a list of 0"},
    };
    for (const auto& [header, message] : cases)
        EXPECT_EQ(error_of_header(header, 0), "x: " + message) << header;
    for (const char* header : {"{", "{} x", "{\"\xFF\":1}", R"({"a":[[[[)"})
        EXPECT_NE(error_of_header(header, 0).find("not valid JSON"), std::string::npos) << header;
    for (const char* side : {"-1", "1.0", "1e3", "true", "null", "\"1\"", "9223372036854775808",
                             "99999999999999999999999", "[1]"})
        EXPECT_NE(error_of_header("{" + entry("a", "["s + side + "]", "[0,0]") + "}", 0)
                      .find("x: at /a/shape/0: expected a whole number"),
                  std::string::npos)
            << side;
    for (const char* offsets : {"[]", "[0]", "[0,0,0]", "[-1,0]", "0", "{}", "[0.0,0]", "[0,[0]]"})
        EXPECT_NE(error_of_header("{" + entry("a", "[0]", offsets) + "}", 0)
                      .find("x: at /a/data_offsets"),
                  std::string::npos)
            << offsets;
}

} // namespace
} // namespace normscope
