#include "app/language/language.h"
#include "app/session/document_json.h"
#include "app/session/lesson/lesson_json.h"

#include <fmt/format.h>

namespace normscope {

Result<Document> lesson_document(const Lesson& lesson, std::size_t index,
                                 const std::vector<Example>& examples) {
    const LessonStart& start = *lesson.steps[index].start;
    const std::string file = lesson.file.string();
    const std::string pointer = fmt::format("/steps/{}/start/document", index);
    if (start.example.empty()) {
        auto document = read_document({start.document, file, pointer});
        if (document && document->title.empty()) document->title = lesson.title;
        return document;
    }
    const auto example = find_example(examples, start.example);
    auto document = example ? open_example(*example) : tl::unexpected(example.error());
    if (!document)
        return fail(worded("{}: at /steps/{}/start/example: {}", file, index,
                           error_text(document.error())));
    if (start.document.is_null()) return document;
    auto json = parse_json(write_session(*document), file);
    if (!json) return tl::unexpected(json.error());
    json->merge_patch(start.document);
    return read_document({*json, file, pointer});
}

Index lesson_token(const LessonStart& start, const std::vector<Example>& examples) {
    const auto example = find_example(examples, start.example);
    return example ? example->token : 0;
}

} // namespace normscope
