#include "app/session/lesson/lesson.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using Json = nlohmann::json;

Json lesson() {
    return Json::parse(R"({
      "id": "add", "version": 1, "title": "The Add", "question": "What is added?", "minutes": 3,
      "steps": [
        {"title": "Ask", "text": "A **sum**.",
         "start": {"example": "studying", "workspace": "add-norm", "token": "am",
                   "document": {"norm": "batch", "gamma": 2}},
         "hide": ["add-norm.card-z"],
         "predict": {"question": "What?", "choices": [
            {"text": "this", "right": true, "feedback": "Yes."},
            {"text": "that", "feedback": "No."}]}},
        {"title": "Do", "text": "Type.",
         "task": {"text": "γ of d3", "done": [{"value": "gamma[d3]", "is": 2, "within": 0.01},
                                              {"setting": "norm", "is": "layer"}],
                  "hints": ["Drag."],
                  "solution": [{"enter": "2", "into": "add-norm.gamma.d3"},
                               {"click": "add-norm.card-y.cells", "cell": ["am", "d3"]}]},
         "expect": [{"value": "y[am, d3]", "below": "z[am, d3]", "at": "start"}]}
      ]})");
}

Result<Lesson> read(const Json& json) {
    return read_lesson(json.dump(), "lesson.json");
}

// The error of the lesson with `value` at the place; empty: there is none.
std::string complaint(const std::string& place, const Json& value) {
    Json json = lesson();
    json[Json::json_pointer(place)] = value;
    const auto read_back = read(json);
    return read_back ? "" : read_back.error().message;
}

TEST(LessonFile, IsReadWholly) {
    const auto read_back = read(lesson());
    ASSERT_TRUE(read_back) << read_back.error().message;
    EXPECT_EQ(read_back->minutes, 3);
    ASSERT_EQ(read_back->steps.size(), 2u);
    const LessonStep& ask = read_back->steps[0];
    EXPECT_EQ(ask.start->token, "am");
    ASSERT_TRUE(ask.predict);
    EXPECT_TRUE(ask.predict->options[0].right);
    EXPECT_FALSE(ask.predict->options[1].right);
    const LessonTask& task = *read_back->steps[1].task;
    EXPECT_EQ(task.done[0].is, "2");
    EXPECT_EQ(task.done[1].value, "layer");
    EXPECT_EQ(task.solution[0].kind, LessonAct::Kind::enter);
    EXPECT_EQ(task.solution[1].feature, "d3");
    EXPECT_TRUE(read_back->steps[1].expect[0].at_start);
}

TEST(LessonFile, RefusesWhatItDoesNotKnowByItsPlace) {
    EXPECT_NE(complaint("/colour", "red").find("the key \"colour\" is not known"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/hint", "x").find("at /steps/1/task: the key \"hint\""),
              std::string::npos);
    EXPECT_NE(
        complaint("/steps/0/predict/choices/1/feedbak", "x").find("/steps/0/predict/choices/1"),
        std::string::npos);
    EXPECT_NE(complaint("/version", 2).find("reads lessons of version 1, found 2"),
              std::string::npos);
}

TEST(LessonFile, RefusesControlCharacters) {
    EXPECT_NE(
        complaint("/steps/0/text", "Raise \beta, then \theta.")
            .find("at /steps/0/text: “Raise \\x08eta, then \\theta.” has a control character"),
        std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/hints/0", "\rho").find("at /steps/1/task/hints/0"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/0/start/document", {{"tokens", {"\frac"}}})
                  .find("at /steps/0/start/document/tokens/0"),
              std::string::npos);
    EXPECT_EQ(complaint("/steps/0/text", "Two\nlines."), "");
}

TEST(LessonFile, RefusesAConditionThatNothingCanMeet) {
    EXPECT_NE(complaint("/steps/1/task/done/1/is", "leyer")
                  .find("at /steps/1/task/done/1/is: expected one of \"layer\", \"batch\""),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done/1/setting", "nrm").find("there is no setting “nrm”"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done/1", {{"setting", "flow.blocks"}, {"is", 5000}})
                  .find("at /steps/1/task/done/1/is: expected a whole number from"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done/1/within", 1).find("the key \"within\" is not known"),
              std::string::npos);
    EXPECT_EQ(complaint("/steps/1/task/done/1", {{"setting", "flow.blocks"}, {"is", 24}}), "");
}

