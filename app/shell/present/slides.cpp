#include "app/shell/present/present.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/lessons/answers.h"
#include "app/lessons/lesson_text.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace normscope {
namespace {

using Kind = Slide::Kind;

std::span<const FigureEntry> panels_of(const App::State& s) {
    return s.workspace().figures;
}

// The panel that has the name, or that holds the named part.
std::optional<std::size_t> panel_named(const App::State& s, std::string_view name) {
    const auto figures = panels_of(s);
    const std::string_view workspace = s.workspace().id;
    for (const auto i : indices(figures))
        if (is_within(name, fmt::format("{}.{}", workspace, figures[i].id))) return i;
    return std::nullopt;
}

// Covered panels come behind the answer.
std::vector<Slide> slides_of_step(const App::State& s, const LessonStep& step) {
    std::vector<Slide> slides{{Kind::question, 0}};
    std::vector<Slide> covered;
    std::vector<std::size_t> seen;
    for (const auto* names : {&step.show, &step.ring})
        for (const std::string& name : *names) {
            const auto panel = panel_named(s, name);
            if (!panel || find_in(seen, *panel)) continue;
            seen.push_back(*panel);
            const bool hidden = step.predict && std::ranges::any_of(step.hide, [&](const auto& h) {
                                    return is_within(name, h);
                                });
            (hidden ? covered : slides).push_back({Kind::panel, *panel});
        }
    if (seen.empty()) slides.push_back({Kind::panel, 0});
    if (step.predict || !step.reveal.empty() || !step.principle.empty())
        slides.push_back({Kind::answer, 0});
    add_all(slides, covered);
    return slides;
}

std::vector<Slide> slides_of_scene(const App::State& s, const Scene& scene) {
    std::vector<Slide> slides;
    if (!scene.question.empty() || !scene.options.empty()) slides.push_back({Kind::question, 0});
    const auto figures = panels_of(s);
    const std::size_t panel = place_in(figures, scene.panel, &FigureEntry::id);
    slides.push_back({Kind::panel, panel < figures.size() ? panel : 0});
    if (scene.right) slides.push_back({Kind::answer, 0});
    return slides;
}

// The scene that is presented.
std::optional<std::size_t> presented_scene(const App::State& s) {
    return s.present.of_scenes && !s.lesson ? present_scene(s) : std::nullopt;
}

void go_to_slide(App::State& s, std::size_t slide) {
    s.unsay(); // it was said of the page before
    s.present.slide = slide;
    if (s.present.list) show_panel_list(s);
    s.present.words_scale = k_large_words;
    s.frames_wanted = 2;
    if (s.lesson && place_in(slides_of(s), Kind::answer, &Slide::kind) <= slide)
        s.lesson->player.reveal();
}

// Goes to the next step or scene, if there is one, or to the last slide of the one before.
void go_further(App::State& s, bool on) {
    if (s.lesson) {
        const LessonPlayer& player = s.lesson->player;
        if (on ? player.last() : player.at() == 0) return;
        if (s.complains_of(go_to_step(s, on ? player.at() + 1 : player.at() - 1))) return;
    } else {
        const auto scene = presented_scene(s);
        if (!scene || (on ? *scene + 1 >= s.document().scenes->size() : *scene == 0)) return;
        show_scene(s, on ? *scene + 1 : *scene - 1);
    }
    s.present.hands.fill(0);
    go_to_slide(s, on ? 0 : slides_of(s).size() - 1);
}

constexpr int k_answer_digits = 5;
constexpr float k_above_question = 0.4f; // the share of free room that stands above the question

class WordsSlide {
  public:
    WordsSlide(Ui& ui, Rect area, App::State& s) : ui_(ui), rest_(area), top_(area.y), s_(s) {}

    float height() const { return rest_.y - top_; }

    void scene(const Scene& scene, bool answer) {
        const float h =
            paragraph_height(ui_, rest_.w, Text::typed(scene.question), TextRole::brand);
        if (scene.options.empty()) rest_.y += std::max(0.0f, (rest_.h - h) * k_above_question);
        line(scene.question, TextRole::brand);
        space(12);
        for (const auto i : indices(scene.options))
            option({{}, scene.options[i], scene.right == i, {}, {}}, i, answer);
    }

    void step(bool answer) {
        const LessonStep& step = s_.lesson->player.step();
        line(slide_title(s_), TextRole::title);
        space(6);
        if (!answer) {
            rich(step.text);
            space(8);
        }
        if (step.predict) prediction(*step.predict, answer);
        if (step.task && (answer || !step.predict)) {
            space(6);
            rich(worded("**Do:** {}", step.task->text));
        }
        if (!answer) return;
        for (const std::string* words : {&step.reveal, &step.principle}) {
            if (words->empty()) continue;
            if (words == &step.reveal && !s_.lesson->player.task_holds()) continue;
            space(8);
            rich(*words);
        }
    }

