#include "app/session/document_json.h"
#include "app/session/settings_json.h"

namespace normscope {

namespace {

StackConfig read_stack(const JsonPlace& at) {
    StackConfig c = default_flow().stack;
    read_object(at, c, {{"block_affine", c.block_affine, list_of(read_new<BlockAffine>)}});
    return c;
}

// One that says no look has that of its place: sessions were once written without.
PinnedStack read_pin(const JsonPlace& at, std::size_t place) {
    PinnedStack pin{{}, default_flow().stack, true, place};
    read_members(at, {{"stack", pin.stack, read_stack},
                      {"shown", pin.shown, read_flag},
                      {"look", pin.look, read_index},
                      {"name", pin.name, read_string}});
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

void read_part(const JsonPlace& place, FlowSetup& s) {
    read_object(place, s,
                {{"stack", s.stack, read_stack}, {"pinned", s.pinned, list_of(read_pin)}});
}

} // namespace normscope
