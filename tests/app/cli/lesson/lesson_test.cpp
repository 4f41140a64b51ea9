#include "tests/app/cli/cli_fixture.h"
#include "tests/app/shell/lessons/attacks.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>

namespace normscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path k_lessons = fs::path(NORMSCOPE_ASSET_DIR) / "lessons";

std::vector<std::string> lesson_files() {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(k_lessons))
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    std::ranges::sort(names);
    return names;
}

// Each lesson that comes with the program, from its first step to its last: every name, number,
// claim and task of it is what the program has.
class EveryLesson : public CommandLineTest, public ::testing::WithParamInterface<std::string> {};

TEST_P(EveryLesson, IsPlayedToItsEndAndClaimsWhatTheProgramMeasures) {
    const Run r = run({"lesson", "check", (k_lessons / (GetParam() + ".json")).string()});
    EXPECT_EQ(r.status, 0) << r.out << r.err;
}

// The texts that are translated make the same claims.
using Translated = std::pair<std::string, std::string>; // lesson, language
class TranslatedLesson : public CommandLineTest,
                         public ::testing::WithParamInterface<Translated> {};

TEST_P(TranslatedLesson, IsPlayedToItsEndAndClaimsWhatTheProgramMeasures) {
    const auto& [lesson, language] = GetParam();
    const Run r =
        run({"lesson", "check", (k_lessons / (lesson + ".json")).string(), "--language", language});
    EXPECT_EQ(r.status, 0) << r.out << r.err;
}

INSTANTIATE_TEST_SUITE_P(Lessons, TranslatedLesson, ::testing::ValuesIn([] {
                             std::vector<Translated> all;
                             for (const char* lesson : {"shortcut", "centre-and-size",
                                                        "what-the-norm-forgets", "gamma-and-beta"})
                                 for (const char* language : {"de", "es"})
                                     all.emplace_back(lesson, language);
                             return all;
                         }()));

