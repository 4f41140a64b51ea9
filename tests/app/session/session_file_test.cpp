#include "app/session/session_file.h"

#include "app/io/file.h"
#include "app/io/json_reader.h"
#include "app/model/edit.h"
#include "app/session/lesson/lesson.h"
#include "tests/app/model/random_document.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::any_document;
using testing::any_name;

Document reopened(const std::string& bytes) {
    auto d = read_session(bytes, "a.normscope.json");
    EXPECT_TRUE(d) << d.error().message << "\n" << bytes;
    return d ? *d : Document{};
}

std::string error_of(const std::string& bytes) {
    const auto d = read_session(bytes, "a.normscope.json");
    EXPECT_FALSE(d) << bytes;
    return d ? std::string() : d.error().message;
}

std::string with(const std::string& rest) {
    return R"({"format": "normscope", "version": 1, )" + rest + "}";
}

TEST(SessionFile, RoundTripsAnyDocument) {
    Random random(11);
    for (int round = 0; round < 200; ++round) {
        const Index tokens = 1 + testing::index_below(random, 5);
        const Index features = 1 + testing::index_below(random, 7);
        Document d = any_document(random, tokens, features, testing::any_number_or_not);
        d.title = any_name(random);
        Names names;
        for (Index i = 0; i < tokens; ++i) names.push_back(any_name(random));
        d.tokens = names;
        d.gamma_range = {-3.25, 0.1};
        const std::string bytes = write_session(d);
        EXPECT_EQ(reopened(bytes), d) << bytes;
        EXPECT_EQ(write_session(reopened(bytes)), bytes);
    }
}

// A run of learning that overflowed, and γ that stood at ∞ where it began.
TEST(SessionFile, RoundTripsNumbersThatAreNotFiniteUnderEveryKey) {
    for (const char* rest : {
             R"("backward": {"losses": ["NaN"]})",
             R"("backward": {"losses": ["Infinity", 2], "landed": ["-Infinity", "NaN"]})",
             R"("backward": {"start_gamma": ["Infinity", 1], "start_beta": ["NaN", 1]})",
             R"("gamma": "Infinity", "beta": ["NaN", 1])",
             R"("set_aside": {"token": {"gamma": "NaN", "beta": [1, "-Infinity"]}})",
             R"("dy": [["NaN", 1], [1, 1]], "target": [[1, "Infinity"], [1, 1]])",
         }) {
        const Document d = reopened(with(R"("x": [[1, 2], [3, 4]], )" + std::string(rest)));
        EXPECT_EQ(reopened(write_session(d)), d) << rest;
    }
}

TEST(SessionFile, KeepsTheNamesOfOnesOwnPoints) {
    const auto with_points = [](const std::string& names) {
        return with(R"("x": [[1]], "train": {"common": {"task": "own"}, "input": {"name": "a.csv",
            "points": [[0, 1], [1, 2], [2, 3], [3, 4], [4, 5], [5, 6], [6, 7], [7, 8], [8, 9], [9, 9]],
            "classes": [0, 1, 0, 1, 0, 1, 0, 1, 0, 1])" +
                    names + "}}");
    };
    const auto names_in = [](const Document& d) { return d.train.input->given.points.names; };
    const Document named = reopened(with_points(
        R"(, "features": ["a", "b"], "class": "kind", "class_at": 1, "class_names": ["elm", "oak"])"));
    EXPECT_EQ(names_in(named), (PointNames{{"a", "b"}, {"elm", "oak"}, "kind", 1}));
    EXPECT_EQ(reopened(write_session(named)), named);
    EXPECT_EQ(names_in(reopened(with_points(""))), (PointNames{{"1", "2"}, {"0", "1"}, "3", 2}))
        << "of a session that kept no names";
    for (const char* wrong :
         {R"(, "features": ["a"], "class_names": ["elm", "oak"])",
          R"(, "features": ["a", "b"], "class_names": ["elm"])",
          R"(, "features": ["a", "b"], "class_at": 3, "class_names": ["e", "o"])"})
        EXPECT_NE(error_of(with_points(wrong)).find("at /train/input: expected"), std::string::npos)
            << error_of(with_points(wrong));
    std::string many = with_points("");
    const std::string classes = R"("classes": [0, 1)";
    many.replace(many.find(classes), classes.size(), R"("classes": [0, 2000000000)");
    EXPECT_NE(error_of(many).find("at most as many classes as points"), std::string::npos)
        << error_of(many);
}