  private:
    void space(float h) { rest_.y += h; }
    void line(const std::string& words, TextRole role) {
        rest_.y += paragraph(ui_, rest_, Text::typed(words), role);
    }
    std::vector<LessonSpan> spans(const std::string& words) const {
        if (!s_.lesson) return {{words}};
        return lesson_text(words, s_.lesson->player.scope());
    }
    void rich(const std::string& words, std::optional<Color> ink = {}) {
        rest_.y += rich_paragraph(ui_, rest_, spans(words), ink);
    }

    void prediction(const LessonPrediction& predict, bool answer) {
        rich("**" + predict.question + "**");
        space(4);
        for (const auto i : indices(predict.options)) option(predict.options[i], i, answer);
        items(predict, answer);
        if (!answer || !predict.options.empty()) return;
        if (predict.kind == LessonPrediction::Kind::number)
            if (const auto value = evaluate_number(predict.value, s_.lesson->player.scope()))
                rich(fmt::format("**{}**", number_text(*value, k_answer_digits)),
                     ui_.theme.ink_of(Stage::y));
        rich(predict.right);
    }

    // Writes the lines to be ordered; the answer adds their values, or those of a curve's points.
    void items(const LessonPrediction& predict, bool answer) {
        const bool ordered = predict.kind == LessonPrediction::Kind::order;
        if (!ordered && !answer) return;
        const LessonPlayer& player = s_.lesson->player;
        const auto values = item_values(predict, player.scope());
        LineOrder order = first_places(predict.items.size());
        if (ordered && answer && values)
            order = right_order(*values);
        else if (ordered && player.order.size() == order.size())
            order = player.order;
        for (const std::size_t i : order) {
            const std::string value =
                answer && values ? ": " + number_text((*values)[i], k_answer_digits) : "";
            rich("· " + predict.items[i].text + value);
        }
    }

    // Writes one option, with the number of hands that were raised for it.
    void option(const LessonOption& option, std::size_t i, bool answer) {
        const Theme& t = ui_.theme;
        const bool right = answer && option.right;
        const std::string letter(1, static_cast<char>('A' + i));
        const bool counted = i < s_.present.hands.size();
        const std::string count =
            counted && s_.present.hands[i] > 0 ? std::to_string(s_.present.hands[i]) : "";
        const float count_w = 34;
        const auto words = spans(option.text);
        const float text_w = rest_.w - 44 - count_w;
        const float text_h = rich_paragraph_height(ui_, text_w, words);
        const Rect r{rest_.x, rest_.y, rest_.w, text_h + 8};
        const bool faded = answer && !option.right;
        const Hit hit = counted ? ui_.hit(fmt::format("hands-{}", static_cast<char>('a' + i)), r,
                                          {.kind = PartKind::choice})
                                : Hit{};
        draw_plate(ui_, hit, r);
        if (counted) draw_votes(ui_, r, share_of_hands(s_, i));
        if (right) ui_.canvas.stroke_rect(r, t.of(Stage::y), 3, 5);
        const Color ink = faded ? t.ink_soft : t.ink;
        ui_.canvas.text_in({r.x, r.y, 36, r.h}, right ? letter + " ✓" : letter, TextRole::title,
                           right ? t.ink_of(Stage::y) : ink);
        rich_paragraph(ui_, {r.x + 38, r.y + 4, text_w, text_h}, words, ink);
        ui_.canvas.text_in({r.right() - count_w, r.y, count_w, r.h}, count, TextRole::title, t.ink);
        ui_.focus_ring(hit, r, 5);
        if (hit.clicked) raise_hand(s_, i, 1);
        if (hit.right_clicked) raise_hand(s_, i, -1);
        rest_.y += r.h + 4;
        if (right && !option.feedback.empty()) {
            rich(option.feedback);
            space(4);
        }
    }

    Ui& ui_;
    Rect rest_;
    float top_;
    App::State& s_;
};

} // namespace

std::vector<Slide> slides_of(const App::State& s) {
    if (s.lesson) return slides_of_step(s, s.lesson->player.step());
    if (const auto scene = presented_scene(s))
        return slides_of_scene(s, (*s.document().scenes)[*scene]);
    std::vector<Slide> slides;
    for (const auto i : indices(panels_of(s))) slides.push_back({Kind::panel, i});
    return slides;
}