INSTANTIATE_TEST_SUITE_P(Lessons, EveryLesson, ::testing::ValuesIn(lesson_files()),
                         [](const auto& one) {
                             std::string name = one.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

class LessonCheck : public CommandLineTest {
  protected:
    Json lesson_ = Json::parse(std::ifstream(k_lessons / "shortcut.json"));
    LessonCheck() { lesson_["id"] = "mine"; }

    // The output about the lesson with `value` at the place.
    std::string said(const std::string& place, const Json& value) {
        lesson_[Json::json_pointer(place)] = value;
        const Run r = run({"lesson", "check", put("lesson.json", lesson_.dump())});
        EXPECT_EQ(r.status, 1) << r.out;
        return r.out;
    }
    void expect_said(const std::string& place, const Json& value, const std::string& part) {
        const std::string out = said(place, value);
        EXPECT_NE(out.find(part), std::string::npos) << out;
    }
};

TEST_F(LessonCheck, NamesATargetThatIsNotThere) {
    expect_said("/steps/2/ring/0", "add-norm.card-g",
                "step 3 “The sublayer fails”: ring: nothing on the screen is named "
                "“add-norm.card-g”");
}

TEST_F(LessonCheck, FindsARingThatIsNotAroundWhatIsPressed) {
    expect_said("/steps/2/ring/0", "add-norm.card-x",
                "ring: it is not around “add-norm.card-f.cells”, which the solution uses");
}

TEST_F(LessonCheck, FindsAClaimThatDoesNotHold) {
    expect_said("/steps/1/expect/0/is", 3.17, "“z[studying, d0]” is 3.16, expected 3.17");
}

TEST_F(LessonCheck, FindsAnExpressionThatCannotBeRead) {
    expect_said("/steps/0/text", "Look: {zed:.2f}.", "there is no quantity “zed”");
    expect_said("/steps/0/text", "Look: {q}.", "“{q}” is no term");
    expect_said("/steps/0/text", "Look: {z[0, 0]:2}.", "is no format");
    expect_said("/steps/0/text", "A **half.", "without its second");
}

TEST_F(LessonCheck, FindsANumberInWordsThatNothingProves) {
    expect_said("/steps/1/reveal", "The mean is 1.88.", "the text says 1.88");
}

TEST_F(LessonCheck, FindsNamesThatNothingHas) {
    expect_said("/language", "klingon", "language: there is no “klingon”: expected one of en, de");
    expect_said("/prerequisites", {"nothing"},
                "prerequisites: there is no “nothing”: expected one of shortcut, ");
    expect_said("/prerequisites", {"mine"}, "prerequisites: there is no “mine”");
    expect_said("/id", "deep", "id: “deep” is a lesson that comes with the program");
    expect_said("/steps/0/start/workspace", "add_norm",
                "step 1 “One number in, one number out”: start/workspace: there is no “add_norm”: "
                "expected one of add-norm");
    expect_said("/steps/1/start/token", "nobody",
                "start/token: there is no “nobody”: expected one of studying");
    expect_said("/steps/1/start/feature", "none", "start/feature: there is no “none”");
    expect_said("/steps/2/task/done/0", {{"token", "nobody"}}, "done: there is no “nobody”");
    expect_said("/steps/2/expect", {{{"workspace", "trayn"}}}, "expect: there is no “trayn”");
}

TEST_F(LessonCheck, TakesALessonBesideItAsAPrerequisite) {
    Json first = lesson_;
    first["id"] = "first";
    put("first.json", first.dump());
    lesson_["prerequisites"] = {"first", "shortcut"};
    const Run r = run({"lesson", "check", put("lesson.json", lesson_.dump())});
    EXPECT_EQ(r.status, 0) << r.out;
}

TEST_F(LessonCheck, FindsBracesThatAreShownAsTheyAre) {
    expect_said("/title", "{W}", "lesson.json: title: “{W}” is shown with its braces");
    expect_said("/question", "{W}?", "question: “{W}?” is shown with its braces");
    expect_said("/steps/0/title", "{γ}", "title: “{γ}” is shown with its braces");
}

TEST_F(LessonCheck, FindsATextWithoutAFiniteNumber) {
    expect_said("/steps/0/text", "Look: {0 / 0:.2f}.", "“Look: {0 / 0:.2f}.” shows NaN");
    expect_said("/steps/0/text", "Look: {z[x] / 0:.2f}.", "shows ∞");
}

TEST_F(LessonCheck, FindsATaskThatItsSolutionDoesNotDo) {
    expect_said("/steps/2/task/solution", Json::array(), "“max(abs(f))” is 1.36, expected 0");
}

TEST_F(LessonCheck, FindsATaskThatIsDoneBeforeItBegins) {
    expect_said("/steps/2/task/done/0/is", 1.36, "done before a hand has moved");
}

TEST_F(LessonCheck, FindsASolutionOnALockedControl) {
    expect_said("/steps/2/lock", {"add-norm.card-f"}, "“add-norm.card-f.cells” is locked");
}

TEST_F(LessonCheck, FindsARightAnswerThatTheProgramDoesNotTake) {
    expect_said("/steps/0/predict/number", "0 / 0", "the right answer counts as wrong");
}

TEST_F(LessonCheck, FindsADocumentThatCannotBeMade) {
    expect_said("/steps/0/start/example", "nobody", "at /steps/0/start/example");
    expect_said("/steps/0/start", {{"document", {{"x", "one"}}}}, "at /steps/0/start/document/x");
}

TEST_F(LessonCheck, NamesTheFormatsPlaces) {
    expect_said("/steps/0/tittle", "x", "at /steps/0: the key \"tittle\" is not known");
}

TEST_F(LessonCheck, FindsAnOrderThatNobodyNeedsToMake) {
    const Json predict = Json::parse(R"({"question": "?", "right": "r", "wrong": "w",
        "order": [{"text": "a", "by": 1}, {"text": "b", "by": 2}]})");
    expect_said("/steps/0/predict", predict, "in their order before a hand has moved");
    expect_said("/steps/0/predict/order/0/by", "0 / 0", "no number to be ordered by");
    expect_said("/steps/0/predict/order/0/by", "zed", "there is no quantity “zed”");
}

TEST_F(LessonCheck, FindsASketchThatItsAxisHasNoRoomFor) {
    const Json predict = Json::parse(R"({"question": "?", "right": "r", "wrong": "w", "within": 1,
        "sketch": {"points": [{"at": "0", "is": 1}, {"at": "1", "is": 200}], "from": 0, "to": 100}})");
    expect_said("/steps/0/predict", predict, "“200” is 200, which is not on the sketch's axis");
}