TEST(SessionFile, KeepsHowTheDocumentWasLookedAt) {
    const Document d = blank_document(2, 3);
    for (const SessionView& view : {SessionView{"gradient-flow", 1, 2, "shortcut", 3},
                                    SessionView{"backward", {}, 0, {}, {}}, SessionView{}}) {
        const auto copy = read_copy_settings(write_session(d, view), "session");
        ASSERT_TRUE(copy) << copy.error().message;
        EXPECT_EQ(copy->view, view);
        EXPECT_EQ(copy->document, d) << "it is no part of the document";
    }
    EXPECT_EQ(write_session(d).find("view"), std::string::npos);
    EXPECT_TRUE(read_session(with(R"("x": [[1]])"), "older"));
    for (const char* wrong : {R"({"token": -1})", R"({"token": 1.5})", R"({"zoom": 1})", R"(3)"}) {
        const auto refused =
            read_session(with(R"("x": [[1]], "view": )" + std::string(wrong)), "f");
        ASSERT_FALSE(refused) << wrong;
        EXPECT_NE(refused.error().message.find("/view"), std::string::npos) << wrong;
    }
}

TEST(SessionFile, TellsARangeThatWasSetFromOneThatHasGrown) {
    const Document d = *apply(blank_document(1, 2), SetParam{Param::gamma, 0, 0, 50});
    ASSERT_EQ(d.gamma_range.hi, 50);
    EXPECT_EQ(apply(reopened(write_session(d)), ResetParams{})->gamma_range, k_gamma_range);
    EXPECT_EQ(write_session(blank_document(1, 2)).find("set_range"), std::string::npos);
    const Document old = reopened(with(R"("x": [[1]], "gamma_range": [-4, 9])"));
    EXPECT_EQ(apply(old, ResetParams{})->gamma_range, (FaderRange{-4, 9}));
}

TEST(SessionFile, IsReadable) {
    Document d = blank_document(2, 3);
    Matrix<double> x(2, 3);
    x << 0.1, -2, 1e-5, std::numeric_limits<double>::infinity(), -0.0,
        std::numeric_limits<double>::quiet_NaN();
    d.x = x;
    const std::string bytes = write_session(d);
    EXPECT_NE(bytes.find("    [0.1, -2, 1e-05],\n    [\"Infinity\", -0.0, \"NaN\"]\n"),
              std::string::npos)
        << bytes;
    EXPECT_EQ(bytes.substr(0, 47), "{\n  \"format\": \"normscope\",\n  \"version\": 1,\n  \"t");
}

TEST(SessionFile, ReplacesWhatIsNotUtf8) {
    Document d = blank_document(1, 1);
    d.title = "bad \xff byte";
    EXPECT_EQ(reopened(write_session(d)).title, "bad \uFFFD byte");
}

TEST(SessionFile, MissingFieldsTakeDefaults) {
    const Document d = reopened(with(R"("x": [[1, 2, 3], [4, 5, "NaN"]])"));
    Document expected = blank_document(2, 3);
    EXPECT_EQ(d.title, expected.title);
    EXPECT_EQ(*d.tokens, (Names{"t0", "t1"}));
    EXPECT_EQ(*d.features, (Names{"d0", "d1", "d2"}));
    EXPECT_EQ(d.f, expected.f);
    EXPECT_EQ(d.gamma, expected.gamma);
    EXPECT_EQ(d.norm, NormKind::layer);
    EXPECT_EQ(d.eps, 1e-5);
    EXPECT_TRUE(std::isnan((*d.x)(1, 2)));
}

TEST(SessionFile, OneNumberStandsForAllGammas) {
    const Document d = reopened(with(R"("x": [[1, 2, 3]], "gamma": 1.5, "beta": [1, 2, 3])"));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1.5, 1.5, 1.5}));
    EXPECT_EQ(*d.beta, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(
        reopened(with(R"("x": [[1, 2], [3, 4]], "affine": "token", "gamma": 2)")).gamma->size(),
        2u);
}

TEST(SessionFile, FadersReachTheValuesOfAFileThatSaysNothingOfRanges) {
    const auto d = read_session(
        R"({"format": "normscope", "version": 1, "x": [[1, 2]], "gamma": [5, -3], "beta": [0, 1]})",
        "by hand");
    ASSERT_TRUE(d) << d.error().message;
    EXPECT_LE(d->gamma_range.lo, -3);
    EXPECT_GE(d->gamma_range.hi, 5);
    EXPECT_EQ(d->gamma_set_range, k_gamma_range);
    EXPECT_EQ(d->beta_range, k_beta_range) << "as it was";
}