Slide shown_slide(const App::State& s) {
    if (s.present.panel) return {Kind::panel, std::min(*s.present.panel, panels_of(s).size() - 1)};
    const std::vector<Slide> slides = slides_of(s);
    return slides[std::min(s.present.slide, slides.size() - 1)];
}

const FigureEntry& shown_panel(const App::State& s) {
    return panels_of(s)[shown_slide(s).panel];
}

void turn_slide(App::State& s, bool on) {
    s.present.panel.reset();
    const std::size_t at = s.present.slide;
    if (on ? at + 1 < slides_of(s).size() : at > 0)
        go_to_slide(s, on ? at + 1 : at - 1);
    else
        go_further(s, on);
}

void turn_panel(App::State& s, bool on) {
    if (!s.lesson && !presented_scene(s)) return turn_slide(s, on);
    const std::size_t at = shown_slide(s).panel, count = panels_of(s).size();
    go_to_panel(s, on ? std::min(at + 1, count - 1) : std::max<std::size_t>(at, 1) - 1);
}

void go_to_panel(App::State& s, std::size_t panel) {
    s.unsay();
    s.present.panel = panel;
    if (s.present.list) show_panel_list(s);
    s.frames_wanted = 2;
}

void reveal_answer(App::State& s) {
    if (s.lesson) s.lesson->player.reveal();
    s.frames_wanted = 2;
    const std::vector<Slide> slides = slides_of(s);
    const std::size_t answer = place_in(slides, Kind::answer, &Slide::kind);
    // The slides behind the answer show the covered panels, which are open by then.
    if (answer == slides.size() || (!s.present.panel && s.present.slide >= answer)) return;
    s.present.panel.reset();
    go_to_slide(s, answer);
}

std::size_t answers_of(const App::State& s) {
    constexpr std::size_t k_usual = k_most_options;
    if (const auto scene = presented_scene(s)) {
        const Scene& shown = (*s.document().scenes)[*scene];
        return shown.options.empty() && !shown.question.empty() ? k_usual : shown.options.size();
    }
    if (!s.lesson || !s.lesson->player.step().predict) return k_usual;
    const std::size_t options = s.lesson->player.step().predict->options.size();
    return options == 0 ? k_usual : std::min(options, s.present.hands.size());
}

void raise_hand(App::State& s, std::size_t answer, int by) {
    int& count = s.present.hands[answer];
    count = std::max(0, count + by);
    s.frames_wanted = 2;
}

float share_of_hands(const App::State& s, std::size_t answer) {
    const int all = std::accumulate(s.present.hands.begin(), s.present.hands.end(), 0);
    return all == 0 ? 0 : static_cast<float>(s.present.hands[answer]) / static_cast<float>(all);
}

void draw_votes(Ui& ui, Rect r, float share) {
    if (share > 0)
        ui.canvas.fill_rect(cut_left(r, share * r.w), ui.theme.accent.with_alpha(0.25f), 5);
}

bool options_in_sight(const App::State& s) {
    if (shown_slide(s).kind == Kind::panel) return false;
    if (const auto scene = presented_scene(s))
        return !(*s.document().scenes)[*scene].options.empty();
    return s.lesson && s.lesson->player.step().predict;
}

std::string slide_title(const App::State& s) {
    if (s.lesson) {
        const LessonPlayer& player = s.lesson->player;
        return worded("Step {} of {}: {}", player.at() + 1, player.lesson().steps.size(),
                      plain_words(player.step().title, player.scope()));
    }
    if (const auto scene = presented_scene(s)) {
        const Scenes& scenes = *s.document().scenes;
        const std::string& name = scenes[*scene].name;
        return name.empty() ? worded("Scene {} of {}", *scene + 1, scenes.size())
                            : worded("Scene {} of {}: {}", *scene + 1, scenes.size(), name);
    }
    return worded("{} of {}: {}", shown_slide(s).panel + 1, panels_of(s).size(),
                  shown_panel(s).label);
}

std::string slide_question(const App::State& s) {
    if (s.lesson) {
        const LessonPlayer& player = s.lesson->player;
        const auto& predict = player.step().predict;
        return predict ? plain_words(predict->question, player.scope()) : "";
    }
    const auto scene = presented_scene(s);
    return scene ? (*s.document().scenes)[*scene].question : "";
}

float draw_words_slide(Ui& ui, Rect area, App::State& s, bool answer) {
    WordsSlide slide(ui, area, s);
    if (s.lesson)
        slide.step(answer);
    else if (const auto scene = presented_scene(s))
        slide.scene((*s.document().scenes)[*scene], answer);
    return slide.height();
}

} // namespace normscope
