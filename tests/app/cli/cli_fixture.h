#pragma once
#include "app/cli/command.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/npy.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace normscope {

// Runs the command line in this process, with a folder of its own for files.
class CommandLineTest : public ::testing::Test {
  protected:
    struct Run {
        int status = 0;
        std::string out, err;
        std::optional<WindowRequest> window; // what a window was opened with
    };

    void SetUp() override {
        std::string pattern =
            (std::filesystem::temp_directory_path() / "normscope-cli-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    static Run run(std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "normscope");
        std::vector<const char*> argv;
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        Run result;
        std::ostringstream out;
        std::ostringstream err;
        const WindowRunner open_window = [&](const WindowRequest& request) -> Result<int> {
            result.window = request;
            if (request.start.file.filename() == "no-display") return fail("no display: play one");
            return 0;
        };
        result.status =
            run_command_line(static_cast<int>(argv.size()), argv.data(), open_window, out, err);
        result.out = out.str();
        result.err = err.str();
        return result;
    }

    std::string path(const std::string& name) const { return (folder_ / name).string(); }

    // The path of a file that holds `bytes`.
    std::string put(const std::string& name, std::string_view bytes) const {
        EXPECT_TRUE(write_file_atomically(path(name), bytes));
        return path(name);
    }
    bool has_output(const std::string& name) const {
        return std::filesystem::exists(folder_ / "out" / (name + ".npy"));
    }
    NpyArray output(const std::string& name) const {
        const Result<std::string> bytes = read_file(folder_ / "out" / (name + ".npy"));
        EXPECT_TRUE(bytes.has_value()) << name;
        Result<NpyArray> array = read_npy(bytes.value_or(""), name);
        EXPECT_TRUE(array.has_value()) << name;
        return std::move(array).value_or(NpyArray{});
    }
    void expect_output(const std::string& name, const Matrix<double>& expected,
                       double tolerance) const {
        const Matrix<double> actual = output(name).stacked;
        ASSERT_EQ(actual.rows(), expected.rows()) << name;
        ASSERT_EQ(actual.cols(), expected.cols()) << name;
        EXPECT_LE((actual - expected).cwiseAbs().maxCoeff(), tolerance) << name << "\n" << actual;
    }

    std::filesystem::path folder_;
};

} // namespace normscope
