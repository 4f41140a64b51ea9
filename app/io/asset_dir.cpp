#include "app/io/asset_dir.h"

#include "app/io/file.h"
#include "app/language/language.h"

#include <cstdlib>
#include <string>

namespace normscope {
namespace fs = std::filesystem;

Result<fs::path> find_assets() {
    std::error_code ignored;
    if (const char* asked = std::getenv("NORMSCOPE_ASSETS"); asked && *asked) {
        if (fs::is_directory(asked, ignored)) return fs::path(asked);
        return fail("NORMSCOPE_ASSETS names no folder: " + std::string(asked));
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path installed = program.parent_path().parent_path() / "share" / "normscope";
    if (!program.empty() && fs::is_directory(installed, ignored)) return installed;
    if (fs::is_directory(NORMSCOPE_SOURCE_ASSETS, ignored))
        return fs::path(NORMSCOPE_SOURCE_ASSETS);
    return fail(worded("the program's data is not found in ") + installed.string() +
                ": install NormScope again, or set NORMSCOPE_ASSETS to its assets folder");
}

Result<std::string> read_asset(const std::string& name) {
    const auto assets = find_assets();
    if (!assets) return tl::unexpected(assets.error());
    return read_file(*assets / name);
}

} // namespace normscope
