// Scenes in a session file.
#include "app/session/document_json.h"

#include "app/session/session_copy.h"
#include "app/session/session_file.h"
#include "tests/app/model/edited.h"
#include "tests/app/model/random_edit.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::edited;

Document with_scenes_again(const std::string& bytes) {
    auto d = read_session(bytes, "a.normscope.json");
    EXPECT_TRUE(d) << d.error().message << "\n" << bytes;
    return d ? *d : Document{};
}

Scene scene_of(const Document& d, const std::string& name) {
    return {name, "What moves?",   "Wait.\nThen ask.", "backward", "dy", 1, {},
            d,    {{"target", 1}}, {"dz", "nothing"},  1};
}

TEST(ScenesJson, RoundTripsWhateverWasEditedBetweenTwoScenes) {
    Random random(5);
    int with_scenes = 0;
    for (int round = 0; round < 60; ++round) {
        Document d = testing::any_document(random, 3, 4, testing::any_number_or_not);
        for (int i = 0; i < 12; ++i) {
            if (const auto next = normscope::apply(d, testing::any_edit(random, d))) d = *next;
            if (i % 4 == 3)
                d = edited(d, keep_scene(d, random.below(d.scenes->size() + 1), scene_of(d, "s")));
        }
        with_scenes += d.scenes->size() > 1;
        const std::string bytes = write_session(d);
        EXPECT_EQ(with_scenes_again(bytes), d) << bytes;
        EXPECT_EQ(write_session(with_scenes_again(bytes)), bytes);
    }
    EXPECT_GT(with_scenes, 30);
}

TEST(ScenesJson, AMatrixThatScenesShareStandsOnceAndIsSharedAgain) {
    Document d = blank_document(2, 3);
    d.x = Matrix<double>::Constant(2, 3, 0.4375).eval();
    d = edited(d, keep_scene(d, 0, scene_of(d, "as it is")));
    Document other = edited(d, SetParam{Param::gamma, 0, 0, 2});
    d = edited(other, keep_scene(other, 1, scene_of(other, "stretched")));
    const std::string bytes = write_session(d);
    std::size_t times = 0;
    for (std::size_t at = bytes.find("[0.4375"); at != bytes.npos;
         at = bytes.find("[0.4375", at + 1))
        ++times;
    EXPECT_EQ(times, 2u) << "a row each, once\n" << bytes;
    const Document read = with_scenes_again(bytes);
    ASSERT_EQ(read.scenes->size(), 2u);
    EXPECT_TRUE((*read.scenes)[0].document.x.is(read.x));
    EXPECT_TRUE((*read.scenes)[1].document.x.is(read.x));
    EXPECT_EQ((*(*read.scenes)[0].document.gamma)[0], 1);
    EXPECT_EQ((*(*read.scenes)[1].document.gamma)[0], 2);
}

TEST(ScenesJson, ACopyOfUnsavedWorkHasThem) {
    Document d = blank_document(2, 3);
    d = edited(d, keep_scene(d, 0, scene_of(d, "first")));
    d = edited(d, SetCells{Input::x, 0, 0, Matrix<double>::Constant(1, 1, 7)});
    const auto copy = read_session_copy(write_copy({d, {}, {}}), "copy");
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->document, d);
}

TEST(ScenesJson, ASessionWithoutScenesSaysNothingOfThemAndAnOlderOneOpens) {
    const Document d = blank_document(2, 3);
    EXPECT_EQ(write_session(d).find("scenes"), std::string::npos);
    EXPECT_TRUE(
        with_scenes_again(R"({"format": "normscope", "version": 1, "x": [[1]]})").scenes->empty());
}

TEST(ScenesJson, WhatIsWrongIsNamedWithItsPlace) {
    const auto error_of = [](const std::string& scenes) {
        const auto d = read_session(
            R"({"format": "normscope", "version": 1, "x": [[1, 2]], "scenes": )" + scenes + "}",
            "a");
        EXPECT_FALSE(d) << scenes;
        return d ? std::string() : d.error().message;
    };
    const std::pair<const char*, const char*> cases[] = {
        {R"({})", "at /scenes: expected a list of scenes"},
        {R"([{"title": "a"}])", "at /scenes/0"},
        {R"([{"name": 1}])", "at /scenes/0/name"},
        {R"([{"token": -1}])", "at /scenes/0/token"},
        {R"([{}, {"document": {"x": [[1], [2, 3]]}}])", "at /scenes/1/document/x/1"},
        {R"([{"document": {"gamma": [1]}}])", "at /scenes/0/document/gamma"},
        {R"([{"options": ["a"], "right": 1}])", "at /scenes/0/right"},
        {R"([{"options": ["a", "b", "c", "d", "e"]}])", "at /scenes/0/options"},
        {R"([{"look": [1]}])", "at /scenes/0/look"},
        {R"([{"look": {"curves": "dots"}}])", "at /scenes/0/look/curves"},
        {R"([{"document": {"speed": 1}}])", "at /scenes/0/document"},
        {R"([{"document": {"scenes": []}}])", "at /scenes/0/document/scenes"},
        {R"([{"document": 3}])", "at /scenes/0/document"}};
    for (const auto& [scenes, place] : cases)
        EXPECT_NE(error_of(scenes).find(place), std::string::npos) << error_of(scenes);
}

} // namespace
} // namespace normscope
