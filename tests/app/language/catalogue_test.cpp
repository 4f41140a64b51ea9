#include "app/language/catalogue.h"

#include "app/language/language.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace normscope {
namespace {

using Texts = std::vector<std::string>;

ReadCatalogue read(std::string_view po) {
    auto read = read_catalogue(po, "de.po");
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(*read) : ReadCatalogue{};
}

std::string refusal(std::string_view po) {
    const auto read = read_catalogue(po, "de.po");
    return read ? "it was read" : read.error().message;
}

class Spoken : public ::testing::Test {
  protected:
    ReadCatalogue german = read(R"(
msgid "Save"
msgstr "Speichern"

msgid "{} of {} values moved"
msgstr "Von {1} Werten haben sich {0} bewegt"

msgid "{} norm"
msgstr "{}-Norm"

msgid "Layer"
msgstr "Schicht"
)");
    void SetUp() override { speak(&german.catalogue); }
    void TearDown() override { speak(nullptr); }
};

TEST_F(Spoken, WhatIsTranslatedIsSaidInTheLanguageAndTheRestInEnglish) {
    EXPECT_EQ(tr("Save"), "Speichern");
    EXPECT_EQ(tr("Save as…"), "Save as…");
    EXPECT_EQ(worded("{} more", 3), "3 more");
    speak(nullptr);
    EXPECT_EQ(tr("Save"), "Save");
}

TEST_F(Spoken, ASentenceTakesItsValuesInTheOrderOfTheLanguage) {
    EXPECT_EQ(worded("{} of {} values moved", 3, 18), "Von 18 Werten haben sich 3 bewegt");
}

TEST_F(Spoken, TheProgramsOwnWordsAreTranslatedInASentenceAndTypedOnesAreNot) {
    const std::string typed = "Layer";
    EXPECT_EQ(worded("{} norm", "Layer"), "Schicht-Norm");
    EXPECT_EQ(worded("{} norm", std::string_view("Layer")), "Schicht-Norm");
    EXPECT_EQ(worded("{} norm", typed), "Layer-Norm");
}

TEST_F(Spoken, NumbersKeepTheirPoint) {
    EXPECT_EQ(worded("{} norm", 1234.5), "1234.5-Norm");
}

TEST(CatalogueFile, TextsGoOverLinesAndHaveTheirSigns) {
    const auto read_po =
        read("# of the translator\n#: app/x.cpp\nmsgid \"\"\n\"one\\n\"\n\"\\\"two\\\"\"\n"
             "msgstr \"\"\n\"eins\\n\"\n\"\\\"zwei\\\"\"\n");
    EXPECT_EQ(read_po.catalogue.find("one\n\"two\""), "eins\n\"zwei\"");
    EXPECT_EQ(read_po.catalogue.words.size(), 1u);
}

TEST(CatalogueFile, WhatIsEmptyFuzzyOrLeftBehindIsNotThere) {
    const auto read_po =
        read("msgid \"\"\nmsgstr \"Language: de\\n\"\n\nmsgid \"a\"\nmsgstr \"\"\n\n"
             "#, fuzzy\nmsgid \"b\"\nmsgstr \"B\"\n\n#~ msgid \"c\"\n#~ msgstr \"C\"\n\n"
             "msgid \"d\"\nmsgstr \"D\"\n");
    EXPECT_EQ(read_po.catalogue.words.size(), 1u);
    EXPECT_EQ(read_po.catalogue.find("d"), "D");
    EXPECT_TRUE(read_po.problems.empty());
}

TEST(CatalogueFile, AnEntryWithOtherPlaceholdersIsLeftOutAndNamed) {
    const auto read_po =
        read("msgid \"{} of {}\"\nmsgstr \"{} von\"\n\nmsgid \"{:.2f}\"\nmsgstr \"{}\"\n\n"
             "msgid \"at {gamma[d3]:.2f}\"\nmsgstr \"bei {gamma[d2]:.2f}\"\n\n"
             "msgid \"open\"\nmsgstr \"{ auf\"\n\nmsgid \"good {}\"\nmsgstr \"gut {0}\"\n");
    EXPECT_EQ(read_po.catalogue.words.size(), 1u);
    ASSERT_EQ(read_po.problems.size(), 4u);
    EXPECT_EQ(read_po.problems[0],
              "de.po: line 1: “{} of {}”: the translation must have the same in braces: 0, 1");
}

TEST(CatalogueFile, AContextTellsTwoMeaningsApart) {
    const auto read_po = read("msgctxt \"verdict\"\nmsgid \"right\"\nmsgstr \"richtig\"\n\n"
                              "msgctxt \"direction\"\nmsgid \"right\"\nmsgstr \"rechts\"\n");
    EXPECT_TRUE(read_po.problems.empty());
    EXPECT_EQ(tr("right", "verdict"), "right");
    speak(&read_po.catalogue);
    EXPECT_EQ(tr("right", "verdict"), "richtig");
    EXPECT_EQ(tr("right", "direction"), "rechts");
    EXPECT_EQ(tr("right", "amount"), "right");
    EXPECT_EQ(tr("right"), "right") << "without a context it means neither";
    speak(nullptr);
}

TEST(CatalogueFile, WhatIsNoneOfTheFormatIsRefusedByItsLine) {
    EXPECT_EQ(refusal("msgid \"a\"\nmsgstr \"b\n"),
              "de.po: line 2: expected a text in quotation marks");
    EXPECT_NE(refusal("msgid \"a\"\nmsgid_plural \"as\"\n").find("de.po: line 2"),
              std::string::npos);
    EXPECT_NE(refusal("msgstr \"b\"\n").find("de.po: line 1"), std::string::npos);
    EXPECT_NE(refusal("msgid \"a\\q\"\n").find("backslash"), std::string::npos);
    EXPECT_NE(refusal("hello\n").find("expected msgid"), std::string::npos);
}

TEST(Placeholders, AreCountedAndNamed) {
    EXPECT_EQ(placeholders("{} and {:.2f} and {{no}}"), (Texts{"0", "1:.2f"}));
    EXPECT_EQ(placeholders("{1:.2f} and {0} and {0}"), (Texts{"0", "1:.2f"}));
    EXPECT_EQ(placeholders("{:.{}e}"), placeholders("{0:.{1}e}"));
    EXPECT_EQ(placeholders("{γ} of {gamma[d3]:.2f}"), (Texts{"gamma[d3]:.2f", "γ"}));
    EXPECT_EQ(placeholders("{ open"), std::nullopt);
    EXPECT_EQ(placeholders("closed }"), std::nullopt);
}

TEST(SystemLanguage, IsThatOfTheEnvironment) {
    const auto with = [](const char* all, const char* messages, const char* lang) {
        ::setenv("LC_ALL", all, 1);
        ::setenv("LC_MESSAGES", messages, 1);
        ::setenv("LANG", lang, 1);
        return system_language().id;
    };
    EXPECT_EQ(with("", "", "de_AT.UTF-8"), "de");
    EXPECT_EQ(with("", "es", "de_DE"), "es");
    EXPECT_EQ(with("C.UTF-8", "es", "de_DE"), "en");
    EXPECT_EQ(with("", "", "fr_FR.UTF-8"), "en");
    EXPECT_EQ(with("", "", ""), "en");
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) ::unsetenv(name);
}

