#include "app/session/examples.h"
#include "app/session/session_file.h"
#include "tests/fuzz/input_file.h"

// Any bytes as a session or an example: a document that is saved and opened again the same, or a
// message.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace normscope;
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    const auto check_saving = [](const Document& document) {
        const std::string saved = write_session(document);
        const Result<Document> again = read_session(saved, "saved");
        // The sessions are compared as text, in which NaN equals NaN.
        fuzz::require(again && write_session(*again) == saved);
    };
    const Result<Document> session = read_session(bytes, "s");
    if (session)
        check_saving(*session);
    else
        fuzz::require(session.error().message.starts_with("s"));

    const Result<Example> example = read_example(bytes, "e");
    if (!example)
        fuzz::require(example.error().message.starts_with("e"));
    else if (const auto* document = std::get_if<Document>(&example->source))
        check_saving(*document);
    return 0;
}
