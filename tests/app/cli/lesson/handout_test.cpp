#include "tests/app/cli/cli_fixture.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <regex>
#include <sstream>

namespace normscope {
namespace {

class Handout : public CommandLineTest {
  protected:
    // The pages of a PDF end with a form feed.
    static std::string text_of(const std::string& pdf) {
        std::string text;
        FILE* pipe = ::popen(("pdftotext '" + pdf + "' -").c_str(), "r");
        for (std::array<char, 4096> part{}; pipe;) {
            const std::size_t n = std::fread(part.data(), 1, part.size(), pipe);
            if (n == 0) break;
            text.append(part.data(), n);
        }
        EXPECT_EQ(pipe ? ::pclose(pipe) : 1, 0) << "third_party/packages-test.txt has it";
        return text;
    }
    // A blank between them.
    static std::string words_of(const std::string& pdf) {
        return std::regex_replace(text_of(pdf), std::regex("\\s+"), " ");
    }
    static bool says(const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    }
};

TEST_F(Handout, AsksOnOnePaperAndAnswersOnAnother) {
    const auto lesson = std::filesystem::path(NORMSCOPE_ASSET_DIR) / "lessons" / "shortcut.json";
    const Run made = run({"lesson", "handout", lesson.string(), "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err;
    const std::string tasks = words_of(path("paper.pdf"));
    const std::string solved = words_of(path("paper-solutions.pdf"));
    for (const std::string& text : {tasks, solved}) {
        EXPECT_TRUE(says(text, "The shortcut")) << text;
        EXPECT_TRUE(says(text, "Feature by feature")) << text;
        EXPECT_TRUE(says(text, "3.16")) << text;
    }
    EXPECT_FALSE(says(tasks, "The Add keeps what came in")) << tasks;
    EXPECT_TRUE(says(solved, "The Add keeps what came in")) << solved;
    EXPECT_FALSE(says(tasks, "meets the same feature")) << tasks;
    EXPECT_TRUE(says(solved, "meets the same feature")) << solved;
}

TEST_F(Handout, TellsNoEarlierAnswerAndHasRoomForANameAndADate) {
    const auto paper_of = [&](const std::string& lesson) {
        const auto file =
            std::filesystem::path(NORMSCOPE_ASSET_DIR) / "lessons" / (lesson + ".json");
        const Run made = run({"lesson", "handout", file.string(), "--out", path("paper.pdf")});
        EXPECT_EQ(made.status, 0) << made.err;
        return words_of(path("paper.pdf"));
    };
    const std::string deep = paper_of("deep");
    EXPECT_TRUE(says(deep, "Name")) << deep;
    EXPECT_TRUE(says(deep, "Date")) << deep;
    EXPECT_FALSE(says(deep, "2e-15")) << deep;
    EXPECT_TRUE(says(deep, "block 48, and ________ at the input")) << deep;
    EXPECT_TRUE(says(words_of(path("paper-solutions.pdf")), "2e-15"));
    EXPECT_TRUE(says(deep, "B about 1/48")) << "options have letters: " << deep;
    EXPECT_TRUE(says(deep, "Do In “Stack”")) << "a task does not look like one: " << deep;
    const std::string backwards = paper_of("backwards-by-hand");
    EXPECT_TRUE(says(backwards, "dγ is ________, and lr is 1")) << backwards;
}

// The lane's name stands in no text: only the curve of a race that was run is labelled with it.
TEST_F(Handout, TheSolutionsShowThePageOnceTheTaskIsDone) {
    const std::string lesson = put("race.json", R"({
      "id": "race", "version": 1, "title": "Race", "question": "Who wins?", "steps": [{
        "title": "Run it", "text": "A short race.", "show": ["train.race"],
        "start": {"example": "studying", "workspace": "train", "document": {"train": {
          "common": {"task": "moons", "layers": 2, "width": 4, "steps": 20},
          "lanes": [{"name": "zebra", "look": 1, "differences": {"norm": "layer"}}]}}},
        "task": {"text": "Press Run.", "done": [{"setting": "train.step", "is": 20}],
                 "solution": [{"click": "train.run.run"}]}}]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_FALSE(says(words_of(path("paper.pdf")), "zebra")) << "nothing has been run";
    EXPECT_TRUE(says(words_of(path("paper-solutions.pdf")), "zebra"));
}

TEST_F(Handout, AWideFigureIsDrawnWhole) {
    const std::string lesson = put("norms.json", R"({
      "id": "norms", "version": 1, "title": "Norms", "question": "Who shares?", "steps": [{
        "title": "Look", "text": "Three cards.", "show": ["batch-vs-layer.norms"],
        "start": {"workspace": "batch-vs-layer", "document": {
          "title": "Two", "tokens": ["a", "b"], "x": [[5.16, 2.61], [1.25, 0.5]]}}}]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err << made.out;
    const std::string tasks = words_of(path("paper.pdf"));
    EXPECT_TRUE(says(tasks, "5.16")) << "the cells have their numbers: " << tasks;
    EXPECT_TRUE(says(tasks, "1.25")) << tasks;
}

TEST_F(Handout, AFigureOfTwoRowsOfCardsIsDrawnWhole) {
    const std::string lesson = put("norms.json", R"({
      "id": "norms", "version": 1, "title": "Norms", "question": "Who shares?", "steps": [{
        "title": "Look", "text": "Five cards.",
        "show": ["batch-vs-layer.norms", "batch-vs-layer.norms.rms"],
        "start": {"workspace": "batch-vs-layer", "document": {
          "title": "Two", "tokens": ["near", "far"], "x": [[5.16, 2.61], [1.25, 0.5]]}}}]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err << made.out;
    const std::string tasks = words_of(path("paper.pdf"));
    for (const char* const part : {"RMS norm", "Group norm", "near", "d1", "5.16", "1.25"})
        EXPECT_TRUE(says(tasks, part)) << part << ": " << tasks;
}

TEST_F(Handout, WhatOneStepHidesIsCoveredInTheTasksOfTheNextToo) {
    const std::string lesson = put("centre.json", R"({
      "id": "centre", "version": 1, "title": "Centre", "question": "Where?", "steps": [
        {"title": "The mean", "text": "One token.", "show": ["add-norm.card-z"],
         "hide": ["add-norm.card-z.distribution", "add-norm.card-z.statistics"],
         "start": {"example": "three-features", "workspace": "add-norm"},
         "predict": {"question": "Which?", "number": "mean[studying]", "within": 0.01,
                     "right": "Yes.", "wrong": "No."}},
        {"title": "The rest", "text": "The same token.", "show": ["add-norm.card-z"],
         "predict": {"question": "Is it 0?", "choices": [
           {"text": "yes", "right": true, "feedback": "Yes."}, {"text": "no", "feedback": "No."}]}}
      ]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err << made.out;
    const std::string tasks = words_of(path("paper.pdf"));
    EXPECT_TRUE(says(tasks, "3.16")) << "Z is shown: " << tasks;
    EXPECT_TRUE(says(tasks, "?")) << tasks;
    EXPECT_FALSE(says(tasks, "1.88")) << tasks;
    EXPECT_TRUE(says(words_of(path("paper-solutions.pdf")), "1.88"));
}

TEST_F(Handout, TheTasksShowNoPageThatATaskHasAnswered) {
    const std::string lesson = put("race.json", R"({
      "id": "race", "version": 1, "title": "Race", "question": "Who wins?", "steps": [
        {"title": "Run it", "text": "A short race.", "show": ["train.race"],
         "start": {"example": "studying", "workspace": "train", "document": {"train": {
           "common": {"task": "moons", "layers": 2, "width": 4, "steps": 20},
           "lanes": [{"name": "zebra", "look": 1, "differences": {"norm": "layer"}}]}}},
         "predict": {"question": "Does it learn?", "choices": [
           {"text": "yes", "right": true, "feedback": "Yes."}, {"text": "no", "feedback": "No."}]},
         "task": {"text": "Press Run.", "done": [{"setting": "train.step", "is": 20}],
                  "solution": [{"click": "train.run.run"}]}},
        {"title": "Look at it", "text": "The same race.", "show": ["train.race"]}]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err;
    EXPECT_FALSE(says(words_of(path("paper.pdf")), "zebra"));
    EXPECT_TRUE(says(words_of(path("paper-solutions.pdf")), "zebra"));
}

TEST_F(Handout, AQuestionStandsOnOnePageWithItsOptions) {
    std::string steps;
    constexpr int k_steps = 12;
    for (int i = 0; i < k_steps; ++i)
        steps += fmt::format(R"({}{{"title": "Step", "text": "Words.",
          "predict": {{"question": "question {}!", "choices": [
            {{"text": "first", "feedback": "No."}}, {{"text": "second", "feedback": "No."}},
            {{"text": "third {}!", "right": true, "feedback": "Yes."}}]}}}})",
                             i == 0 ? "" : ",", i, i);
    steps.insert(1, R"("start": {"example": "studying"},)");
    const std::string lesson = put("many.json", R"({"id": "many", "version": 1, "title": "Many",
      "question": "Which?", "steps": [)" + steps + "]}");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err << made.out;
    for (const char* const paper : {"paper.pdf", "paper-solutions.pdf"}) {
        int whole = 0;
        std::istringstream pages(text_of(path(paper)));
        for (std::string page; std::getline(pages, page, '\f');)
            for (int i = 0; i < k_steps; ++i)
                whole += says(page, fmt::format("question {}!", i)) &&
                         says(page, fmt::format("third {}!", i));
        EXPECT_EQ(whole, k_steps) << paper;
    }
}

TEST_F(Handout, OrdersAndSketchesHaveRoomForAnAnswer) {
    const std::string lesson = put("both.json", R"({
      "id": "both", "version": 1, "title": "Both", "question": "What comes?", "steps": [
        {"title": "Order", "text": "Three lines.", "start": {"example": "studying"},
         "predict": {"question": "Which first?", "right": "Yes.", "wrong": "No.", "order": [
           {"text": "third", "by": 3}, {"text": "first", "by": 1}, {"text": "second", "by": 2}]}},
        {"title": "Sketch", "text": "A curve.",
         "predict": {"question": "How does it go?", "right": "Up.", "wrong": "Up.", "within": 1,
           "sketch": {"points": [{"at": "left", "is": 1}, {"at": "end", "is": 9}],
                      "from": 0, "to": 10}}}]})");
    const Run made = run({"lesson", "handout", lesson, "--out", path("paper.pdf")});
    ASSERT_EQ(made.status, 0) << made.err << made.out;
    const std::string tasks = words_of(path("paper.pdf"));
    const std::string solved = words_of(path("paper-solutions.pdf"));
    for (const std::string& text : {tasks, solved}) EXPECT_TRUE(says(text, "left")) << text;
    EXPECT_FALSE(says(tasks, "measured")) << tasks;
    EXPECT_TRUE(says(solved, "measured")) << solved;
    EXPECT_TRUE(says(solved, "3 third 1 first 2 second")) << solved;
    EXPECT_TRUE(says(tasks, "third first second")) << tasks;
}

TEST_F(Handout, OfALessonThatDoesNotPlayIsRefused) {
    const Run none = run({"lesson", "handout", put("none.json", "{}"), "--out", path("p.pdf")});
    EXPECT_EQ(none.status, 1);
    EXPECT_FALSE(std::filesystem::exists(path("p.pdf")));
}

} // namespace
} // namespace normscope
