#include "app/io/safetensors/safetensors.h"

#include "app/io/file.h"
#include "tests/app/io/safetensors/safetensors_testing.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <unistd.h>

namespace normscope {
namespace {

namespace fs = std::filesystem;

// data/*.safetensors were written by make_safetensors.py, which says what is in them.
fs::path data_path(const std::string& name) {
    return fs::path(NORMSCOPE_GOLDEN_DIR) / ".." / "app" / "io" / "data" / (name + ".safetensors");
}

template<class S>
std::vector<S> values_of(const Safetensors& file, const std::string& name) {
    const TensorEntry* const tensor = file.find(name);
    if (!tensor) return {};
    const Result<Vector<S>> values = tensor_values<S>(file, *tensor);
    EXPECT_TRUE(values.has_value()) << values.error().message;
    return values ? std::vector<S>(values->begin(), values->end()) : std::vector<S>();
}

TEST(Safetensors, ReadsEveryTypeUnaligned) {
    const Result<Safetensors> file = open_safetensors(data_path("types"));
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->tensors.size(), 15u);
    for (const char* type : {"F64", "F32", "F16", "BF16", "I64", "I32", "I16", "I8", "U64", "U32",
                             "U16", "U8", "BOOL"}) {
        const TensorEntry* const tensor = file->find(type);
        ASSERT_NE(tensor, nullptr) << type;
        EXPECT_EQ(tensor->dtype, type);
        EXPECT_EQ(tensor->shape, (std::vector<Index>{3, 5}));
        std::vector<double> expected;
        for (int n = 0; n < 15; ++n)
            expected.push_back(tensor->dtype == "BOOL"        ? n % 2
                               : tensor->dtype.front() == 'U' ? n
                               : tensor->dtype.front() == 'I' ? n - 7
                                                              : (n - 7) / 8.0);
        EXPECT_EQ(values_of<double>(*file, type), expected) << type;
        EXPECT_EQ(values_of<float>(*file, type),
                  std::vector<float>(expected.begin(), expected.end()));
    }
    EXPECT_EQ(values_of<double>(*file, "one"), std::vector<double>{0.625});
    EXPECT_TRUE(file->find("one")->shape.empty());
    EXPECT_EQ(values_of<double>(*file, "no values"), std::vector<double>());
    EXPECT_EQ(file->find("no values")->shape, (std::vector<Index>{2, 0}));
    EXPECT_EQ(file->metadata, (TextByKey{{"made by", "make_safetensors.py"}, {"µ", "→"}}));
    EXPECT_EQ(file->find("F31"), nullptr);
}

TEST(Safetensors, ReadsSpecialValues) {
    // Half precision: the smallest subnormal, the largest number, ∞, NaN, −0. bfloat16: the same.
    const std::string halves = "\x01\x00\xFF\x7B\x00\x7C\x01\x7E\x00\x80"s;
    const std::string brains = "\x01\x00\x7F\x7F\x80\x7F\xC1\x7F\x00\x80"s;
    const std::string bytes =
        safetensors_with(R"({"h":{"dtype":"F16","shape":[5],"data_offsets":[0,10]},)"
                         R"("b":{"dtype":"BF16","shape":[5],"data_offsets":[10,20]}})",
                         halves + brains);
    const Result<Safetensors> file = read_bytes(bytes, "x");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    for (const auto& [name, least, most] :
         {std::tuple("h", std::ldexp(1.0, -24), 65504.0),
          std::tuple("b", std::ldexp(1.0, -133), std::ldexp(255.0, 120))}) {
        const std::vector<double> values = values_of<double>(*file, name);
        ASSERT_EQ(values.size(), 5u);
        EXPECT_EQ(values[0], least) << name;
        EXPECT_EQ(values[1], most) << name;
        EXPECT_EQ(values[2], std::numeric_limits<double>::infinity()) << name;
        EXPECT_TRUE(std::isnan(values[3])) << name;
        EXPECT_TRUE(values[4] == 0 && std::signbit(values[4])) << name;
    }
}

TEST(Safetensors, WritesTheBytesOfTheReference) {
    const std::vector<float> a{0.5f, -1};
    const std::vector<float> b{1, 2, 3, 4, 5, 6};
    EXPECT_EQ(write_safetensors<float>({{"b.weight", {2, 3}, b.data()}, {"a.bias", {2}, a.data()}},
                                       {{"format", "pt"}}),
              read_file(data_path("written")).value());
}

TEST(Safetensors, ReadsBackWhatItWrites) {
    const std::vector<double> numbers{1e-320, -0.1, 1e300};
    const std::vector<double> one{std::numeric_limits<double>::quiet_NaN()};
    const std::string bytes =
        write_safetensors<double>({{"a \"quoted\" → name", {3, 1}, numbers.data()},
                                   {"none", {0, 4}},
                                   {"one", {}, one.data()}});
    const Result<Safetensors> file = read_bytes(bytes, "x");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(values_of<double>(*file, "a \"quoted\" → name"), numbers);
    EXPECT_TRUE(std::isnan(values_of<double>(*file, "one").at(0)));
    EXPECT_EQ(file->find("none")->shape, (std::vector<Index>{0, 4}));
    EXPECT_EQ(file->data_begin % 8, 0u);
    const std::string nothing = write_safetensors<float>({});
    EXPECT_EQ(nothing, "\x08\0\0\0\0\0\0\0{}      "s);
    EXPECT_TRUE(read_bytes(nothing, "x")->tensors.empty());
}

// Only the header and the small tensor are read of a file of 3 GB, most of it a hole on the disk.
TEST(Safetensors, ReadsOnlyTheTensorsAskedFor) {
    const fs::path path =
        fs::temp_directory_path() / ("normscope-sparse-" + std::to_string(::getpid()));
    constexpr std::uint64_t k_large = 3'000'000'000;
    const std::string header =
        R"({"large":{"dtype":"U8","shape":[3000000000],"data_offsets":[0,3000000000]},)"
        R"("small":{"dtype":"F32","shape":[2],"data_offsets":[3000000000,3000000008]}})";
    ASSERT_TRUE(write_file_atomically(path, safetensors_with(header, "")));
    fs::resize_file(path, fs::file_size(path) + k_large + 8);
    const Result<Safetensors> file = open_safetensors(path);
    fs::remove(path);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(values_of<float>(*file, "small"), (std::vector<float>{0, 0}));
}

TEST(Safetensors, AFileThatIsCutOffWhileItIsReadIsAnError) {
    const fs::path path =
        fs::temp_directory_path() / ("normscope-cut-" + std::to_string(::getpid()));
    const std::vector<double> values(100'000, 1);
    ASSERT_TRUE(
        write_file_atomically(path, write_safetensors<double>({{"a", {100'000}, values.data()}})));
    const Result<Safetensors> file = open_safetensors(path);
    ASSERT_TRUE(file.has_value()) << file.error().message;
    fs::resize_file(path, 4096);
    const Result<Vector<double>> read = tensor_values<double>(*file, *file->find("a"));
    fs::remove(path);
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().message,
              path.string() + ": the file was cut off while it was read: copy it again.");
}

TEST(Safetensors, RefusesWhatIsNoFileOnTheDisk) {
    const std::string folder = fs::temp_directory_path().string();
    EXPECT_EQ(open_safetensors(folder).error().message, folder + ": is a folder: expected a file.");
    EXPECT_EQ(open_safetensors("/dev/null").error().message,
              "/dev/null: is a device: expected a file.");
    EXPECT_EQ(open_safetensors("-").error().message,
              "-: could not be read: expected the name of a file on the disk.");
    EXPECT_EQ(open_safetensors("/none.safetensors").error().message,
              "/none.safetensors: could not be read: No such file or directory.");
}

} // namespace
} // namespace normscope
