#include "app/io/load.h"

#include "app/io/class_column.h"
#include "app/io/file.h"
#include "app/io/table.h"
#include "app/io/zip.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <zlib.h>

namespace normscope {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

const fs::path k_data = fs::path(NORMSCOPE_GOLDEN_DIR) / ".." / "app" / "io" / "data";

class Load : public ::testing::Test {
  protected:
    Load() : folder_(fs::temp_directory_path() / ("normscope-load-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Load() override { fs::remove_all(folder_); }

    fs::path put(const std::string& name, const std::string& bytes) {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
        return folder_ / name;
    }
    std::string error_of(const std::string& bytes, const std::string& name = "a.csv") {
        const auto loaded = load_file(put(name, bytes));
        return loaded ? "no error" : loaded.error().message.substr(folder_.string().size() + 1);
    }
    std::string table_error(const fs::path& path) {
        const auto table = load_table(path);
        return table ? "no error" : table.error().message;
    }

    fs::path folder_;
};

std::string gzip(const std::string& bytes) {
    z_stream stream{};
    EXPECT_EQ(::deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    std::string out(::deflateBound(&stream, bytes.size()) + 64, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    EXPECT_EQ(::deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.resize(stream.total_out);
    ::deflateEnd(&stream);
    return out;
}

TEST_F(Load, ReadsTextAndArraysThatGzipPacked) {
    const std::string text = "token,a,b\nthe,1,2\ncat,3,4\n";
    const Table table = load_table(put("a.csv.gz", gzip(text))).value();
    EXPECT_EQ(table.token_names, (Names{"the", "cat"}));
    EXPECT_EQ(load_table(put("a.bin", gzip(text))).value().values, table.values);
    const Table array = load_table(k_data / "little_f4.npy.gz").value();
    EXPECT_EQ(array.values, load_table(k_data / "little_f4.npy").value().values);
    EXPECT_EQ(load_table(put("two.tsv.gz", gzip("1\t2\n") + gzip("3\t4\n"))).value().values,
              Matrix<double>({{1, 2}, {3, 4}}))
        << "one member after the other";
}

TEST_F(Load, SaysThatAPackedFileIsCutShortOrDamaged) {
    const std::string packed = gzip("1,2\n3,4\n5,6\n");
    for (std::size_t size = 2; size + 1 < packed.size(); ++size)
        EXPECT_NE(error_of(packed.substr(0, size)).find("end too early"), std::string::npos)
            << size << error_of(packed.substr(0, size));
    std::string wrong = packed;
    wrong[packed.size() - 6] ^= 1; // in the checksum
    EXPECT_NE(error_of(wrong).find("damaged"), std::string::npos);
    EXPECT_EQ(error_of(gzip("1,2\n3,x\n"), "b.csv.gz"),
              "b.csv.gz: line 2, column 2: expected a number, found \"x\".");
}

TEST_F(Load, UnpacksNoMoreThanItMay) {
    const std::string packed = gzip(std::string(1 << 20, '0'));
    EXPECT_EQ(unpack(packed, Packing::gzip, 1 << 20, "a").value().size(), 1U << 20);
    EXPECT_EQ(unpack(packed, Packing::gzip, (1 << 20) - 1, "a.gz").error().message,
              "a.gz: unpacks to more than 0 MiB: expected at most that.");
    EXPECT_TRUE(unpack("", Packing::deflate, 9, "a").error().message.find("too early") !=
                std::string::npos);
}

TEST_F(Load, ReadsTheOnlyArrayOfAnArchive) {
    EXPECT_EQ(load_table(k_data / "one.npz").value().values,
              load_table(k_data / "little_f4.npy").value().values);
    EXPECT_TRUE(std::holds_alternative<Table>(load_file(k_data / "one.npz").value()));
}

TEST_F(Load, AsksWhichArrayOfAnArchive) {
    const fs::path several = k_data / "several.npz";
    const LoadedFile loaded = load_file(several).value();
    ASSERT_TRUE(std::holds_alternative<ArrayNames>(loaded));
    EXPECT_EQ(std::get<ArrayNames>(loaded), (Names{"x", "stack", "gamma"}));
    EXPECT_EQ(table_error(several),
              several.string() + ": holds 3 arrays: name one after a colon, as in " +
                  several.string() + ":x; expected \"x\", \"stack\", \"gamma\".");
    EXPECT_EQ(load_table(several.string() + ":x").value().values,
              load_table(k_data / "little_f8.npy").value().values);
    EXPECT_EQ(load_table(several.string() + ":gamma").value().values.rows(), 1);
    EXPECT_NE(table_error(several.string() + ":y").find("has no array \"y\": expected \"x\""),
              std::string::npos);
    EXPECT_NE(table_error(several.string() + ":stack").find("holds 2 matrices"), std::string::npos);
    EXPECT_EQ(load_table(put("a:b.csv", "1,2\n")).value().values.cols(), 2)
        << "a name with a colon";
}

TEST_F(Load, RefusesADamagedArchive) {
    for (const char* name : {"one.npz", "several.npz"}) {
        const std::string whole = read_file(k_data / name).value();
        for (std::size_t size = 4; size < whole.size(); size += 7)
            EXPECT_NE(error_of(whole.substr(0, size)), "no error") << size;
        // Whatever is changed: an array, a choice or a message; never other numbers.
        const auto values = load_table((k_data / name).string() + (name[0] == 's' ? ":x" : ""));
        for (std::size_t at = 0; at < whole.size(); ++at) {
            std::string bytes = whole;
            bytes[at] = static_cast<char>(bytes[at] ^ 0x41);
            const auto members = list_zip(bytes, "a");
            if (!members || members->empty()) continue;
            const auto data = read_zip_member(bytes, members->front(), "a");
            if (!data) continue;
            EXPECT_EQ(read_npy(*data, "a").value().stacked, values->values) << at;
        }
    }
}

// The first bytes of each, as far as they tell.
TEST_F(Load, NamesTheFilesOfOtherPrograms) {
    using namespace std::string_literals;
    const auto expect = [&](const std::string& bytes, const std::string& what) {
        for (const char* name : {"a.csv", "b.npy", "c.bin"})
            EXPECT_NE(error_of(bytes + std::string(600, '\0'), name).find(what), std::string::npos)
                << what << ": " << error_of(bytes + std::string(600, '\0'), name);
        EXPECT_NE(error_of(gzip(bytes + std::string(600, '\0'))).find(what), std::string::npos);
    };
    const std::string header = "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}";
    expect(static_cast<char>(header.size()) + "\0\0\0\0\0\0\0"s + header,
           "is a safetensors file: ");
    expect("GGUF\x03\0\0\0"s, "is a GGUF model: ");
    expect("\x89HDF\r\n\x1A\n\0"s, "is an HDF5 file: ");
    expect("MATLAB 5.0 MAT-file, Platform: GLNXA64", "is a MATLAB file: ");
    expect("PAR1\x15\x04\x15"s, "is a Parquet table: ");
    expect("\x80\x04\x95\x10\0"s, "is a Python pickle: ");
    expect("\x28\xB5\x2F\xFD\x04\0"s, "is packed with zstd: ");
    expect("\x89PNG\r\n\x1A\n\0"s, "is a PNG picture: ");
    expect("%PDF-1.7\n", "is a PDF: ");
    expect("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"s, "is an older Excel workbook (.xls): ");
    for (const char* page :
         {"<!DOCTYPE html>\n<html>", " <html lang=en>", "<?xml version=\"1.0\"?>"})
        EXPECT_NE(error_of(page).find("is a web page"), std::string::npos) << page;
    for (const char* json :
         {"{\"version\": 1}", "{}", "[[1, 2], [3, 4]]\n", "[1.5, 2]", " [\"a\"]"})
        EXPECT_NE(error_of(json).find("is JSON"), std::string::npos) << json;
    EXPECT_EQ(
        error_of("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 548118077\n",
                 "model.npy"),
        "model.npy: is a Git LFS pointer to a file of 548118077 bytes, not that file: fetch it "
        "with git lfs pull.");
}

TEST_F(Load, NamesMatricesAsProgramsPrintThem) {
    for (const char* printed : {"[[ 1.5  -2.    3.25]\n [ 4.    5.5  -6.  ]]\n", "[1. 2. 3.]",
                                "array([[1., 2.],\n  [3., 4.]])", "tensor([[ 1.5000, -2.0000]])"})
        EXPECT_NE(error_of(printed).find("as NumPy prints it, rounded: save it with numpy.save"),
                  std::string::npos)
            << error_of(printed);
    for (const char* printed : {"\nA =\n\n    1.5000   -2.0000\n    4.0000    5.5000\n\n",
                                "A = [1 2; 3 4];\n", "[1 2; 3 4]\n", "ans =\r\n\r\n  1  2\r\n"})
        EXPECT_NE(error_of(printed).find("as MATLAB prints it, rounded: save it with writematrix"),
                  std::string::npos)
            << error_of(printed);
}

TEST_F(Load, ReadsPointsWithClassesFromEveryKindOfFile) {
    std::string text = "a,b,class\n";
    for (int i = 0; i < 12; ++i) text += "1,2.5,elm\n3,4.5,oak\n";
    for (const fs::path& path :
         {put("a.csv", text), put("a.csv.gz", gzip(text)), put("a.data", text)}) {
        const auto points = load_points(path);
        ASSERT_TRUE(points) << points.error().message;
        EXPECT_EQ(points->x.rows(), 24);
        EXPECT_EQ(points->names.classes, (Names{"elm", "oak"}));
    }
    const std::string little = load_points(k_data / "little_f8.npy").error().message;
    EXPECT_TRUE(little.starts_with((k_data / "little_f8.npy").string() + ": the column “"))
        << little;
    EXPECT_NE(load_points(put("wide.csv", std::string("\xFF\xFE"
                                                      "1\0",
                                                      4)))
                  .error()
                  .message.find("UTF-16"),
              std::string::npos);
}

TEST_F(Load, TakesWordsLikeThoseMarksForWords) {
    EXPECT_EQ(load_table(put("a.csv", "PAR1,GGUF\n1,2\n")).value().feature_names,
              (Names{"PAR1", "GGUF"}));
    EXPECT_EQ(load_table(put("a.txt", "[CLS] 1 2\n<unk> 3 4\n{ 5 6\n")).value().token_names,
              (Names{"[CLS]", "<unk>", "{"}));
    EXPECT_EQ(load_table(put("b.txt", "{ 1 2\nthe 3 4\n[ 5 6\n")).value().token_names,
              (Names{"{", "the", "["}));
    EXPECT_EQ(load_table(put("c.txt", "[ 1 2\nthe 3 4\n] 5 6\n")).value().token_names,
              (Names{"[", "the", "]"}));
}

// A stored zip with empty members of these names.
std::string zip_of(const Names& names) {
    const auto number = [](std::size_t value, int bytes) {
        std::string text;
        for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
        return text;
    };
    std::string out, directory;
    for (const std::string& name : names) {
        directory += "PK\x01\x02" + std::string(24, '\0') + number(name.size(), 2) +
                     std::string(12, '\0') + number(out.size(), 4) + name;
        out += "PK\x03\x04" + std::string(22, '\0') + number(name.size(), 2) +
               std::string(2, '\0') + name;
    }
    return out + directory + "PK\x05\x06" + std::string(4, '\0') + number(names.size(), 2) +
           number(names.size(), 2) + number(directory.size(), 4) + number(out.size(), 4) +
           std::string(2, '\0');
}

TEST_F(Load, FindsAnArrayWithAColonInItsName) {
    const fs::path file = put("layers.npz", zip_of({"layer:0.npy", "a:b:c.npy"}));
    for (const std::string array : {"layer:0", "a:b:c"}) {
        const FileAndArray found = split_array(file.string() + ":" + array);
        EXPECT_EQ(found.file, file);
        EXPECT_EQ(found.array, array);
    }
    EXPECT_NE(table_error(file.string() + ":b:c").find("has no array \"b:c\""), std::string::npos);
    EXPECT_EQ(split_array(put("a:b.npz", "").string() + ":c").array, "c");
    EXPECT_EQ(split_array("none:a:b").file, "none:a:b");
}

TEST_F(Load, NamesWhatAZipFileIs) {
    const auto expect = [&](const Names& names, const std::string& what) {
        EXPECT_NE(error_of(zip_of(names), "a.npz").find(what), std::string::npos)
            << error_of(zip_of(names), "a.npz");
    };
    expect({"archive/data.pkl", "archive/data/0"}, "is a PyTorch file: ");
    expect({"[Content_Types].xml", "xl/workbook.xml"}, "is an Excel workbook (.xlsx): ");
    expect({"mimetype", "content.xml"}, "is an OpenDocument file (.ods): ");
    expect({"readme.txt"}, "is a zip archive without a NumPy array: ");
    expect({}, "is a zip archive without a NumPy array: ");
    expect({"x.npy"}, "the file is empty: expected a NumPy array");
}

} // namespace
} // namespace normscope
