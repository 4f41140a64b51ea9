#include "app/session/session_file.h"
#include "tests/app/model/edited.h"
#include "tests/app/model/random_edit.h"

#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace normscope::testing {
namespace {

// Another value in the range.
struct OtherValue {
    const FieldInfo& field;

    FieldValue operator()(bool now) const { return !now; }
    FieldValue operator()(std::int64_t now) const { return now + 1; }
    FieldValue operator()(std::uint64_t now) const { return now + 1; }
    FieldValue operator()(double now) const { return now + 0.25; }
    FieldValue operator()(const std::optional<double>&) const { return std::optional(0.25); }
    FieldValue operator()(const Chosen& now) const {
        return Chosen{(now.at + 1) % field.words.choices.size()};
    }
    FieldValue operator()(std::vector<Index> values) const {
        for (Index& value : values) value = std::max<Index>(value - 1, 0);
        return values;
    }
    FieldValue operator()(const Shared<std::vector<double>>&) const {
        return Shared(std::vector{0.5});
    }
    FieldValue operator()(const std::optional<FaderRange>&) const {
        return std::optional(FaderRange{-0.5, 1.5});
    }
};

template<class S>
FieldValue other_value(const Field<S>& field, const S& setup) {
    return std::visit(OtherValue{field}, field.get(setup));
}

template<class S>
void change_all(S& setup) {
    for (const Field<S>& field : fields<S>()) {
        SCOPED_TRACE(field.key);
        const S before = setup;
        const FieldValue value = other_value(field, setup);
        field.set(setup, value);
        EXPECT_TRUE(field.get(setup) == value);
        EXPECT_FALSE(field.get(setup) == field.get(before));
        EXPECT_TRUE(check_value(field, value));
        EXPECT_FALSE(error_text(describe_change(field, before, value)).empty());
    }
}

template<class S>
void expect_all_changed(const S& setup, const S& usual) {
    for (const Field<S>& field : fields<S>())
        EXPECT_FALSE(field.get(setup) == field.get(usual)) << field.key;
}

TEST(Field, EverySettingIsKeptByASession) {
    Document d = blank_document(3, 4);
    const Document usual = d;
    for (const Field<Document>& field : fields<Document>())
        d = *normscope::apply(d, SetField<Document>{&field, other_value(field, d)});
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>) change_all(d.*part.member);
    });
    change_all(d.flow.stack);
    d.flow.stack.block_affine = {{2, 0.5, 0.25}};
    change_all(d.flow.stack.block_affine[0]);
    ASSERT_TRUE(check(d)) << check(d).error().message;
    const auto read = read_session(write_session(d), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, d);
    expect_all_changed(*read, usual);
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>) expect_all_changed((*read).*part.member, usual.*part.member);
    });
    expect_all_changed(read->flow.stack, usual.flow.stack);
}

TEST(Field, AValueOutOfRangeIsRefusedByNameRangeAndWayOut) {
    const Document d = blank_document(3, 4);
    EXPECT_EQ(refusal(d, set<&BatchSetup::momentum>(1.5)),
              "Momentum must be from 0.001 to 1, but it is 1.5");
    EXPECT_EQ(refusal(d, set<&BatchSetup::momentum>(std::nan(""))),
              "Momentum must be from 0.001 to 1, but it is NaN");
    EXPECT_EQ(refusal(d, set<&Document::eps>(-1)),
              "ε must be a finite number from 0 up, but it is -1; "
              "ε is added to the variance inside the root");
    EXPECT_EQ(refusal(d, set<&FlowSetup::seeds>(33)),
              "Seeds must be from 1 to 32, but it is 33; the command “normscope flow” takes more");
    EXPECT_EQ(refusal(d, set<&BackwardSetup::target_mean>(std::nan(""))),
              "Target's mean must be a finite number, but it is NaN");
}

TEST(Field, UndoNamesTheSettingAndItsValue) {
    const Document d = blank_document(3, 4);
    const std::pair<Edit, const char*> cases[] = {
        {set<&BatchSetup::momentum>(0.25), "Momentum → 0.25"},
        {set<&BatchSetup::batch>(2), "Batch → 2"},
        {set<&BatchSetup::nan_update>(0), "Update of the NaN batch → none"},
        {set<&BatchSetup::lengths>({3, 5, 1, 4}), "Sentence 3: 1 word"},
        {set<&BatchSetup::padding>(Padding::left_out), "Padding left out"},
        {set<&BatchSetup::leak>({1, 2, 0}), "+1 on word 3 of sentence 2"},
        {set<&BackwardSetup::loss>(LossKind::sum), "Loss: Σ Y"},
        {set<&BackwardSetup::lr>(std::nullopt), "Learning rate → the usual one"},
        {set<&BackwardSetup::head_seed>(7), "Seed of the linear head → 7"},
        {set<&FlowSetup::linked_affine>(true), "One γ, β for all stacks"},
    };
    for (const auto& [edit, label] : cases) EXPECT_EQ(describe(edit, d), label);
}

template<class S>
std::set<std::string> keys_of() {
    std::set<std::string> keys;
    for (const Field<S>& field : fields<S>()) keys.emplace(field.key);
    EXPECT_EQ(keys.size(), fields<S>().size()) << "each once";
    return keys;
}

TEST(Field, ChanceMakesEveryEditAndSetsEverySetting) {
    Random random(7);
    std::set<std::size_t> edits;
    std::set<std::string> of_document;
    std::map<std::string, std::set<std::string>> of_parts; // by the part's key
    const Document d = blank_document(3, 4);
    for (int i = 0; i < 20000; ++i) {
        const Edit edit = any_edit(random, d);
        edits.insert(edit.index());
        if (const auto* e = std::get_if<SetField<Document>>(&edit))
            of_document.emplace(e->field->key);
        for_each_part([&]<class S>(const Part<S>& part) {
            if constexpr (k_has_fields<S>)
                if (const auto* e = std::get_if<SetField<S>>(&edit))
                    of_parts[part.key].emplace(e->field->key);
        });
    }
    EXPECT_EQ(edits.size(), std::variant_size_v<AnyEdit>);
    EXPECT_EQ(of_document, keys_of<Document>());
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>) {
            EXPECT_EQ(of_parts[part.key], keys_of<S>()) << part.key;
        }
    });
}

} // namespace
} // namespace normscope::testing