TEST(Said, AnErrorIsMadeAgainInTheLanguageWithItsValuesAndTheErrorsInIt) {
    const Error inner = error_of("{} or {}", 2, 4);
    const Error error =
        error_of("{} of {}: choose {}", "the width", std::string("the width"), inner);
    EXPECT_EQ(error.message, "the width of the width: choose 2 or 4");
    EXPECT_EQ(error_text(error), error.message);
    const auto read_po = read("msgid \"{} of {}: choose {}\"\nmsgstr \"nimm {2} für {1}: {0}\"\n\n"
                              "msgid \"{} or {}\"\nmsgstr \"{} oder {}\"\n\n"
                              "msgid \"the width\"\nmsgstr \"die Breite\"\n");
    ASSERT_EQ(read_po.catalogue.words.size(), 3u);
    speak(&read_po.catalogue);
    // A text that a person typed stays as typed; words of the program are translated.
    EXPECT_EQ(error_text(error), "nimm 2 oder 4 für the width: die Breite");
    EXPECT_EQ(error_text(Error{"ready"}), "ready");
    speak(nullptr);
}

TEST(Said, AnErrorQuotesALongNameInPart) {
    const std::string name(5000, 'n');
    EXPECT_LT(error_text(Error{"there is no " + name}).size(), 250u);
    EXPECT_LT(error_text(error_of("{}: {}", name, error_of("no “{}”", name))).size(), 500u);
}

// Every catalogue that comes with the program.
TEST(Catalogues, AreReadWithoutAProblem) {
    namespace fs = std::filesystem;
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(NORMSCOPE_ASSET_DIR) / "languages")) {
        if (entry.path().extension() != ".po") continue;
        std::ifstream in(entry.path());
        std::stringstream bytes;
        bytes << in.rdbuf();
        const auto read_po = read_catalogue(bytes.str(), entry.path().filename().string());
        ASSERT_TRUE(read_po) << read_po.error().message;
        EXPECT_GT(read_po->catalogue.words.size(), 0u) << entry.path();
        for (const std::string& problem : read_po->problems) ADD_FAILURE() << problem;
        ++files;
    }
    EXPECT_EQ(files, 2 * (languages().size() - 1));
}

// Short words of the screen that are used with two meanings, each in its place.
TEST(Catalogues, SayAWordOfTwoMeaningsByItsPlace) {
    struct Meaning {
        const char *language, *english, *context, *said;
    };
    constexpr Meaning k_meanings[] = {{"de", "right", "verdict", "richtig"},
                                      {"de", "right", "direction", "nach rechts"},
                                      {"es", "right", "verdict", "correcto"},
                                      {"es", "right", "direction", "a la derecha"}};
    for (const auto& [language, english, context, said] : k_meanings) {
        std::ifstream in(std::filesystem::path(NORMSCOPE_ASSET_DIR) / "languages" /
                         (std::string(language) + ".po"));
        const std::string bytes(std::istreambuf_iterator<char>(in), {});
        const auto read_po = read(bytes);
        EXPECT_EQ(read_po.catalogue.find(key_of(context, english)), said) << language;
        EXPECT_EQ(read_po.catalogue.find(english), std::nullopt) << language;
    }
}

} // namespace
} // namespace normscope
