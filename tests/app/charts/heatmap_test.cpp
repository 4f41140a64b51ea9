#include "app/charts/heatmap.h"

#include "app/charts/number_format.h"
#include "tests/app/charts/recording_canvas.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <utility>

namespace normscope {
namespace {

using Kind = RecordingCanvas::Kind;
constexpr Rect k_area{100, 50, 240, 160};

Matrix<float> noise(Index rows, Index cols) {
    std::mt19937 random(11);
    std::normal_distribution<float> normal;
    Matrix<float> m(rows, cols);
    for (float& v : m.reshaped()) v = normal(random);
    return m;
}

std::vector<std::string> names(std::string_view prefix, Index n) {
    std::vector<std::string> all;
    for (Index i = 0; i < n; ++i) all.push_back(std::string(prefix) + std::to_string(i));
    return all;
}

struct Drawn {
    RecordingCanvas canvas;
    HeatmapPicture picture;
};

Drawn draw(const Matrix<float>& m, HeatmapPort port, HeatmapMarks marks = {}, Rect covered = {}) {
    Drawn d;
    const auto rows = names("token ", m.rows()), cols = names("d", m.cols());
    Heatmap map;
    map.values = m;
    map.port = port;
    map.format = choose_cell_format(d.canvas, k_area, port, m);
    map.marks = std::move(marks);
    map.covered = covered;
    map.limit = 3;
    map.row_names = rows;
    map.col_names = cols;
    map.row_names_w = 80;
    map.col_names_h = 20;
    draw_heatmap(d.canvas, theme(ThemeKind::light), k_area, map, d.picture);
    EXPECT_EQ(d.canvas.open_clips(), 0u);
    return d;
}

TEST(HeatmapGeometry, FitsAndStopsGrowing) {
    const HeatmapPort small = fit_port(k_area, 2, 3, {64, 34});
    EXPECT_EQ(small.cell_w, 64);
    EXPECT_EQ(small.cell_h, 34);
    const HeatmapPort large = fit_port(k_area, 640, 480, {64, 34});
    EXPECT_FLOAT_EQ(large.cell_w, 0.5f);
    EXPECT_FLOAT_EQ(large.cell_h, 0.25f);
}

TEST(HeatmapGeometry, ACellIsWhereItsMiddleIs) {
    const HeatmapPort port{7.3f, 2.6f, 31.7f, 22.3f};
    for (Index r = 8; r < 13; ++r)
        for (Index c = 3; c < 9; ++c) {
            const Rect cell = cell_rect(k_area, port, r, c);
            const auto hit = cell_at(k_area, port, 40, 40, cell.center());
            ASSERT_TRUE(hit);
            EXPECT_EQ(hit->row, r);
            EXPECT_EQ(hit->col, c);
        }
    EXPECT_FALSE(cell_at(k_area, port, 40, 40, {k_area.x - 1, k_area.y + 5})) << "outside";
    EXPECT_FALSE(cell_at(k_area, port, 8, 40, {k_area.x + 5, k_area.bottom() - 5}))
        << "below the last row";
}

TEST(HeatmapGeometry, CellsSitOnPixelsWithEqualGaps) {
    const HeatmapPort port{0, 0, 31.7f, 22.3f};
    for (Index c = 0; c + 1 < 7; ++c) {
        const Rect a = cell_rect(k_area, port, 0, c), b = cell_rect(k_area, port, 0, c + 1);
        EXPECT_EQ(a.x, std::round(a.x));
        EXPECT_EQ(b.x - a.right(),
                  cell_rect(k_area, port, 0, 1).x - cell_rect(k_area, port, 0, 0).right());
    }
}

TEST(HeatmapDigits, ChoosesTheMostThatFits) {
    const RecordingCanvas canvas;
    Matrix<float> m(2, 2);
    m << 1.8f, -0.3f, 0.8f, 2.1f;
    const auto with = [&](float w) { return choose_cell_format(canvas, k_area, {0, 0, w, 24}, m); };
    EXPECT_EQ(with(60).role, TextRole::number);
    EXPECT_EQ(with(64).decimals, 2);
    const CellFormat airy = with(60);
    EXPECT_LE(canvas.text_size(cell_text(-0.3, airy), airy.role).w, 0.8f * 60)
        << "a fifth of the cell is free";
    int before = 2;
    for (float w = 64; w > 3; w -= 0.5f) {
        const CellFormat f = with(w);
        EXPECT_LE(f.decimals, before) << "narrower cells never show more";
        before = f.decimals;
        if (f.decimals < 0) continue;
        EXPECT_LE(canvas.text_size(cell_text(-0.3, f), f.role).w, w) << w;
    }
    EXPECT_EQ(before, -1) << "and none where nothing fits";
    EXPECT_EQ(choose_cell_format(canvas, k_area, {0, 0, 64, 5}, m).decimals, -1) << "too low";
}

TEST(HeatmapDigits, GrowWithTheirCells) {
    const RecordingCanvas canvas;
    Matrix<float> m(1, 2);
    m << 1.8f, -0.3f;
    const auto role = [&](float w, float h) {
        return choose_cell_format(canvas, k_area, {0, 0, w, h}, m).role;
    };
    const auto decimals = [&](float w) {
        return choose_cell_format(canvas, k_area, {0, 0, w, 60}, m).decimals;
    };
    EXPECT_EQ(role(110, 60), TextRole::number_huge);
    EXPECT_EQ(role(110, 26), TextRole::number_large) << "no higher than the cell";
    float before = 1000;
    for (float w = 110; w > 20; --w) {
        const float size = text_role_spec(role(w, 60)).size;
        EXPECT_TRUE(size <= before || decimals(w) < decimals(w + 1)) << w;
        before = size;
    }
}

TEST(HeatmapDigits, LargeOnesHaveLargeNames) {
    const std::vector<std::string> features = {"d0", "d1"}, tokens = {"studying"};
    Matrix<float> m(1, 2);
    m << 1.8f, -0.3f;
    for (const float cell : {110.0f, 40.0f}) {
        RecordingCanvas canvas;
        Heatmap map;
        map.values = m;
        map.port = {0, 0, cell, 40};
        map.format = choose_cell_format(canvas, k_area, map.port, m);
        map.row_names = tokens;
        map.col_names = features;
        map.row_names_w = 120;
        map.col_names_h = 22;
        HeatmapPicture picture;
        draw_heatmap(canvas, theme(ThemeKind::light), k_area, map, picture);
        for (const auto& text : canvas.texts)
            if (text.text == "studying" || text.text == "d0") {
                EXPECT_EQ(text.role == TextRole::name_large, cell == 110) << text.text << cell;
            }
    }
}

// A canvas whose sans font has narrower signs and points, as real fonts have.
struct SansCanvas : RecordingCanvas {
    float run_width(std::string_view run, TextRole role) const override {
        if (text_role_spec(role).mono) return RecordingCanvas::run_width(run, role);
        float w = 0;
        for (const char c : run) {
            const bool follows = (static_cast<unsigned char>(c) & 0xC0) == 0x80; // of the minus
            const bool narrow = c == '.' || static_cast<unsigned char>(c) >= 0xC0;
            w += (follows ? 0.0f : narrow ? 0.3f : 0.5f) * line_height(role);
        }
        return w;
    }
};

TEST(HeatmapDigits, AreNarrowBeforeADecimalIsLost) {
    const SansCanvas canvas;
    Matrix<float> m(1, 3);
    m << -1.06f, 0.44f, 1.7f;
    const auto with = [&](float w) { return choose_cell_format(canvas, k_area, {0, 0, w, 24}, m); };
    const float mono = canvas.text_size("−1.06", TextRole::number).w;
    const float narrow = canvas.text_size("−1.06", TextRole::number_narrow).w;
    ASSERT_LT(narrow, mono);
    constexpr float k_filled = 0.8f; // of a cell
    EXPECT_NE(with(mono / k_filled + 0.1f).role, TextRole::number_narrow);
    EXPECT_EQ(with(narrow / k_filled + 0.1f).role, TextRole::number_narrow);
    EXPECT_EQ(with(narrow / k_filled + 0.1f).decimals, 2);
    EXPECT_LT(with(narrow / k_filled - 0.1f).decimals, 2);
}

TEST(HeatmapDigits, AreRememberedUntilSomethingChanges) {
    const RecordingCanvas canvas;
    const Matrix<float> few = noise(2, 3), large = 1000 * few;
    CellFormatMemo memo;
    const auto at = [&](const Matrix<float>& m, std::uint64_t version, float cell_w) {
        return cell_format(memo, canvas, k_area, {0, 0, cell_w, 24}, m, version).decimals;
    };
    EXPECT_EQ(at(few, 1, 64), 2);
    EXPECT_EQ(at(large, 1, 64), 2) << "the same version is not looked at again";
    EXPECT_EQ(at(large, 2, 30), choose_cell_format(canvas, k_area, {0, 0, 30, 24}, large).decimals);
    EXPECT_EQ(at(few, 3, 30), choose_cell_format(canvas, k_area, {0, 0, 30, 24}, few).decimals);
    EXPECT_EQ(at(few, 3, 12), choose_cell_format(canvas, k_area, {0, 0, 12, 24}, few).decimals);
}

TEST(HeatmapDigits, TextOfACell) {
    EXPECT_EQ(cell_text(-0.45, {.decimals = 2}), "−0.45");
    EXPECT_EQ(cell_text(-0.001, {.decimals = 2}), "0.00");
    EXPECT_EQ(cell_text(1e20, {.decimals = 2}), "1e20");
    EXPECT_EQ(cell_text(k_nan, {.decimals = 2}), "NaN");
    EXPECT_EQ(cell_text(k_inf, {.decimals = 0}), "∞");
    EXPECT_EQ(cell_text(-k_inf, {.decimals = 0}), "−∞");
    EXPECT_EQ(cell_text(3e-7, CellFormat{TextRole::number, 2, true}), "3e-7");
}

TEST(HeatmapDigits, SmallGradientsHaveDecimalsThatTellThemApart) {
    const RecordingCanvas canvas;
    Matrix<double> m(1, 2);
    m << -0.003, 0.0441;
    const auto with = [&](float w) {
        return choose_cell_format(canvas, k_area, {0, 0, w, 24}, m, 4);
    };
    EXPECT_EQ(cell_text(m(0, 1), with(80)), "0.0441");
    EXPECT_EQ(cell_text(m(0, 1), with(61)), "0.044");
    EXPECT_EQ(cell_text(m(0, 1), with(46)), "0.04") << "fewer, in no other notation";
    const CellFormat plain = choose_cell_format(canvas, k_area, {0, 0, 80, 24}, m);
    EXPECT_EQ(plain.decimals, 2) << "where nobody asks for more";
    m << -0.5, 1.7;
    EXPECT_EQ(with(110).decimals, 2);
    m << 3e-9, -1e-9;
    EXPECT_EQ(cell_text(m(0, 0), with(80)), scientific_text(3e-9, 1));
}

TEST(HeatmapDigits, UnlitDigitsCanStillBeRead) {
    for (const ThemeKind kind : k_themes) {
        RecordingCanvas canvas;
        Matrix<double> m(1, 3);
        m << 0, 0.5, -1.2;
        Heatmap map;
        map.values = m;
        map.limit = 2;
        map.port = {0, 0, 64, 24};
        map.format = choose_cell_format(canvas, k_area, map.port, m);
        map.marks.lit = CellBlock{0, 0, 0, 0};
        HeatmapPicture picture;
        draw_heatmap(canvas, theme(kind), k_area, map, picture);
        ASSERT_EQ(canvas.texts.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            Color ground;
            for (const auto& mark : canvas.marks)
                if (mark.kind == RecordingCanvas::Kind::fill_rect &&
                    mark.bounds.contains(canvas.texts[i].bounds.center()))
                    ground = mark.color;
            EXPECT_GE(contrast_ratio(canvas.texts[i].color, ground), 4.5) << i;
        }
    }
}

TEST(HeatmapDigits, TinyValuesAreNotAllZero) {
    const RecordingCanvas canvas;
    Matrix<float> m(1, 2);
    m << 3e-7f, -1e-6f;
    EXPECT_TRUE(choose_cell_format(canvas, k_area, {0, 0, 64, 24}, m).scientific);
    m << 3e-7f, 1;
    EXPECT_FALSE(choose_cell_format(canvas, k_area, {0, 0, 64, 24}, m).scientific);
    m.setZero();
    EXPECT_FALSE(choose_cell_format(canvas, k_area, {0, 0, 64, 24}, m).scientific);
}

// Whole numbers that are wider than their cells, all of them: better a digit and its size than
// none.
TEST(HeatmapDigits, ManyLargeValuesInNarrowCellsAreWrittenWithAPower) {
    const RecordingCanvas canvas;
    Matrix<double> m = Matrix<double>::Constant(5, 8, 10000.2);
    const Rect area{0, 0, 8 * 36, 5 * 36};
    const HeatmapPort port = fit_port(area, 5, 8, {72, 40});
    const CellFormat format = choose_cell_format(canvas, area, port, m);
    ASSERT_EQ(format.decimals, 0);
    Heatmap map;
    map.values = m;
    map.port = port;
    map.format = format;
    RecordingCanvas drawn;
    HeatmapPicture picture;
    draw_heatmap(drawn, theme(ThemeKind::light), area, map, picture);
    EXPECT_TRUE(drawn.find_text("1e4"));
    EXPECT_EQ(drawn.overlapping_texts().value_or(""), "");
    m.setConstant(0.31); // a 0 would be wrong
    const Rect tiny{0, 0, 8 * 9, 5 * 30};
    EXPECT_LT(choose_cell_format(canvas, tiny, fit_port(tiny, 5, 8, {72, 40}), m).decimals, 0);
}

TEST(HeatmapDigits, AFewLargeValuesLeaveTheOthersTheirDecimals) {
    Matrix<float> m = Matrix<float>::Constant(4, 4, -0.45f);
    const HeatmapPort port{0, 0, 51, 24};
    m(1, 2) = 1000;
    const Drawn d = draw(m, port, {});
    std::size_t usual = 0, large = 0;
    for (const auto& t : d.canvas.texts) {
        usual += t.text == "−0.45";
        large += t.text.starts_with("1000") || t.text == "1e3";
    }
    EXPECT_EQ(usual, 15u);
    EXPECT_EQ(large, 1u);
    m.row(0).setConstant(1000);
    EXPECT_LT(choose_cell_format(d.canvas, k_area, port, m).decimals, 2) << "many are not few";
}

TEST(HeatmapDrawing, NoTextLeavesItsPlaceOrCoversAnother) {
    const Rect all{k_area.x - 80, k_area.y - 20, k_area.w + 80, k_area.h + 20};
    std::mt19937 random(5);
    std::uniform_real_distribution<float> size(0.3f, 60), start(0, 30);
    Matrix<float> m = noise(61, 47);
    for (Index t = 0; t < m.rows(); t += 2) m(t, t % m.cols()) = -3e38f;
    for (int i = 0; i < 300; ++i) {
        HeatmapMarks marks;
        marks.row_name = 35;
        marks.col_name = 33;
        const HeatmapPort port{start(random), start(random), size(random), size(random)};
        SCOPED_TRACE(testing::Message()
                     << port.row << " " << port.col << " " << port.cell_w << "×" << port.cell_h);
        const Drawn d = draw(m, port, marks);
        EXPECT_EQ(d.canvas.overlapping_texts().value_or(""), "");
        EXPECT_EQ(d.canvas.text_outside(all, 2.5f).value_or(""), "");
    }
}

TEST(HeatmapDrawing, DigitsAreNotCutByWhatLiesOverThem) {
    const Matrix<float> m = noise(9, 7);
    const HeatmapPort port{0.4f, 0.6f, 60, 30};
    const Rect covered{k_area.right() - 75, k_area.bottom() - 50, 70, 45};
    const Drawn free = draw(m, port);
    const Drawn d = draw(m, port, {}, covered);
    EXPECT_LT(d.canvas.texts.size(), free.canvas.texts.size());
    EXPECT_GT(d.canvas.texts.size(), free.canvas.texts.size() / 2);
    for (const auto& text : d.canvas.texts) {
        const Rect& b = text.bounds;
        EXPECT_TRUE(b.right() <= covered.x || b.bottom() <= covered.y) << text.text;
    }
}

TEST(HeatmapDrawing, TheMarkedNameIsAlwaysWritten) {
    HeatmapMarks marks;
    marks.row_name = 37;
    marks.col_name = 23;
    const Drawn d = draw(noise(61, 47), {0, 0, 240 / 47.0f, 160 / 61.0f}, marks);
    EXPECT_NE(d.canvas.find_text("token 37"), nullptr);
    EXPECT_NE(d.canvas.find_text("d23"), nullptr);
}

TEST(HeatmapDrawing, ManyCellsBecomeOnePicture) {
    EXPECT_EQ(draw(noise(4, 6), {0, 0, 40, 34}).canvas.count(Kind::fill_rect), 24u);
    EXPECT_EQ(draw(noise(4, 6), {0, 0, 40, 34}).canvas.count(Kind::image), 0u);
    const Drawn d = draw(noise(400, 300), {0, 0, 0.8f, 0.4f});
    EXPECT_EQ(d.canvas.count(Kind::fill_rect), 0u);
    EXPECT_EQ(d.canvas.count(Kind::image), 1u);
    EXPECT_EQ(d.picture.w, 240);
    EXPECT_EQ(d.picture.h, 160);
}

// The last of ten names has no room: a letter and dots would say nothing.
TEST(HeatmapDrawing, AColumnsNameIsNotShortenedToALetter) {
    const Drawn d = draw(noise(3, 11), {.col = 1, .cell_w = 24, .cell_h = 24});
    EXPECT_NE(d.canvas.find_text("d9"), nullptr);
    for (const auto& text : d.canvas.texts)
        EXPECT_FALSE(text.text.starts_with("d") && text.text.ends_with("…")) << text.text;
}

TEST(HeatmapDrawing, NotANumberHasItsColourAndItsName) {
    Matrix<float> m = noise(2, 2);
    m(0, 1) = static_cast<float>(k_nan);
    m(1, 0) = static_cast<float>(-k_inf);
    const Drawn d = draw(m, {0, 0, 60, 34});
    EXPECT_NE(d.canvas.find_text("NaN"), nullptr);
    EXPECT_NE(d.canvas.find_text("−∞"), nullptr);
    std::size_t in_its_colour = 0;
    for (const auto& mark : d.canvas.marks)
        in_its_colour += mark.color == theme(ThemeKind::light).nan ? 1u : 0u;
    EXPECT_EQ(in_its_colour, 2u);
}

TEST(HeatmapDrawing, UnlitCellsStepBack) {
    HeatmapMarks marks;
    marks.lit = CellBlock{1, 0, 1, 6};
    const Drawn plain = draw(noise(4, 6), {0, 0, 40, 34});
    const Drawn lit = draw(noise(4, 6), {0, 0, 40, 34}, marks);
    for (std::size_t i = 0; i < 24; ++i)
        EXPECT_EQ(plain.canvas.marks[i].color == lit.canvas.marks[i].color, i / 6 == 1) << i;
    marks.lit = CellBlock{100, 0, 1, 300};
    const Drawn veiled = draw(noise(400, 300), {0, 0, 0.8f, 0.4f}, marks);
    EXPECT_EQ(veiled.canvas.count(Kind::image), 1u);
    EXPECT_GE(veiled.canvas.count(Kind::fill_rect), 2u) << "above and below the lit row";
}

// Every texel against the definition, for views that are whole, panned, and cut off.
template<class S>
void expect_largest_wins(const Matrix<S>& m, HeatmapPort port) {
    RecordingCanvas canvas;
    Heatmap map;
    map.values = m;
    map.port = port;
    map.limit = 4;
    HeatmapPicture picture;
    draw_heatmap_picture(canvas, theme(ThemeKind::light), k_area, map, picture);
    ASSERT_EQ(canvas.marks.size(), 1u);
    const std::set<std::uint32_t> seen(picture.rgba.begin(), picture.rgba.end());
    const auto packed = [](Color c) {
        return static_cast<std::uint32_t>(c.r) | static_cast<std::uint32_t>(c.g) << 8 |
               static_cast<std::uint32_t>(c.b) << 16 | 0xFF000000u;
    };
    const Theme& t = theme(ThemeKind::light);
    EXPECT_TRUE(seen.contains(packed(t.heat_high))) << "one outlier among many";
    EXPECT_TRUE(seen.contains(packed(t.nan))) << "one NaN among many";
    EXPECT_EQ(std::count(picture.rgba.begin(), picture.rgba.end(), packed(t.nan)), 1);
}

TEST(HeatmapPicture, NoOutlierVanishes) {
    Matrix<float> m = noise(1000, 700).cwiseMax(-1).cwiseMin(1);
    m(501, 333) = 100;
    m(77, 600) = static_cast<float>(k_nan);
    expect_largest_wins<float>(m, {0, 0, 240 / 700.0f, 160 / 1000.0f});
    expect_largest_wins<double>(m.cast<double>(), {0, 0, 240 / 700.0f, 160 / 1000.0f});
}

// A matrix large enough for several threads: three times the same rows, so three times the picture.
TEST(HeatmapPicture, ManyValuesGiveThePictureOfFew) {
    const Matrix<float> few = noise(1000, 1100);
    const Matrix<float> many = few.replicate(3, 1);
    const auto picture_of = [](const Matrix<float>& m) {
        RecordingCanvas canvas;
        Heatmap map;
        map.values = m;
        map.port = {0, 0, 240 / 1100.0f, 0.05f};
        HeatmapPicture picture;
        draw_heatmap_picture(canvas, theme(ThemeKind::light), k_area, map, picture);
        return picture.rgba;
    };
    const auto once = picture_of(few);
    std::vector<std::uint32_t> thrice;
    for (int i = 0; i < 3; ++i) thrice.insert(thrice.end(), once.begin(), once.end());
    EXPECT_EQ(picture_of(many), thrice);
}

TEST(HeatmapPicture, IsMadeAgainOnlyWhenSomethingChanged) {
    const Matrix<float> m = noise(300, 200);
    RecordingCanvas canvas;
    HeatmapPicture picture;
    Heatmap map;
    map.values = m;
    map.version = 5;
    map.port = {0, 0, 1.2f, 0.5f};
    const auto key_after = [&](ThemeKind kind) {
        draw_heatmap_picture(canvas, theme(kind), k_area, map, picture);
        return picture.key;
    };
    const auto first = key_after(ThemeKind::light);
    picture.rgba[0] = 42; // would be overwritten
    EXPECT_EQ(key_after(ThemeKind::light), first);
    EXPECT_EQ(picture.rgba[0], 42u);
    std::set<std::uint64_t> keys{first, key_after(ThemeKind::dark)};
    map.version = 6;
    keys.insert(key_after(ThemeKind::light));
    map.id = 1;
    keys.insert(key_after(ThemeKind::light));
    map.limit = 2;
    keys.insert(key_after(ThemeKind::light));
    map.port.row = 3;
    keys.insert(key_after(ThemeKind::light));
    EXPECT_EQ(keys.size(), 6u);
    EXPECT_NE(picture.rgba[0], 42u);
}

TEST(HeatmapPicture, CellsLargerThanAPixelStayInPlace) {
    const Matrix<float> m = noise(300, 200);
    RecordingCanvas canvas;
    HeatmapPicture picture;
    Heatmap map;
    map.values = m;
    map.port = {10.5f, 20.25f, 2, 4};
    draw_heatmap_picture(canvas, theme(ThemeKind::light), k_area, map, picture);
    const Rect at = canvas.marks.front().bounds;
    EXPECT_FLOAT_EQ(at.x, k_area.x - 0.25f * 2);
    EXPECT_FLOAT_EQ(at.y, k_area.y - 0.5f * 4);
    EXPECT_FLOAT_EQ(at.w, static_cast<float>(picture.w) * 2);
    EXPECT_FLOAT_EQ(at.h, static_cast<float>(picture.h) * 4);
    EXPECT_GE(at.right(), k_area.right());
}

TEST(HeatmapLimit, RoundsUpAndIgnoresWhatIsNotFinite) {
    EXPECT_DOUBLE_EQ(common_limit(std::array{3.16, 2.1}), 4);
    EXPECT_DOUBLE_EQ(common_limit(std::array{0.0012, k_inf, k_nan}), 0.0015);
    EXPECT_DOUBLE_EQ(common_limit(std::array{8.2}), 10);
    EXPECT_DOUBLE_EQ(common_limit(std::array{0.0, k_nan}), 1);

    const auto limits = [](double in, double out) {
        const NormLimits l = norm_limits({&in, 1}, {&out, 1});
        return std::pair(l.in, l.out);
    };
    EXPECT_EQ(limits(3.16, 1.2), std::pair(4.0, 4.0));
    EXPECT_EQ(limits(10, 1.5), std::pair(10.0, 10.0));
    EXPECT_EQ(limits(1e6, 1.5), std::pair(1e6, 1.5)) << "x̂ has colours of its own";
    EXPECT_EQ(limits(0.001, 1.5), std::pair(0.001, 1.5));
}

TEST(Heatmap, AnOverviewStepsAsideForTheCellAndTheMouse) {
    const Rect area{0, 0, 200, 100};
    const HeatmapPort port{0, 0, 20, 10};
    const Point away{-1, -1};
    const auto at = [&](const std::optional<CellBlock>& cell, Point mouse) {
        return overview_place(area, {60, 30}, 4, port, cell, mouse).x;
    };
    EXPECT_EQ(at(std::nullopt, away), 136);
    EXPECT_EQ(at(CellBlock{0, 9, 1, 1}, away), 136);
    EXPECT_EQ(at(CellBlock{9, 0, 1, 1}, away), 136);
    EXPECT_EQ(at(CellBlock{9, 9, 1, 1}, away), 4) << "the corner cell is the one looked at";
    EXPECT_EQ(at(std::nullopt, {190, 95}), 4);
}

TEST(Heatmap, ARowThatIsHardlySeenHasNoNameBesideItsNeighbours) {
    const Matrix<float> m = Matrix<float>::Zero(20, 4);
    const float cell_h = k_area.h / 5;
    const Drawn d = draw(m, {2.7f, 0, 60, cell_h}); // 0.3 of row 2, 0.7 of row 7
    EXPECT_EQ(d.canvas.find_text("token 2"), nullptr);
    EXPECT_NE(d.canvas.find_text("token 3"), nullptr);
    EXPECT_NE(d.canvas.find_text("token 7"), nullptr);
    const Drawn lower = draw(m, {2.2f, 0, 60, cell_h}); // 0.8 of row 2, 0.2 of row 7
    EXPECT_NE(lower.canvas.find_text("token 2"), nullptr);
    EXPECT_EQ(lower.canvas.find_text("token 7"), nullptr);
    HeatmapMarks marks;
    marks.row_name = 7;
    EXPECT_NE(draw(m, {2.2f, 0, 60, cell_h}, marks).canvas.find_text("token 7"), nullptr);
}

TEST(Heatmap, AColumnThatIsHardlySeenHasNoNameOverItsNeighbour) {
    const Matrix<float> m = Matrix<float>::Zero(4, 20);
    const float cell_w = k_area.w / 5;
    const Drawn d = draw(m, {0, 2.7f, cell_w, 40}); // 0.3 of column 2, 0.7 of column 7
    EXPECT_EQ(d.canvas.find_text("d2"), nullptr);
    EXPECT_NE(d.canvas.find_text("d3"), nullptr);
    EXPECT_NE(d.canvas.find_text("d7"), nullptr);
    HeatmapMarks marks;
    marks.col_name = 2;
    EXPECT_NE(draw(m, {0, 2.7f, cell_w, 40}, marks).canvas.find_text("d2"), nullptr);
}

} // namespace
} // namespace normscope
