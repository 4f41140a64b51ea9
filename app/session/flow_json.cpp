#include "app/session/flow_json.h"

#include "app/language/language.h"
#include "app/session/settings_json.h"

namespace normscope {

namespace {

Result<BlockAffine> read_block_affine(const JsonPlace& at) {
    BlockAffine own;
    return read_object(at, own).map([&] { return own; });
}

Result<StackConfig> read_stack(const JsonPlace& at) {
    StackConfig c = default_flow().stack;
    return read_object(at, c,
                       {{"block_affine", c.block_affine, list_of<BlockAffine>(read_block_affine)}})
        .map([&] { return c; });
}

// One that says no look has that of its place: sessions were once written without.
Result<PinnedStack> read_pin(const JsonPlace& at, std::size_t place) {
    PinnedStack pin{{}, default_flow().stack, true, place};
    if (auto ok = read_members(at, {{"stack", pin.stack, read_stack},
                                    {"shown", pin.shown, read_flag},
                                    {"look", pin.look, read_index},
                                    {"name", pin.name, read_string}});
        !ok)
        return tl::unexpected(ok.error());
    const InEnglish as_kept;
    if (!at.find("name")) pin.name = stack_name(pin.stack);
    return pin;
}

} // namespace

nlohmann::ordered_json stack_settings(const StackConfig& c) {
    nlohmann::ordered_json out;
    write_fields(out, c);
    for (const BlockAffine& own : c.block_affine)
        write_fields(out["block_affine"].emplace_back(), own);
    return out;
}

nlohmann::ordered_json part_json(const FlowSetup& s) {
    nlohmann::ordered_json out;
    out["stack"] = stack_settings(s.stack);
    write_fields(out, s);
    for (const PinnedStack& pin : *s.pinned)
        out["pinned"].push_back({{"name", pin.name},
                                 {"shown", pin.shown},
                                 {"look", pin.look},
                                 {"stack", stack_settings(pin.stack)}});
    return out;
}

Result<void> read_part(const JsonPlace& place, FlowSetup& s) {
    return read_object(
        place, s,
        {{"stack", s.stack, read_stack}, {"pinned", s.pinned, list_of<PinnedStack>(read_pin)}});
}

} // namespace normscope
