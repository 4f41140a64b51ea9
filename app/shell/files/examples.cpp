#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/caught.h"
#include "core/base/lists.h"

#include <algorithm>
#include <utility>

namespace normscope {
namespace {

// The whole document becomes the example's, but for its scenes: they may be of several examples.
void replace_by(App::State& s, const Document& document) {
    const Document left = s.document();
    const std::shared_ptr<KeptFile> left_in = s.history.kept();
    Document next = document;
    next.scenes = left.scenes;
    replace_document(s, std::move(next));
    Document without_scenes = left;
    without_scenes.scenes = {};
    if (left_in->path.empty() && left_in->saved == without_scenes) forget_left(s, left);
    s.history.kept()->saved = document; // an example is there to be opened again
}

// Whether the part is as it was taken.
bool has_part(const Document& now, const Document& taken, std::string_view key) {
    bool same = true;
    for_each_part([&](const auto& part) {
        if (part.key == key) same = now.*part.member == taken.*part.member;
    });
    return same;
}

bool belongs_here(const App::State& s, const Example& e) {
    const Workspace& here = s.workspace();
    return e.workspace.empty() ? !here.hides_matrices : e.workspace == here.id;
}

} // namespace

void open_example(App::State& s, std::size_t index) {
    const Example example = s.examples[index];
    const auto document = caught(example.title, [&] { return open_example(example); });
    if (s.complains_of(document)) return;
    leave_lesson(s);
    leave_part(s);
    s.history.settle(false);
    if (example.part.empty()) {
        replace_by(s, *document);
        if (!look_at_example(s.view, example) && s.workspace().hides_matrices)
            s.view.workspace = 0; // its matrices are nowhere to be seen there
    } else {
        look_at_example(s.view, example);
        s.view.running = false;
        s.apply_edits({TakePart{*document, example.part}});
        s.history.settle(false);
        s.workspace().look_anew(s.view, nullptr);
        s.taken_examples[s.view.workspace] = {index, s.document()};
    }
    s.say(example.about);
}

const Example* shown_example(const App::State& s) {
    const auto taken = s.taken_examples.find(s.view.workspace);
    if (taken != s.taken_examples.end()) {
        const Example& example = s.examples[taken->second.index];
        if (has_part(s.document(), taken->second.document, example.part)) return &example;
    }
    if (!s.history.kept()->path.empty()) return nullptr; // it is a session's name
    return find_in(s.examples, s.document().title, &Example::title);
}

std::vector<MenuItem> example_items(App::State& s) {
    const Example* const shown = shown_example(s);
    std::vector<std::vector<MenuItem>> own; // a group a kind
    std::vector<MenuItem> others;           // a submenu a kind
    std::string_view own_kind, other_kind;  // of the last ones
    for (const auto i : indices(s.examples)) {
        const Example& e = s.examples[i];
        MenuItem item{.id = e.id,
                      .label = e.title,
                      .run = [&s, i] { open_example(s, i); },
                      .checked = &e == shown,
                      .hint = e.about};
        if (belongs_here(s, e)) {
            if (own.empty() || e.kind != own_kind) {
                own.emplace_back();
                item.heading = e.kind;
            }
            own_kind = e.kind;
            own.back().push_back(std::move(item));
        } else {
            if (others.empty() || e.kind != other_kind)
                others.push_back({.id = e.id + "-kind", .label = e.kind});
            other_kind = e.kind;
            others.back().children.push_back(std::move(item));
        }
    }
    own.push_back(std::move(others));
    return in_groups(std::move(own));
}

} // namespace normscope
