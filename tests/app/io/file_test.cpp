#include "app/io/file.h"

#include "app/io/load.h"

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace normscope {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, gone afterwards.
class File : public ::testing::Test {
  protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "normscope-io-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }
    void put(const std::string& name, std::string_view bytes) const {
        std::ofstream(folder_ / name, std::ios::binary) << bytes;
    }

    fs::path folder_;
};

TEST_F(File, WritesAndReadsBytes) {
    const fs::path path = folder_ / "a.bin";
    const std::string bytes("\0\xFF\r\n\x1A text", 10);
    ASSERT_TRUE(write_file_atomically(path, bytes));
    EXPECT_EQ(read_file(path).value(), bytes);
    ASSERT_TRUE(write_file_atomically(path, ""));
    EXPECT_EQ(read_file(path).value(), "");
    const std::string large(1 << 20, 'x');
    ASSERT_TRUE(write_file_atomically(path, large));
    EXPECT_EQ(read_file(path).value(), large);
    EXPECT_EQ(files(), 1);
}

TEST_F(File, KeepsPermissions) {
    put("real", "old");
    ASSERT_EQ(::chmod((folder_ / "real").c_str(), 0640), 0);
    ASSERT_TRUE(write_file_atomically(folder_ / "real", "new"));
    struct stat status {};
    ASSERT_EQ(::stat((folder_ / "real").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640U);
}

// Somebody who looks into the folder all the time while a file of one user alone is written.
TEST_F(File, IsNeverMoreReadableThanTheFileThatItReplaces) {
    put("private", "old");
    ASSERT_EQ(::chmod((folder_ / "private").c_str(), 0600), 0);
    std::atomic<bool> ends = false;
    std::thread writer([&] {
        for (int i = 0; i < 40; ++i)
            EXPECT_TRUE(write_file_atomically(folder_ / "private", std::string(100'000, 'x')));
        ends = true;
    });
    int seen = 0;
    while (!ends) {
        std::error_code error;
        for (fs::directory_iterator it(folder_, error), none; !error && it != none;
             it.increment(error)) {
            struct stat status {};
            if (::stat(it->path().c_str(), &status) != 0) continue;
            EXPECT_EQ(status.st_mode & 0077, 0U) << it->path();
            ++seen;
        }
    }
    writer.join();
    EXPECT_GT(seen, 0);
}

TEST_F(File, RefusesToWriteThroughALinkUnlessItMayReplaceIt) {
    put("real", "old");
    for (const char* target : {"real", "not-there"}) {
        const fs::path link = folder_ / "link";
        fs::create_symlink(target, link);
        EXPECT_EQ(link_target(link).value(), fs::canonical(folder_) / target);
        EXPECT_EQ(write_file_atomically(link, "new").error().message,
                  link.string() + ": could not be written: it is a symbolic link to " +
                      (fs::canonical(folder_) / target).string() +
                      ": name that file instead, or remove the link.");
        EXPECT_TRUE(fs::is_symlink(link));
        ASSERT_TRUE(write_file_atomically(link, "new", AtLink::replace));
        EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(link)));
        EXPECT_EQ(read_file(link).value(), "new");
        EXPECT_EQ(read_file(folder_ / "real").value(), "old");
        fs::remove(link);
    }
    EXPECT_EQ(link_target(folder_ / "real").value(), std::nullopt);
}

TEST_F(File, RefusesALinkToAFileOfAnotherUser) {
    struct stat status {};
    const fs::path system = "/etc/hostname";
    if (::stat(system.c_str(), &status) != 0) GTEST_SKIP() << "there is no " << system;
    fs::create_symlink(system, folder_ / "link");
    if (status.st_uid == ::geteuid()) { // a link of another user is like a file of another
        put("own", "old");
        fs::remove(folder_ / "link");
        fs::create_symlink("own", folder_ / "link");
        ASSERT_EQ(::lchown((folder_ / "link").c_str(), 12345, 12345), 0);
    }
    const auto refused = write_file_atomically(folder_ / "link", "new", AtLink::replace);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("of another user"), std::string::npos)
        << refused.error().message;
}

TEST_F(File, RemovesTheTemporaryFilesOfWritersThatWereKilled) {
    put(".normscope-999999999-0.tmp", "half");
    const auto living = create_held(folder_, k_temporary_prefix, k_temporary_suffix, 0600);
    ASSERT_TRUE(living);
    ASSERT_TRUE(write_file_atomically(folder_ / "new", "text"));
    EXPECT_FALSE(fs::exists(folder_ / ".normscope-999999999-0.tmp"));
    EXPECT_TRUE(fs::exists(living->path)) << "somebody fills it";
}

TEST_F(File, AStampTellsAFileFromTheOneThatTookItsPlace) {
    EXPECT_EQ(file_stamp(folder_ / "a"), "");
    ASSERT_TRUE(write_file_atomically(folder_ / "a", "1"));
    const std::string before = file_stamp(folder_ / "a");
    EXPECT_EQ(file_stamp(folder_ / "a"), before);
    ASSERT_TRUE(write_file_atomically(folder_ / "a", "2"));
    EXPECT_NE(file_stamp(folder_ / "a"), before);
}

TEST_F(File, IsHeldByOneHolder) {
    auto held = create_held(folder_, "a-", ".b", 0600);
    ASSERT_TRUE(held);
    EXPECT_FALSE(hold(held->path));
    const fs::path path = held->path;
    const pid_t child = ::fork();
    if (child == 0) ::_exit(hold(path) ? 1 : 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0) << "of another process";
    held.reset();
    EXPECT_TRUE(hold(path));
    put("other", "");
    const auto kept = hold(folder_ / "other");
    EXPECT_TRUE(is_in_place(*kept));
    fs::rename(path, folder_ / "other");
    EXPECT_FALSE(is_in_place(*kept)) << "another file took its place";
}

TEST_F(File, SaysWhyItCannot) {
    const std::string path = folder_.string();
    EXPECT_EQ(read_file(folder_ / "none").error().message,
              path + "/none: could not be read: No such file or directory.");
    EXPECT_EQ(read_file(folder_).error().message, path + ": is a folder: expected a file.");
    EXPECT_EQ(read_file("/dev/zero").error().message, "/dev/zero: is a device: expected a file.");
    EXPECT_EQ(read_file("/dev/tty").error().message.substr(0, 9), "/dev/tty:");
    ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(read_file(folder_ / "pipe").error().message,
              path + "/pipe: is a pipe: expected a file.")
        << "nobody writes into it";
    fs::create_symlink("pipe", folder_ / "to-pipe.csv");
    EXPECT_EQ(load_file(folder_ / "to-pipe.csv").error().message,
              path + "/to-pipe.csv: is a pipe: expected a file.");
    EXPECT_EQ(write_file_atomically(folder_, "x").error().message,
              path + ": could not be written: it is a folder.");
    EXPECT_EQ(write_file_atomically(folder_ / "no" / "x", "x").error().message,
              path + "/no/x: could not be written: No such file or directory.");
}

TEST_F(File, ReadsTheStandardInputToItsEnd) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe(ends.data()), 0);
    ASSERT_EQ(::write(ends[1], "1,2\n3,4\n", 8), 8);
    ::close(ends[1]);
    const int before = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    const auto table = load_table(k_standard_input);
    ::dup2(before, STDIN_FILENO);
    for (const int end : {ends[0], before}) ::close(end);
    ASSERT_TRUE(table) << table.error().message;
    EXPECT_EQ(table->values(1, 0), 3);
}

