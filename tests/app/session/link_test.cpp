#include "app/session/link.h"

#include "app/io/zip.h"
#include "app/session/examples.h"

#include <gtest/gtest.h>
#include <numbers>
#include <stdexcept>

namespace normscope {
namespace {

constexpr const char* k_link_page = "http://localhost:8000/";

const Document& linked_first() {
    static const Document document = [] {
        const auto examples = load_examples(std::string(NORMSCOPE_ASSET_DIR) + "/examples");
        const auto d = first_document(examples.value());
        if (!d) throw std::runtime_error(d.error().message);
        return *d;
    }();
    return document;
}

std::string link_to(const Document& d, const SessionView& view = {}) {
    const auto link = write_link(k_link_page, {d, {}, {}, view}, linked_first());
    EXPECT_TRUE(link) << link.error().message;
    return link.value_or("");
}

Matrix<double> link_digits(Index tokens, Index features, double seed) {
    Matrix<double> m(tokens, features);
    for (Index i = 0; i < m.size(); ++i)
        m.data()[i] = std::sin(seed + static_cast<double>(i * i)) * std::numbers::pi;
    return m;
}

// Every matrix of full length, γ and β, the names and some settings.
Document link_changed() {
    Document d = linked_first();
    d.title = "Of my own: Σ";
    d.x = link_digits(4, 6, 1);
    d.f = link_digits(4, 6, 2);
    d.input(Input::dy) = link_digits(4, 6, 3);
    d.input(Input::target) = link_digits(4, 6, 4);
    const Matrix<double> gamma = link_digits(1, 6, 5);
    d.gamma = std::vector<double>(gamma.data(), gamma.data() + gamma.size());
    d.tokens = Names{"we", "read", "a", "link"};
    d.eps = 0.125;
    d.flow.stack.blocks = 7;
    d.x = [m = *d.x]() mutable {
        m(0, 0) = -0.0;
        m(1, 1) = std::numeric_limits<double>::infinity();
        return m;
    }();
    return d;
}

TEST(Link, OfTheFirstDocumentIsShort) {
    const std::string link = link_to(linked_first(), {"add-norm", 2, {}, {}, {}});
    EXPECT_LE(link.size(), 300u);
    EXPECT_TRUE(is_link(link));
    EXPECT_EQ(write_session(read_link(link, linked_first())->document),
              write_session(linked_first()));
}

TEST(Link, KeepsEverythingThatChanged) {
    const Document d = link_changed();
    const SessionView view{"backward", 1, 3, {}, {}};
    const std::string link = link_to(d, view);
    EXPECT_LE(link.size(), 2000u);
    const auto read = read_link(link + "\n", linked_first());
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(write_session(read->document), write_session(d));
    EXPECT_EQ(read->view, view);
}

TEST(Link, OfAnotherShapeKeepsNothingOfTheFirstDocument) {
    const Document d = blank_document(3, 7);
    EXPECT_EQ(write_session(read_link(link_to(d), linked_first())->document), write_session(d));
}

TEST(Link, NeverOpensAsAnotherSession) {
    const std::string link = link_to(link_changed());
    const std::string whole = write_session(read_link(link, linked_first())->document);
    for (std::size_t i = link.find('#') + 3; i < link.size(); ++i) {
        std::string other = link;
        other[i] = other[i] == 'A' ? 'B' : 'A';
        const auto read = read_link(other, linked_first());
        EXPECT_TRUE(!read || write_session(read->document) == whole) << i;
        EXPECT_FALSE(read_link(link.substr(0, i), linked_first())) << i;
    }
}

TEST(Link, ThatNamesNoSessionIsRefused) {
    EXPECT_FALSE(is_link("a.normscope.json"));
    EXPECT_FALSE(is_link("http://localhost/"));
    EXPECT_FALSE(read_link("http://localhost/#chapter", linked_first()));
    EXPECT_FALSE(read_link("http://localhost/#s=", linked_first()));
}

TEST(Link, OfALargeDocumentIsRefused) {
    Document d = blank_document(64, 64);
    d.x = link_digits(64, 64, 1);
    EXPECT_FALSE(write_link(k_link_page, {d, {}, {}}, linked_first()));
    EXPECT_FALSE(write_link("", {linked_first(), {}, {}}, linked_first())) << "no page";
}

// A link has the numbers of the document that the program begins with only as what is not said: old
// links show other ones when it changes. Then give links a new mark.
TEST(Link, OfAnEarlierVersionHasItsNumbers) {
    const auto read =
        read_link(std::string(k_link_page) + "#s="
                                             "H4sIAAAAAAACA6tWSi0oVrIy0DM0MtVRKkstKs7Mz1OyMgSyM1PLl"
                                             "ayqlcrzi7KLCxKTU5WslJISk7PLE4tSlGprAQvJ9u85AAAA",
                  linked_first());
    ASSERT_TRUE(read) << read.error().message;
    const Document& d = read->document;
    Matrix<double> x(4, 6);
    x << 0.9, -0.4, 1.2, 0.1, -1.1, 0.6, 0.2, 0.5, -0.7, 1.4, 0.3, -0.2, 1.8, -0.3, 0.8, -0.9, 0.4,
        2.1, -0.6, 1.1, 0.0, 0.7, -1.6, 0.3;
    EXPECT_EQ(*d.x, x);
    EXPECT_NEAR(d.f->sum(), 7.39, 1e-9);
    EXPECT_EQ(*d.gamma, (std::vector<double>{1, 1.4, 0.6, 1.8, 1, 0.8}));
    EXPECT_EQ(*d.beta, (std::vector<double>{0, 0.3, 0, -0.5, 0, 0.2}));
    EXPECT_EQ(d.eps, 0.125);
    EXPECT_EQ(read->view.workspace, "backward");
}

} // namespace
} // namespace normscope
