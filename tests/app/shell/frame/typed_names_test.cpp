#include "app/language/catalogue.h"
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/present/scenes.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <fstream>
#include <gtest/gtest.h>
#include <set>
#include <string>

// Speaks a language in which one word alone is translated, and gives everything that a person can
// name that word as its name.
namespace normscope::testing {
namespace {

const std::string k_name = "Kite", k_translated = "Drachen";

class TypedNames : public ::testing::Test {
  protected:
    TypedNames() {
        std::ofstream(h.dir() / k_name) << "1,2\n";
        words_.words[k_name] = k_translated;
        speak(&words_);
    }
    ~TypedNames() override { speak(nullptr); }

    void edit(const Edit& edit) {
        EXPECT_TRUE(h.state().apply_edits({edit})) << h.state().status;
        h.settle();
    }
    void name_everything() {
        const Document& d = h.document();
        for (const Axis axis : {Axis::token, Axis::feature})
            for (Index i = 0; i < count_along(d, axis); ++i) edit(Rename{axis, i, k_name});
        edit(SetWords{SentenceSide::source, {k_name, k_name, k_name}});
        edit(SetWords{SentenceSide::target, {k_name, k_name}});
        edit(RenameLane{0, k_name});
        edit(RenameLane{1, k_name});
        edit(PinStack{k_name});
        keep_scene_now(h.state());
        h.settle();
        Scene scene = (*h.document().scenes)[0];
        scene.name = scene.question = scene.notes = k_name;
        h.state().history.change(*apply(h.document(), change_scene(h.document(), 0, scene)),
                                 ResetParams{});
        h.state().history.kept()->path = h.dir() / k_name;
        h.state().files.recent.add(h.dir() / k_name);
        Document left = h.document();
        left.title = k_name;
        h.state().files.left_unsaved.push_back({left, std::make_shared<KeptFile>()});
        h.settle();
    }
    void look(const std::string& where) {
        for (const LoggedText& t : h.log().texts)
            if (t.text.find(k_translated) != std::string::npos)
                translated_.insert(where + ": " + t.text + " at " + std::to_string(t.rect.x) + "," +
                                   std::to_string(t.rect.y));
    }
    // With the mouse over everything that is named.
    void point_at_all(const std::string& where) {
        look(where);
        std::set<std::string> seen;
        for (const NamedPart& part : std::vector(h.log().parts)) {
            h.move(part.rect.center());
            h.frames(2);
            look(where + " at " + part.name);
        }
        h.move({-1000, -1000});
        h.settle();
    }
    std::string translated() const {
        std::string all;
        for (const std::string& text : translated_) all += text + "\n";
        return all;
    }

    Harness h;

  private:
    Catalogue words_;
    std::set<std::string> translated_;
};

TEST_F(TypedNames, AreNeverTranslatedInAWorkspace) {
    name_everything();
    for (std::size_t w = 0; w < workspace_table().size(); ++w) {
        h.state().view.workspace = w;
        h.settle();
        const std::string id(workspace_table()[w].id);
        point_at_all(id);
        h.state().view.pinned_token = 1;
        h.state().view.pinned_feature = 1;
        h.settle();
        look(id + ", pinned");
        edit(set<&Document::norm, &Norm::kind>(NormKind::batch));
        point_at_all(id + ", batch norm");
        edit(set<&Document::norm, &Norm::kind>(NormKind::layer));
        h.state().view.pinned_token.reset();
        h.state().view.pinned_feature.reset();
    }
    EXPECT_EQ(translated(), "");
}

TEST_F(TypedNames, AreNeverTranslatedInMenusAndDialogs) {
    name_everything();
    for (const char* menu : {"file", "edit", "view", "lessons", "help"}) {
        h.click_and_settle(std::string("bar.") + menu);
        point_at_all(menu);
        h.key_and_settle(Key::escape);
    }
    for (const auto ask : {ask_open, ask_save_as, ask_quit}) {
        h.state().files.recent.visited(h.dir());
        ask(h.state());
        h.settle();
        point_at_all("dialog");
        h.key_and_settle(Key::escape);
    }
    edit(set<&Document::norm, &Norm::kind>(NormKind::batch));
    undo(h.state());
    h.settle();
    point_at_all("undone");
    EXPECT_EQ(translated(), "");
}

} // namespace
} // namespace normscope::testing