// A disk that fills up is played by a limit on the size of files, in a child so that it ends there.
TEST_F(File, LeavesTheOldFileWhenTheDiskIsFull) {
    put("kept", "old");
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{1000, 1000};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const bool written =
            write_file_atomically(folder_ / "kept", std::string(5000, 'x')).has_value();
        ::_exit(written ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_EQ(read_file(folder_ / "kept").value(), "old");
    EXPECT_EQ(files(), 1);
}

// Whenever it is stopped, the target is one whole version.
TEST_F(File, LeavesAWholeFileWhenTerminated) {
    const fs::path path = folder_ / "target";
    const std::string even(300'000, 'e');
    const std::string odd(200'000, 'o');
    put("target", even);
    for (int round = 0; round < 20; ++round) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            for (int i = 0;; ++i) {
                if (!write_file_atomically(path, i % 2 == 0 ? odd : even)) ::_exit(1);
            }
        }
        ::usleep(static_cast<useconds_t>(500 + 791 * round));
        ASSERT_EQ(::kill(child, SIGTERM), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status));
        const std::string bytes = read_file(path).value();
        EXPECT_TRUE(bytes == even || bytes == odd) << "round " << round;
    }
}

TEST_F(File, LoadsByContentAndExtension) {
    put("a.csv", "1,2\n3,4\n");
    put("b.tsv", "t\tf\nthe\t1\n");
    put("c.npy", write_npy(Matrix<float>(Matrix<float>::Ones(2, 3))));
    put("d.bin", write_npy(Matrix<double>(Matrix<double>::Ones(2, 3))));
    EXPECT_TRUE(std::holds_alternative<Table>(load_file(folder_ / "a.csv").value()));
    EXPECT_EQ(load_table(folder_ / "b.tsv").value().token_names, std::vector<std::string>{"the"});
    EXPECT_TRUE(std::holds_alternative<Table>(load_file(folder_ / "c.npy").value()));
    EXPECT_EQ(load_table(folder_ / "d.bin").value().values, Matrix<double>::Ones(2, 3));
}

TEST_F(File, AsksWhichSliceOfAStack) {
    const fs::path data = fs::path(NORMSCOPE_GOLDEN_DIR) / ".." / "app" / "io" / "data";
    const fs::path stack = data / "stack_f4.npy";
    const LoadedFile loaded = load_file(stack).value();
    ASSERT_TRUE(std::holds_alternative<NpyArray>(loaded));
    EXPECT_NE(load_table(stack).error().message.find("holds 2 matrices"), std::string::npos);
    const NpyArray& array = std::get<NpyArray>(loaded);
    EXPECT_EQ(slice(array, 1).value()(0, 0), 1.0);
    EXPECT_NE(slice(array, 2).error().message.find("expected 0 to 1"), std::string::npos);
}

TEST_F(File, SaysWhatElseAFileIs) {
    put("a.csv", "PK\x03\x04 zipped");
    put("b.csv", "{\"version\": 1}");
    put("c.npy", "1,2,3");
    EXPECT_NE(load_file(folder_ / "a.csv").error().message.find("archive"), std::string::npos);
    EXPECT_NE(load_file(folder_ / "b.csv").error().message.find("JSON"), std::string::npos);
    EXPECT_NE(load_file(folder_ / "c.npy").error().message.find("numpy.save"), std::string::npos);
}

} // namespace
} // namespace normscope