TEST(LessonFile, RefusesTwoChoicesAlike) {
    EXPECT_NE(complaint("/steps/0/predict/choices/1/text", "this")
                  .find("at /steps/0/predict/choices/1: “this” stands twice"),
              std::string::npos);
}

TEST(LessonFile, RefusesALessonThatCannotBePlayed) {
    EXPECT_NE(complaint("/steps", Json::array()).find("at least one step"), std::string::npos);
    EXPECT_NE(complaint("/steps/0/predict/choices/0/right", false).find("no choice is right"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/hide", {"add-norm.card-y"}).find("no \"predict\""),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done/0", Json{{"value", "gamma[d3]"}}).find("\"is\""),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done/0/setting", "norm").find("expected one of \"value\""),
              std::string::npos);
    EXPECT_NE(complaint("/steps/1/task/done", Json::array()).find("what completes the task"),
              std::string::npos);
    EXPECT_NE(complaint("/steps/0/start", Json::object()).find("the first step needs"),
              std::string::npos);
    Json json = lesson();
    json.erase("question");
    EXPECT_EQ(read(json).error().message, "lesson.json: \"question\" is missing");
}

Json order() {
    return Json::parse(R"({"question": "Which first?", "right": "Yes.", "wrong": "No.",
        "order": [{"text": "b", "by": 2}, {"text": "a", "by": "sigma[a]"}]})");
}

Json sketch() {
    return Json::parse(R"({"question": "How?", "right": "Yes.", "wrong": "No.", "within": 0.5,
        "sketch": {"points": [{"at": "0", "is": 1}, {"at": "9", "is": "tokens"}],
                   "from": 0.1, "to": 100, "log": true, "title": "size"
}
})");
}

TEST(LessonFile, ReadsAnOrder) {
    Json json = lesson();
    json["steps"][0]["predict"] = order();
    const auto read_back = read(json);
    ASSERT_TRUE(read_back) << read_back.error().message;
    const LessonPrediction& predict = *read_back->steps[0].predict;
    EXPECT_EQ(predict.kind, LessonPrediction::Kind::order);
    ASSERT_EQ(predict.items.size(), 2u);
    EXPECT_EQ(predict.items[0].value, "2");
    EXPECT_EQ(predict.items[1].text, "a");
}

TEST(LessonFile, ReadsASketch) {
    Json json = lesson();
    json["steps"][0]["predict"] = sketch();
    const auto read_back = read(json);
    ASSERT_TRUE(read_back) << read_back.error().message;
    const LessonPrediction& predict = *read_back->steps[0].predict;
    EXPECT_EQ(predict.kind, LessonPrediction::Kind::sketch);
    EXPECT_EQ(predict.items[1].value, "tokens");
    EXPECT_EQ(predict.axis.from, 0.1);
    EXPECT_TRUE(predict.axis.log);
    EXPECT_EQ(predict.within, 0.5);
}

// The error of a lesson whose prediction has `value` at the place.
std::string said_of(Json predict, const std::string& place, const Json& value) {
    predict[Json::json_pointer(place)] = value;
    return complaint("/steps/0/predict", predict);
}

TEST(LessonFile, RefusesAnOrderThatCannotBeMade) {
    const auto says = [](const std::string& place, const Json& value, const std::string& part) {
        const std::string said = said_of(order(), place, value);
        EXPECT_NE(said.find(part), std::string::npos) << said;
    };
    says("/order/0/bye", 1, "at /steps/0/predict/order/0: the key \"bye\" is not known");
    says("/order/1", {{"text", "a"}}, "/order/1: \"by\" is missing");
    says("/order/1/text", "b", "/order/1: “b” stands twice");
    says("/order/1/text", "a\nb", "expected a text of one line");
    says("/order", Json::array(), "expected 2 to 8 of them");
    says("/number", 1, "expected one of \"choices\"");
}