// Played where the program was started, in its home and at the root.
class AttackingLesson : public CommandLineTest,
                        public ::testing::WithParamInterface<testing::Attack> {};

TEST_P(AttackingLesson, TouchesNoFileWhenItIsCheckedOrPrinted) {
    const std::string lesson = put("lesson.json", testing::lesson_of(GetParam()));
    const fs::path started_in = fs::current_path();
    const auto entries = [](const fs::path& folder) {
        std::set<fs::path> all;
        for (const auto& entry : fs::directory_iterator(folder)) all.insert(entry.path());
        return all;
    };
    put("precious.csv", "1,2\n3,4\n");
    const auto at_root = entries("/"), here = entries(folder_);
    fs::current_path(folder_);
    const Run checked = run({"lesson", "check", lesson});
    const Run printed = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    fs::current_path(started_in);
    EXPECT_EQ(checked.status, GetParam().deed ? 0 : 1) << checked.out;
    EXPECT_EQ(printed.status, checked.status) << printed.err;
    for (const char* paper : {"paper.pdf", "paper-solutions.pdf", "paper-solutions.html"})
        fs::remove(path(paper));
    EXPECT_EQ(entries(folder_), here);
    EXPECT_EQ(entries("/"), at_root);
}

INSTANTIATE_TEST_SUITE_P(Lessons, AttackingLesson, ::testing::ValuesIn(testing::k_attacks),
                         [](const auto& one) { return one.param.name; });

TEST_F(LessonCheck, SaysThatASolutionLeavesTheLesson) {
    for (const char* way : {R"([{"click": "lesson.close"}])",
                            R"([{"click": "bar.file"}, {"click": "menu.file.quit"}])"})
        expect_said("/steps/2/task/solution", Json::parse(way), "the solution ends the lesson");
}

TEST_F(CommandLineTest, ALessonThatIsNotThereIsAWrongCommandLine) {
    const Run none = run({"--lesson", "shortcat"});
    EXPECT_EQ(none.status, 2);
    EXPECT_NE(none.err.find("there is no lesson \"shortcat\"; there are shortcut, "),
              std::string::npos)
        << none.err;
    EXPECT_EQ(run({"--lesson", "shortcut:99"}).status, 2);
    EXPECT_EQ(run({"--lesson", "shortcut:2"}).window->start.lesson, "shortcut:2");
    EXPECT_EQ(run({"screenshot", "--out", path("a.png"), "--lesson", "shortcat"}).status, 2);
}

// The step that the README explains is one that plays.
TEST_F(LessonCheck, TheStepOfTheReadmeIsAllWell) {
    std::ifstream in(fs::path(NORMSCOPE_ASSET_DIR) / "lessons" / "README.md");
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const std::size_t begin = text.find("```json") + 7;
    lesson_["steps"] = {Json::parse(text.substr(begin, text.find("```", begin) - begin))};
    const Run r = run({"lesson", "check", put("lesson.json", lesson_.dump())});
    EXPECT_EQ(r.status, 0) << r.out << r.err;
}

TEST_F(CommandLineTest, LessonsAreListedInTheirOrder) {
    const Run r = run({"lessons"});
    EXPECT_EQ(r.status, 0);
    EXPECT_TRUE(r.out.starts_with("shortcut")) << r.out;
    EXPECT_NE(r.out.find("What survives if the sublayer fails?"), std::string::npos);
}

} // namespace
} // namespace normscope
