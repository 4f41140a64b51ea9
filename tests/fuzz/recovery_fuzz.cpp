#include "app/session/session_copy.h"
#include "tests/fuzz/input_file.h"

// Any bytes as a copy of unsaved work: a copy that is written and read back the same, or a message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    read_copy_head(bytes);
    const Result<SessionCopy> copy = read_session_copy(bytes, "c");
    if (!copy) {
        fuzz::require(copy.error().message.starts_with("c"));
        return 0;
    }
    const Result<SessionCopy> again = read_session_copy(write_copy(*copy), "again");
    fuzz::require(again && again->file == copy->file &&
                  // The documents are compared as text, in which NaN equals NaN.
                  write_session(again->document) == write_session(copy->document));
    return 0;
}
