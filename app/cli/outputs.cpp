#include "app/cli/outputs.h"

#include "app/io/file.h"

#include <system_error>

namespace normscope {

CommandResult write_files(const std::filesystem::path& folder,
                          const std::vector<OutputFile>& files) {
    for (const OutputFile& file : files) {
        const std::filesystem::path path = folder / file.name;
        std::error_code error;
        std::filesystem::create_directories(path.parent_path(), error);
        if (error)
            return data_error(path.parent_path().string() +
                              ": could not be made: " + error.message() + ".");
        if (const Result<void> written = write_file_atomically(path, file.bytes); !written)
            return data_error(written.error().message);
    }
    return {};
}

} // namespace normscope