TEST(LessonFile, RefusesASketchThatCannotBeDrawn) {
    const auto says = [](const std::string& place, const Json& value, const std::string& part) {
        const std::string said = said_of(sketch(), place, value);
        EXPECT_NE(said.find(part), std::string::npos) << said;
    };
    says("/sketch/colour", "red", "at /steps/0/predict/sketch: the key \"colour\" is not known");
    says("/sketch/points/1/by", 1, "/sketch/points/1: the key \"by\" is not known");
    says("/sketch/from", 200, "expected \"from\" to be less than \"to\"");
    says("/sketch/from", 0, "a logarithmic axis begins above 0");
    Json json = sketch();
    json.erase("within");
    EXPECT_NE(complaint("/steps/0/predict", json).find("\"within\" is missing"), std::string::npos);
}

TEST(LessonFile, KnowsTheActsThatTheProgramReports) {
    EXPECT_EQ(complaint("/steps/1/task/done/0", Json{{"act", "figure-exported"}}), "");
    const std::string said = complaint("/steps/1/task/done/0", Json{{"act", "sung"}});
    EXPECT_NE(said.find("/steps/1/task/done/0/act: “sung” is nothing"), std::string::npos) << said;
    EXPECT_NE(said.find("figure-exported, numbers-exported"), std::string::npos) << said;
}

TEST(LessonFile, AWantedLessonMayNameAStep) {
    EXPECT_EQ(wanted_lesson("deep").id, "deep");
    EXPECT_FALSE(wanted_lesson("deep").step);
    EXPECT_EQ(wanted_lesson("deep:3").id, "deep");
    EXPECT_EQ(wanted_lesson("deep:3").step, 2u);
    EXPECT_EQ(wanted_lesson("deep:0").id, "deep:0");
    EXPECT_TRUE(wanted_lesson("a/my.json:2").is_file());
}

TEST(LessonFile, AStepBeginsWithAnExampleAndWhatDiffersFromIt) {
    const auto examples = load_examples(std::filesystem::path(NORMSCOPE_ASSET_DIR) / "examples");
    ASSERT_TRUE(examples);
    const auto read_back = read(lesson());
    const auto document = lesson_document(*read_back, 0, *examples);
    ASSERT_TRUE(document) << document.error().message;
    const auto studying = open_example(*find_example(*examples, "studying"));
    EXPECT_EQ(document->x, studying->x);
    EXPECT_EQ(document->beta, studying->beta);
    EXPECT_EQ(document->norm.kind, NormKind::batch);
    EXPECT_EQ(*document->gamma, std::vector<double>(6, 2));
    Json json = lesson();
    json["steps"][0]["start"]["document"] = {{"eps", -1}};
    const auto refused = lesson_document(*read(json), 0, *examples);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("at /steps/0/start/document/eps"), std::string::npos)
        << refused.error().message;
    json["steps"][0]["start"] = {{"document", {{"x", {{1, 2, 3}}}}}};
    EXPECT_EQ(lesson_document(*read(json), 0, *examples)->feature_count(), 3);
    json["steps"][0]["start"] = {{"example", "studing"}};
    EXPECT_NE(lesson_document(*read(json), 0, *examples).error().message.find("studing"),
              std::string::npos);
}

TEST(LessonFile, SettingsAreKnownByTheirKeysInASession) {
    Document d = blank_document(2, 3);
    d.norm.kind = NormKind::rms;
    d.batch.batch = 2;
    EXPECT_EQ(setting_json(d, "norm"), Json("rms"));
    EXPECT_EQ(setting_json(d, "residual"), Json("add"));
    EXPECT_EQ(setting_json(d, "batch.size"), Json(2));
    EXPECT_EQ(setting_json(d, "backward.lr"), Json());
    EXPECT_EQ(setting_json(d, "flow.seeds"), Json(5));
    EXPECT_EQ(setting_json(d, "flow.gain"), Json(1));
    EXPECT_EQ(setting_json(d, "transformer.mask"), Json(true));
    EXPECT_EQ(setting_json(d, "train.step"), Json(0));
    EXPECT_EQ(setting_json(d, "train.lr"), Json(0.2));
    EXPECT_FALSE(setting_json(d, "batch.colour"));
    EXPECT_FALSE(setting_json(d, "colour"));
}

} // namespace
} // namespace normscope
