// Scenes are kept, moved, changed, removed and shown by edits.
#include "app/model/edit.h"

#include "app/model/history.h"
#include "tests/app/model/edited.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using testing::edited;

Scene named(const std::string& name, const Document& d) {
    Scene scene;
    scene.name = name;
    scene.document = d;
    return scene;
}

std::string order_of(const Document& d) {
    std::string names;
    for (const Scene& scene : *d.scenes) names += scene.name;
    return names;
}

TEST(Scene, ASceneIsShownAgainWithAllScenesThere) {
    Document d = blank_document(2, 3);
    const Document first = d;
    d = edited(d, keep_scene(d, 0, named("a", d)));
    EXPECT_TRUE((*d.scenes)[0].document.x.is(d.x)) << "it costs no matrix";
    d = edited(d, SetParam{Param::gamma, 0, 2, 3});
    d = edited(d, keep_scene(d, 1, named("b", d)));
    EXPECT_TRUE((*d.scenes)[1].document.scenes->empty());
    const Document shown = edited(d, ShowScene{0});
    EXPECT_EQ(*shown.gamma, *first.gamma);
    EXPECT_EQ(shown.scenes, d.scenes);
    EXPECT_EQ(edited(shown, ShowScene{1}), d);
    const auto refused = apply(d, ShowScene{2});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "there is no scene 3: there are 2");
}

TEST(Scene, TheListIsPutInOrder) {
    Document d = blank_document(1, 1);
    for (const char* name : {"a", "b", "c", "d"})
        d = edited(d, keep_scene(d, d.scenes->size(), named(name, d)));
    EXPECT_EQ(order_of(edited(d, move_scene(d, 0, 2))), "bcad");
    EXPECT_EQ(order_of(edited(d, move_scene(d, 3, 0))), "dabc");
    EXPECT_EQ(order_of(edited(d, remove_scene(d, 1))), "acd");
    EXPECT_EQ(order_of(edited(d, keep_scene(d, 1, named("e", d)))), "aebcd");
    EXPECT_EQ(scene_title(*d.scenes, 1), "Scene 2: b");
    EXPECT_EQ(describe(move_scene(d, 0, 2), d), "Scene 1 becomes 3");
}

TEST(Scene, EveryStepIsTakenBack) {
    History history(blank_document(1, 2));
    const auto run = [&](const Edit& edit) {
        history.change(edited(history.document(), edit), edit);
        history.settle(false);
    };
    const auto kept = [&](const char* name) {
        run(keep_scene(history.document(), history.document().scenes->size(),
                       named(name, history.document())));
    };
    kept("a");
    EXPECT_FALSE(history.saved()) << "a scene is to be saved";
    kept("b");
    Scene told = (*history.document().scenes)[0];
    told.notes = "slowly";
    run(change_scene(history.document(), 0, told));
    EXPECT_EQ((*history.document().scenes)[0].notes, "slowly");
    run(remove_scene(history.document(), 1));
    EXPECT_EQ(history.undo_label(), "Remove scene 2");
    history.undo();
    history.undo();
    EXPECT_EQ(order_of(history.document()), "ab");
    history.undo();
    history.undo();
    EXPECT_TRUE(history.document().scenes->empty());
    EXPECT_TRUE(history.saved());
}

} // namespace
} // namespace normscope
