#include "app/session/flow_json.h"

#include "app/language/language.h"
#include "app/session/settings_json.h"

namespace normscope {

namespace {

Result<BlockAffine> read_block_affine(const JsonPlace& at, std::size_t /*place*/) {
    BlockAffine own;
    return read_object(at, own).map([&] { return own; });
}

Result<StackConfig> read_stack(const JsonPlace& at) {
    StackConfig c = default_flow().stack;
    for (const auto& ok : {read_object(at, c, {"block_affine"}),
                           read_optional(at, "block_affine", c.block_affine,
                                         list_of<BlockAffine>(read_block_affine))})
        if (!ok) return tl::unexpected(ok.error());
    return c;
}

// One that says no look has that of its place: sessions were once written without.
Result<PinnedStack> read_pin(const JsonPlace& at, std::size_t place) {
    if (auto ok = check_keys(at, {"name", "shown", "look", "stack"}); !ok)
        return tl::unexpected(ok.error());
    PinnedStack pin{{}, default_flow().stack, true, place};
    for (const auto& ok : {read_optional(at, "stack", pin.stack, read_stack),
                           read_optional(at, "shown", pin.shown, read_flag),
                           read_optional(at, "look", pin.look, read_index)})
        if (!ok) return tl::unexpected(ok.error());
    if (auto ok = read_optional(at, "name", pin.name, read_string); !ok)
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
    for (const auto& ok :
         {read_object(place, s, {"stack", "pinned"}),
          read_optional(place, "stack", s.stack, read_stack),
          read_optional(place, "pinned", s.pinned, list_of<PinnedStack>(read_pin))})
        if (!ok) return ok;
    return {};
}

} // namespace normscope
