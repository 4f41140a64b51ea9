#include "app/io/csv.h"
#include "app/io/npy.h"

#include <gtest/gtest.h>
#include <random>
#include <string>
#include <vector>

// Good files, damaged in ways that are the same in every run: whatever comes out is a consistent
// matrix or a message. The sanitizers watch the rest.
namespace normscope {
namespace {

constexpr int k_rounds = 20'000;

class Mutator {
  public:
    explicit Mutator(std::vector<std::string> corpus) : corpus_(std::move(corpus)) {}

    std::string next() {
        std::string bytes = corpus_[below(corpus_.size())];
        const std::size_t changes = 1 + below(6);
        for (std::size_t i = 0; i < changes && !bytes.empty(); ++i) change(bytes);
        return bytes;
    }

  private:
    // mt19937's numbers are fixed by the standard; its distributions are not.
    std::size_t below(std::size_t n) { return random_() % n; }

    void change(std::string& bytes) {
        static constexpr std::string_view k_tokens[] = {
            "\"", ",", "\n",   "\r\n", ";",           "nan",  "1e999", "-",   "\xEF\xBB\xBF",
            "(",  ")", "'",    "{",    "99999999999", "True", "<f8",   ">u8", "L",
            "x",  "#", "\xFF", "\t",   " ",           "-1",   "0",     ":"};
        const std::size_t at = below(bytes.size());
        const std::string_view token = k_tokens[below(std::size(k_tokens))];
        switch (below(6)) {
        case 0:
            bytes[at] = static_cast<char>(below(256));
            break;
        case 1:
            bytes.resize(at);
            break;
        case 2:
            bytes.erase(at, 1 + below(8));
            break;
        case 3:
            bytes.insert(at, token);
            break;
        case 4:
            bytes.replace(at, std::min(token.size(), bytes.size() - at), token);
            break;
        default:
            bytes.insert(at, bytes.substr(below(bytes.size()), 1 + below(16)));
            break;
        }
    }

    std::vector<std::string> corpus_;
    std::mt19937 random_{20'170'612};
};

TEST(Fuzz, DamagedCsvIsATableOrAMessage) {
    Mutator mutator({"1,2,3\n4,5,6\n", "token,a,b\nthe,1,2\ncat,3,4\n",
                     "\"a\nb\";\"c\"\"d\"\r\n\"1\";2\r\n-inf;NaN\r\n", "1\t2\n3\t4\n",
                     "1.5 -2.5\n3.25 4e-3\n", "1O,2,3\n", "# a,b\n1,2\n#c\n##ing,3\n",
                     "\xEF\xBB\xBFx,y\n\xE2\x88\x92"
                     "1,+2e5\n"});
    int read = 0;
    for (int i = 0; i < k_rounds; ++i) {
        const std::string bytes = mutator.next();
        const Result<Table> table = read_csv(bytes, "t.csv");
        if (!table) {
            ASSERT_EQ(table.error().message.rfind("t.csv: ", 0), 0U) << table.error().message;
            continue;
        }
        ++read;
        ASSERT_GT(table->values.size(), 0);
        const auto rows = static_cast<std::size_t>(table->values.rows());
        const auto cols = static_cast<std::size_t>(table->values.cols());
        ASSERT_TRUE(table->token_names.empty() || table->token_names.size() == rows);
        ASSERT_TRUE(table->feature_names.empty() || table->feature_names.size() == cols);
        const Result<Table> again = read_csv(write_csv(*table), "again.csv");
        ASSERT_TRUE(again.has_value()) << again.error().message << "\n" << bytes;
        ASSERT_EQ(again->values.rows(), table->values.rows()) << bytes;
        ASSERT_EQ(again->values.cols(), table->values.cols()) << bytes;
        ASSERT_EQ(again->token_names, table->token_names) << bytes;
        ASSERT_EQ(again->feature_names, table->feature_names) << bytes;
        ASSERT_TRUE((again->values.array() == table->values.array() ||
                     (again->values.array().isNaN() && table->values.array().isNaN()))
                        .all())
            << bytes;
    }
    EXPECT_GT(read, k_rounds / 20);
}

TEST(Fuzz, DamagedNpyIsAnArrayOrAMessage) {
    Matrix<double> values(3, 5);
    for (Index i = 0; i < values.size(); ++i) values.data()[i] = static_cast<double>(i) / 7;
    const std::string_view flat = "(4, 2), }   ";
    std::string stack = write_npy(Matrix<float>(Matrix<float>::Ones(4, 2)));
    stack.replace(stack.find(flat), flat.size(), "(2, 2, 2), }");
    Mutator mutator({write_npy(values), write_npy(Matrix<float>(values.cast<float>())),
                     write_npy(Vector<double>(Vector<double>::Ones(4))), stack});
    int read = 0;
    for (int i = 0; i < k_rounds; ++i) {
        const Result<NpyArray> array = read_npy(mutator.next(), "x.npy");
        if (!array) {
            ASSERT_EQ(array.error().message.rfind("x.npy: ", 0), 0U) << array.error().message;
            continue;
        }
        ++read;
        Index count = 1;
        for (const Index side : array->shape) count *= side;
        ASSERT_EQ(array->stacked.size(), count);
        ASSERT_TRUE(slice(*array, array->slices - 1).has_value());
    }
    EXPECT_GT(read, k_rounds / 100);
}

} // namespace
} // namespace normscope
