#include "app/model/transformer/file_weights.h"
#include "app/session/examples.h"
#include "app/session/session_file.h"
#include "app/study/add_norm/derived.h"
#include "app/study/transformer/transformer_study.h"
#include "app/words/worked_steps.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <unistd.h>

namespace normscope {
namespace {

const std::vector<Example>& examples() {
    static const auto loaded = load_examples(std::string(NORMSCOPE_ASSET_DIR) + "/examples");
    if (!loaded) throw std::runtime_error(loaded.error().message);
    return *loaded;
}

Document open(const char* id) {
    const auto example = find_example(examples(), id);
    if (!example) throw std::runtime_error(example.error().message);
    return *open_example(*example);
}

TEST(Examples, TheDefaultIsFirst) {
    EXPECT_EQ(examples().front().id, k_default_example);
    EXPECT_EQ(open("studying").title, "A sentence with γ and β");
}

TEST(Examples, EachOpensDerivesAndExplains) {
    std::set<std::string> titles;
    for (const Example& example : examples()) {
        SCOPED_TRACE(example.id);
        EXPECT_TRUE(titles.insert(example.title).second) << "a title twice";
        EXPECT_EQ(example.about.back(), '.');
        EXPECT_FALSE(example.kind.empty());
        const bool of_matrices = example.workspace.empty() || example.workspace == "add-norm";
        EXPECT_EQ(example.part, of_matrices ? "" : example.workspace);
        const auto d = open_example(example);
        ASSERT_TRUE(d) << d.error().message;
        EXPECT_EQ(d->title, example.title);
        const auto derived = Derived::of(*d);
        const WorkedSteps steps = worked_steps(*derived, 0);
        EXPECT_EQ(steps.steps.size(), static_cast<std::size_t>(k_worked_steps));
        EXPECT_TRUE(steps.exact);
        EXPECT_EQ(derived->error().has_value(), example.id == "batch-of-one");
        auto again = read_session(write_session(*d), "again");
        ASSERT_TRUE(again) << again.error().message;
        if (const auto& weights = d->transformer.weights) { // equal is who is the same
            EXPECT_EQ(again->transformer.weights->model.generator.weight,
                      weights->model.generator.weight);
            again->transformer.weights = weights;
        }
        EXPECT_EQ(*again, *d);
    }
}

// Weights that the command "normscope train" made, as the README says.
TEST(Examples, TheTrainedTransformerWritesAWordBackwards) {
    TransformerSetup setup = open("transformer-reverse").transformer;
    ASSERT_TRUE(setup.weights);
    setup.decoded = most_decoded(setup);
    const auto study = TransformerStudy::of(setup, nullptr);
    ASSERT_FALSE(study->error()) << study->error()->message;
    EXPECT_EQ(study->sentence().target.size(), 8u);
    const Matrix<float>& logits = study->forward().logits;
    for (Index t = 0; t < logits.rows(); ++t) {
        Index likeliest = 0;
        logits.row(t).maxCoeff(&likeliest);
        EXPECT_EQ(study->vocabulary()[static_cast<std::size_t>(likeliest)],
                  (*setup.source)[static_cast<std::size_t>(logits.rows() - 1 - t)])
            << t;
    }
    // A head of the cross-attention looks where the letter stands that comes next.
    const Matrix<float>& weights =
        study->attention({Box::Kind::sublayer, StackSide::decoder, 0, 1})->probabilities[0];
    const Index n = logits.rows();
    float best = 0;
    for (Index head = 0; head < setup.config.heads; ++head) {
        float mean = 0;
        for (Index t = 0; t < n; ++t)
            mean += weights(head * n + t, n - 1 - t) / static_cast<float>(n);
        best = std::max(best, mean);
    }
    EXPECT_GT(best, 0.7f);
}

TEST(Examples, AFileOfWeightsThatIsNotThereIsNamed) {
    auto example = *find_example(examples(), "transformer-reverse");
    example.weights = "no-such.safetensors";
    const auto opened = open_example(example);
    ASSERT_FALSE(opened);
    EXPECT_NE(opened.error().message.find("no-such.safetensors"), std::string::npos);
}

TEST(Examples, TheSentenceHasTheDesignsNumbers) {
    const auto derived = Derived::of(open("studying"));
    const double expected[] = {3.16, 0.61, 1.87, -1.30, 0.60, 2.85};
    for (Index j = 0; j < 6; ++j) EXPECT_NEAR(derived->view(Tensor::z)(2, j), expected[j], 1e-6);
    EXPECT_NEAR(derived->mean(2), 1.298333, 1e-6);
    EXPECT_NEAR(derived->view(Tensor::y)(2, 3), -3.57, 0.005);
}

TEST(Examples, UndoTheNormGivesZBackForItsTokenOnly) {
    const auto derived = Derived::of(open("undo-the-norm"));
    EXPECT_LT(derived->max_abs_difference(1), 1e-6);
    EXPECT_GT(derived->max_abs_difference(0), 0.1);
    EXPECT_GT(derived->max_abs_difference(2), 0.1);
}

TEST(Examples, ActivationsAreTheSameEachTimeAndHaveTheirOutliers) {
    const Document d = open("activations");
    EXPECT_EQ(d, open("activations"));
    EXPECT_EQ(d.token_count(), 128);
    EXPECT_EQ(d.feature_count(), 768);
    std::vector<Index> large;
    for (Index j = 0; j < 768; ++j)
        if (std::abs(d.x->col(j).mean()) > 10) large.push_back(j);
    EXPECT_EQ(large, (std::vector<Index>{138, 378, 447}));
    // Some of the seed's numbers: another platform must have the same.
    EXPECT_EQ((*d.x)(0, 0), 0.864);
    EXPECT_EQ((*d.x)(127, 767), -1.469);
    EXPECT_EQ((*d.f)(5, 138), 3.996);
    EXPECT_EQ((*d.x)(64, 378), -41.229);
}

Result<Example> read(const std::string& bytes) {
    return read_example(bytes, "e.json");
}

TEST(Examples, MalformedFilesSayWhereAndWhat) {
    const std::string head = R"({"id": "a", "title": "A", "about": "About.", )";
    const std::pair<std::string, const char*> cases[] = {
        {"{", "line 1"},
        {"[]", "expected an object"},
        {R"({"title": "A", "about": "b"})", "\"id\" is missing"},
        {R"({"id": "", "title": "A", "about": "b", "document": {"x": [[1]]}})", "\"id\" is empty"},
        {head + R"("order": 1})", "either \"document\" or \"generator\""},
        {head + R"("document": {"x": [[1]]}, "generator": {"kind": "activations"}})",
         "either \"document\" or \"generator\""},
        {head + R"("document": {"x": [["?"]]}})", "at /document/x/0/0: expected a number"},
        {head + R"("document": {}})", "at /document: \"x\" is missing"},
        {head + R"("order": -1, "document": {"x": [[1]]}})", "at /order: expected a whole number"},
        {head + R"("order": 1e30, "document": {"x": [[1]]}})", "at /order"},
        {head + R"("order": 18446744073709551615, "document": {"x": [[1]]}})", "at /order"},
        {head + R"("colour": 1, "document": {"x": [[1]]}})", "the key \"colour\" is not known"},
        {head + R"("generator": {}})", "at /generator: \"kind\" is missing"},
        {head + R"("generator": 5})", "at /generator: expected an object"},
        {head + R"("generator": {"kind": "noise"}})",
         "at /generator/kind: expected \"activations\""},
        {head + R"("generator": {"kind": "activations", "tokens": 100000}})",
         "at /generator/tokens: expected a whole number from 1 to 4096, found 100000"},
        {head + R"("generator": {"kind": "activations", "features": 8, "outlier_features": [8]}})",
         "at /generator/outlier_features/0: expected a whole number from 0 to 7, found 8"},
    };
    for (const auto& [bytes, message] : cases) {
        const auto example = read(bytes);
        ASSERT_FALSE(example) << bytes;
        EXPECT_NE(example.error().message.find(message), std::string::npos)
            << example.error().message;
        EXPECT_EQ(example.error().message.rfind("e.json: ", 0), 0u) << example.error().message;
    }
}

// A folder of its own that is removed again.
struct Folder {
    std::filesystem::path path;
    Folder() {
        std::string name = (std::filesystem::temp_directory_path() / "normscope-XXXXXX").string();
        if (!mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
        path = name;
    }
    ~Folder() { std::filesystem::remove_all(path); }
    void write(const char* name, const std::string& bytes) const {
        std::ofstream(path / name, std::ios::binary) << bytes;
    }
};

std::string example(const std::string& id, int order) {
    return R"({"id": ")" + id + R"(", "title": "T", "about": "A.", "order": )" +
           std::to_string(order) + R"(, "document": {"x": [[1]]}})";
}

TEST(Examples, AddingAFileAddsAnExample) {
    const Folder folder;
    folder.write("a.json", example("late", 30));
    folder.write("b.json", example("early", 5));
    folder.write("notes.txt", "not an example");
    auto loaded = load_examples(folder.path);
    ASSERT_TRUE(loaded) << loaded.error().message;
    ASSERT_EQ(loaded->size(), 2u);
    EXPECT_EQ(loaded->front().id, "early");
    folder.write("c.json", example("middle", 10));
    EXPECT_EQ(load_examples(folder.path)->at(1).id, "middle");
    const auto none = find_example(*loaded, "absent");
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().message, "there is no example \"absent\"; there are early, late");
}

TEST(Examples, FoldersThatCannotBeUsedAreNamed) {
    const Folder folder;
    EXPECT_NE(load_examples(folder.path).error().message.find("no example"), std::string::npos);
    EXPECT_NE(load_examples(folder.path / "absent").error().message.find("absent"),
              std::string::npos);
    folder.write("a.json", example("same", 1));
    folder.write("b.json", example("same", 2));
    EXPECT_NE(load_examples(folder.path).error().message.find("b.json: the id \"same\" is taken"),
              std::string::npos);
}

} // namespace
} // namespace normscope
