#pragma once
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

namespace normscope::fuzz {

// The bytes as a file: what a person opens goes through the same door.
class InputFile {
  public:
    explicit InputFile(const std::string& name)
        : path_(std::filesystem::temp_directory_path() /
                ("normscope-fuzz-" + std::to_string(getpid()) + "-" + name)) {}
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;
    ~InputFile() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

    void write(const std::uint8_t* data, std::size_t size) {
        std::ofstream out(path_, std::ios::binary);
        out.write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
        if (!out.flush()) std::abort();
    }

  private:
    std::filesystem::path path_;
};

// Ends the run, and the fuzzer keeps the input, where `holds` is false.
inline void require(bool holds) {
    if (!holds) std::abort();
}

} // namespace normscope::fuzz