TEST(SessionFile, KeepsTheGammasOfOtherSharings) {
    const Document d = reopened(with(
        R"("x": [[1, 2, 3]], "affine": "scalar", "gamma": 7,
           "set_aside": {"feature": {"gamma": [1, 2, 3], "beta": 0.5}, "token": {"gamma": [4]}})"));
    const auto kept = [&](AffinePer per) { return d.set_aside[static_cast<std::size_t>(per)]; };
    EXPECT_EQ(*kept(AffinePer::feature).gamma, (std::vector<double>{1, 2, 3}));
    EXPECT_EQ(*kept(AffinePer::feature).beta, (std::vector<double>{0.5, 0.5, 0.5}));
    EXPECT_EQ(*kept(AffinePer::token).gamma, (std::vector<double>{4}));
    EXPECT_EQ(*kept(AffinePer::token).beta, (std::vector<double>{0}));
    EXPECT_TRUE(kept(AffinePer::scalar).gamma->empty());
    EXPECT_EQ(write_session(blank_document(2, 3)).find("set_aside"), std::string::npos);
}

TEST(SessionFile, RefusesANewerVersionInASentence) {
    const std::string bytes = R"({"format": "normscope", "version": 2, "x": [[1]], "dy": [[1]]})";
    EXPECT_EQ(error_of(bytes),
              "a.normscope.json: the session was saved by a newer NormScope (version 2 of the "
              "format; this program reads up to 1): open it with that one");
}

struct Malformed {
    const char* bytes;
    const char* message; // part of it
};

class SessionFileMalformed : public ::testing::TestWithParam<Malformed> {};

TEST_P(SessionFileMalformed, SaysWhereAndWhat) {
    const std::string message = error_of(GetParam().bytes);
    EXPECT_NE(message.find(GetParam().message), std::string::npos) << message;
    EXPECT_EQ(message.rfind("a.normscope.json: ", 0), 0u) << message;
}

#define SESSION(rest) R"({"format": "normscope", "version": 1, )" rest "}"

INSTANTIATE_TEST_SUITE_P(
    All, SessionFileMalformed,
    ::testing::Values(
        Malformed{"", "the file is empty"}, Malformed{"{\n  \"format\": ", "line 2, column"},
        Malformed{"\xff\xfe{", "line 1, column 1: not valid JSON"},
        Malformed{"{\"format\": \"\xff\"}", "not valid JSON: invalid string"},
        Malformed{
            "{\"x\": [\n  [1e999]]}",
            "line 2, column 4: expected a number within ±1.8e308, or \"Infinity\", found 1e999"},
        Malformed{SESSION(R"("x": [[1]], "gamma_range": [3, -1])"),
                  "at /gamma_range: expected two numbers, the lower first, found 3 and -1"},
        Malformed{"[1, 2]", "not a NormScope session"}, Malformed{"7", "not a NormScope session"},
        Malformed{R"({"version": 1, "x": [[1]]})", R"(expected "format": "normscope")"},
        Malformed{R"({"format": "normscope", "x": [[1]]})", "expected \"version\""},
        Malformed{R"({"format": "normscope", "version": "1", "x": [[1]]})", "expected \"version\""},
        Malformed{R"({"format": "normscope", "version": -1, "x": [[1]]})", "expected \"version\""},
        Malformed{SESSION(R"("title": "no x")"), "\"x\" is missing"},
        Malformed{SESSION(R"("x": [[1]], "gama": 2)"), "the key \"gama\" is not known"},
        Malformed{SESSION(R"("x": [])"), "at /x: expected a list of rows"},
        Malformed{SESSION(R"("x": [[]])"), "at /x/0: expected a list of numbers"},
        Malformed{SESSION(R"("x": [1, 2])"), "at /x/0: expected a list of numbers, found 1"},
        Malformed{SESSION(R"("x": [[1, 2], [3]])"),
                  "at /x/1: expected 2 values as in the first row, found 1"},
        Malformed{SESSION(R"("x": [[1, "two"]])"), "at /x/0/1: expected a number"},
        Malformed{SESSION(R"("x": [[1, null]])"), "at /x/0/1: expected a number"},
        Malformed{SESSION(R"("x": [[1, 2]], "f": [[1]])"), "F(X) is 1×1 but X is 1×2"},
        Malformed{SESSION(R"("x": [[1]], "tokens": ["a", "b"])"),
                  "at /tokens: expected a list of 1 token names, found a list of 2"},
        Malformed{SESSION(R"("x": [[1]], "tokens": [3])"), "at /tokens/0: expected text"},
        Malformed{SESSION(R"("x": [[1, 2]], "gamma": [1])"),
                  "at /gamma: expected one number or a list of 2"},
        Malformed{SESSION(R"("x": [[1, 2]], "set_aside": {"token": {"gamma": [1, 2]}})"),
                  "at /set_aside/token/gamma: expected one number or a list of 1"},
        Malformed{SESSION(R"("x": [[1, 2]], "set_aside": {"feature": {"gamma": 1}})"),
                  "at /set_aside/feature: these are the document's own"},
        Malformed{SESSION(R"("x": [[1]], "set_aside": {"row": {}})"),
                  "the key \"row\" is not known"},
        Malformed{SESSION(R"("x": [[1]], "norm": "instance")"),
                  R"(at /norm: expected one of "layer", "batch", "rms", "group", )"},
        Malformed{SESSION(R"("x": [[1]], "norm": 3)"), "at /norm: expected one of"},
        Malformed{SESSION(R"("x": [[1]], "residual": "maybe")"), "at /residual"},
        Malformed{SESSION(R"("x": [[1]], "affine": "row")"), "at /affine"},
        Malformed{SESSION(R"("x": [[1]], "eps": -1)"),
                  "at /eps: ε must be a finite number from 0 up, but it is -1"},
        Malformed{SESSION(R"("x": [[1]], "precision": "float16")"), "at /precision"},
        Malformed{SESSION(R"("x": [[1]], "gamma_range": [2, 1])"), "at /gamma_range"},
        Malformed{SESSION(R"("x": [[1]], "title": 5)"), "at /title: expected text"},
        Malformed{SESSION(R"("x": [[1]], "x": [[2]])"), "the key \"x\" stands twice: take one"},
        Malformed{SESSION(R"("x": [[1]], "flow": {"pinned": [{}, {"name": "a", "name": "a"}]})"),
                  "at /flow/pinned/1: the key \"name\" stands twice"},
        Malformed{"{\"γγ\": 1 2}", "line 1, column 10"}));

TEST(SessionFile, RefusesMoreThanFits) {
    std::string wide = "[0";
    for (Index i = 0; i < k_max_features; ++i) wide += ",0";
    EXPECT_NE(error_of(with("\"x\": [" + wide + "]]")).find("4097 features; at most 4096 fit"),
              std::string::npos);
    std::string tall = "[[0]";
    for (Index i = 0; i < k_max_tokens; ++i) tall += ",[0]";
    EXPECT_NE(error_of(with("\"x\": " + tall + "]")).find("4097 tokens; at most 4096 fit"),
              std::string::npos);
}

// An earlier version saved up to 4096×4096 values. The window takes a part of them.
TEST(SessionFile, ALargerSessionOfAnEarlierVersionIsRead) {
    const Document large = blank_document(1025, 1024);
    EXPECT_EQ(reopened(write_session(large)), large);
    EXPECT_FALSE(fits_document(large.token_count(), large.feature_count()));
}

// Cut anywhere, a session is refused and never half read.
TEST(SessionFile, RefusesEveryTruncation) {
    const std::string bytes = write_session(blank_document(2, 2));
    for (std::size_t n = 0; n + 2 < bytes.size(); ++n)
        EXPECT_FALSE(read_session(bytes.substr(0, n), "cut")) << n;
}

// A deep nest must not take the stack.
TEST(SessionFile, RefusesADeepNest) {
    EXPECT_FALSE(read_session(std::string(200000, '['), "deep"));
    EXPECT_FALSE(read_session(std::string(200000, '[') + std::string(200000, ']'), "deep"));
}

TEST(SessionFile, RefusesMoreListsAndDepthThanASessionHas) {
    const std::string deep(20'000'000, '[');
    EXPECT_NE(error_of(deep).find("more than 64 lists within each other"), std::string::npos)
        << error_of(deep);
    EXPECT_NE(error_of(with("\"x\": " + std::string(100, '{'))).find("not valid JSON"),
              std::string::npos);
    std::string many = "[[]";
    for (std::size_t i = 0; i < k_max_json_lists; ++i) many += ",[]";
    EXPECT_NE(error_of(many + "]").find("more than 131072 lists"), std::string::npos);
    std::string keys = "{\"k\": 1";
    for (std::size_t i = 0; i < k_max_json_lists; ++i) keys += ",\"" + std::to_string(i) + "\":1";
    EXPECT_NE(error_of(keys + "}").find("more than 131072 lists, objects and keys"),
              std::string::npos);
    EXPECT_TRUE(read_session(with("\"x\": [" + std::string(60, ' ') + "[1]]"), "a"));
}

TEST(SessionFile, TheStepOfARaceAndTheDecodedWordsAreKeptBesideTheDocument) {
    Document d = blank_document(2, 3);
    d.train.step = 7;
    d.transformer.decoded = 1;
    EXPECT_EQ(d, blank_document(2, 3));
    const Document again = reopened(write_session(d));
    EXPECT_EQ(again.train.step, 7);
    EXPECT_EQ(again.transformer.decoded, 1);
    EXPECT_EQ(again.train.lanes->size(), d.train.lanes->size());
}

// tests/golden/everything.normscope.json and lesson.json are as the version of the program before
// archive.h wrote them.
TEST(EarlierVersion, ItsSessionOpensWithAllThatItKept) {
    const std::string file = std::string(NORMSCOPE_GOLDEN_DIR) + "/everything.normscope.json";
    const auto copy = read_copy_settings(read_file(file).value(), file);
    ASSERT_TRUE(copy) << copy.error().message;
    EXPECT_EQ(copy->view, (SessionView{"train", 1, 2, "shortcut", 3}));
    const Document& d = copy->document;
    EXPECT_EQ((*d.tokens)[1], "γ “two”");
    EXPECT_TRUE(std::isnan((*d.x)(1, 0)));
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1, -0.5}));
    EXPECT_EQ((*d.set_aside[static_cast<std::size_t>(AffinePer::feature)].gamma)[1], 1.75);
    EXPECT_EQ(d.beta_range, (FaderRange{-2, 2.5}));
    EXPECT_EQ(d.beta_set_range, (FaderRange{-2, 2}));
    FlowSetup flow = d.flow;
    EXPECT_EQ(flow.stack.block_affine, (std::vector<BlockAffine>{{2, 1.5, 0.25}}));
    EXPECT_FALSE(flow.pinned->front().shown);
    EXPECT_EQ(flow.pinned->back().look, 2u);
    flow.linked_affine = false;
    EXPECT_EQ(stack_names(flow)[0], "Post-LN encoder, 12 blocks");
    EXPECT_EQ(stack_names(flow)[1], "No norm, β 0.5, γ 1.5 β 0.25 in block 3, L 24");
    EXPECT_EQ(flow.pinned->front().name, "") << "the program's own name";
    EXPECT_EQ(flow.pinned->back().name, "Mine");
    EXPECT_EQ(d.transformer.taken_out->size(), 1u);
    EXPECT_EQ(d.transformer.decoded, 2);
    EXPECT_EQ(d.train.step, 60);
    EXPECT_EQ(d.train.lanes->size(), 5u);
    EXPECT_EQ(d.train.lanes->back().name, "Named");
    EXPECT_EQ(d.train.lanes->back().past.front().until, 40);
    ASSERT_EQ(d.scenes->size(), 2u);
    EXPECT_EQ((*d.scenes)[0].right, 1u);
    EXPECT_EQ((*d.scenes)[0].look.at("curves"), 2);
    EXPECT_EQ((*d.scenes)[0].document.train.step, 60);
    EXPECT_EQ((*d.scenes)[1].document.train.step, 10);
    EXPECT_EQ((*d.scenes)[1].document.transformer.decoded, std::nullopt);
    const auto again = read_copy_settings(write_copy(*copy), "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->document, d);
    EXPECT_EQ(again->view, copy->view);
}

TEST(EarlierVersion, ItsLessonOpens) {
    const auto lesson = load_lesson(std::string(NORMSCOPE_GOLDEN_DIR) + "/lesson.json");
    ASSERT_TRUE(lesson) << lesson.error().message;
    EXPECT_EQ(lesson->id, "puzzle-order");
    EXPECT_FALSE(lesson->steps.empty());
}

} // namespace
} // namespace normscope
