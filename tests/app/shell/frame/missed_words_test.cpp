#include "app/language/catalogue.h"
#include "app/language/language.h"
#include "app/model/flow/flow_stories.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

// Speaks a language whose words are the English ones with a mark before each: what is drawn without
// marks did not come through the catalogue.
namespace normscope::testing {
namespace {

constexpr char k_mark = '~';

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// A mark before each word, but none within braces.
std::string marked(std::string_view english) {
    std::string out;
    int braces = 0;
    for (std::size_t i = 0; i < english.size(); ++i) {
        braces += english[i] == '{' ? 1 : english[i] == '}' ? -1 : 0;
        const bool begins = is_letter(english[i]) && (i == 0 || !is_letter(english[i - 1]));
        if (braces == 0 && begins) out += k_mark;
        out += english[i];
    }
    return out;
}

// Words of three letters or more that have no mark.
int unmarked_words(std::string_view text) {
    int count = 0;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_letter(text[end])) ++end;
        if (end - i >= 3 && (i == 0 || text[i - 1] != k_mark)) ++count;
        i = std::max(end, i + 1);
    }
    return count;
}

TEST(MissedWords, AWordWithoutItsMarkIsSeen) {
    EXPECT_EQ(marked("Batch of {name} tokens"), "~Batch ~of {name} ~tokens");
    EXPECT_EQ(unmarked_words("~Batch ~of the tokens"), 2);
}

TEST(MissedWords, EverySentenceOfAWorkspaceIsLookedUp) {
    std::ifstream in(std::string(NORMSCOPE_ASSET_DIR) + "/languages/de.po");
    const auto read = read_catalogue(std::string(std::istreambuf_iterator<char>(in), {}), "de.po");
    ASSERT_TRUE(read) << read.error().message;
    Catalogue marks;
    for (const auto& [english, german] : read->catalogue.words)
        marks.words[english] = marked(english);
    ASSERT_GT(marks.words.size(), 1000u);
    Harness h;
    speak(&marks);
    std::set<std::string> missed;
    const auto look = [&] {
        h.settle();
        for (const LoggedText& t : h.log().texts)
            if (unmarked_words(t.text) >= 3) missed.insert(t.text);
    };
    for (std::size_t i = 0; i < h.state().examples.size(); ++i) {
        const std::string& of = h.state().examples[i].workspace;
        const std::string& id = h.state().examples[i].id;
        if (of.empty() && id != k_default_example) continue;
        open_example(h.state(), i);
        for (std::size_t w = 0; w < workspace_table().size(); ++w) {
            if (!of.empty() && of != workspace_table()[w].id) continue;
            h.state().view.workspace = w;
            look();
        }
    }
    h.state().view.workspace = *workspace_index("gradient-flow");
    for (const FlowStory& story : flow_stories()) {
        EXPECT_TRUE(h.state().apply_edits({TellStory{std::string(story.id)}}));
        look();
    }
    speak(nullptr);
    std::string list;
    for (const std::string& text : missed) list += text + "\n";
    EXPECT_EQ(list, "");
}

} // namespace
} // namespace normscope::testing
