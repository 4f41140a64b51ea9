#include "app/session/flow_json.h"

#include "core/norm/normalize.h"

#include <fmt/format.h>
#include <limits>

namespace normscope {

namespace {

constexpr std::int64_t k_most_int = std::numeric_limits<std::int32_t>::max();

template<class E>
std::string id_of(std::span<const NamedChoice<E>> table, E value) {
    for (const auto& entry : table)
        if (entry.value == value) return std::string(entry.id);
    return {};
}

// Reads an id of a table whose entries have one; `value_of` takes an entry to what it stands for.
template<class T, class Table, class ValueOf>
Result<T> read_id(const JsonPlace& at, const Table& table, ValueOf&& value_of) {
    std::string ids;
    for (const auto& entry : table) {
        if (at.json.is_string() && at.json.template get_ref<const std::string&>() == entry.id)
            return value_of(entry);
        ids += fmt::format("{}\"{}\"", ids.empty() ? "" : ", ", entry.id);
    }
    return at.expected("one of " + ids);
}

template<class E>
auto named(std::span<const NamedChoice<E>> table) {
    return [table](const JsonPlace& at) {
        return read_id<E>(at, table, [](const NamedChoice<E>& entry) { return entry.value; });
    };
}

template<class T>
Result<T> read_whole(const JsonPlace& at) {
    return read_integer(at, 0, k_most_int).map([](std::int64_t v) { return static_cast<T>(v); });
}

Result<NormKind> read_flow_norm(const JsonPlace& at) {
    return read_id<NormKind>(at, norm_table(), [](const NormEntry& entry) { return entry.kind; });
}
Result<Init> read_init(const JsonPlace& at) {
    return read_id<Init>(at, init_table(), [](const InitEntry& entry) { return entry.init; });
}
Result<Residual> read_skip(const JsonPlace& at) {
    return read_choice<Residual>(at, {{"add", Residual::add}, {"none", Residual::no_skip}});
}
Result<Activation> read_activation(const JsonPlace& at) {
    return read_choice<Activation>(at, {{"relu", Activation::relu}, {"gelu", Activation::gelu}});
}
Result<Mask> read_mask(const JsonPlace& at) {
    return read_choice<Mask>(at, {{"none", Mask::none}, {"causal", Mask::causal}});
}

Result<BlockAffine> read_block_affine(const JsonPlace& at, std::size_t /*place*/) {
    if (auto ok = check_keys(at, {"block", "gamma", "beta"}); !ok)
        return tl::unexpected(ok.error());
    BlockAffine own;
    for (const auto& ok : {read_optional(at, "block", own.block, read_whole<int>),
                           read_optional(at, "gamma", own.gamma, read_number),
                           read_optional(at, "beta", own.beta, read_number)})
        if (!ok) return tl::unexpected(ok.error());
    return own;
}

// `read` takes a place in the file and an entry's number.
template<class T, class Read>
auto list_of(Read read) {
    return [read](const JsonPlace& at) -> Result<std::vector<T>> {
        if (!at.json.is_array()) return at.expected("a list");
        std::vector<T> out;
        for (std::size_t i = 0; i < at.json.size(); ++i) {
            auto value = read(at.at(i), i);
            if (!value) return tl::unexpected(value.error());
            out.push_back(std::move(*value));
        }
        return out;
    };
}

Result<StackConfig> read_stack(const JsonPlace& at) {
    StackConfig c = default_flow().stack;
    if (auto ok = check_keys(
            at, {"blocks",       "width", "tokens", "sublayer",  "ffn_mult", "heads",
                 "activation",   "mask",  "norm",   "placement", "skip",     "trunk_scale",
                 "branch_scale", "init",  "gain",   "std",       "gamma",    "beta",
                 "block_affine", "eps",   "loss",   "vocab",     "seed"});
        !ok)
        return tl::unexpected(ok.error());
    for (const auto& ok : {read_optional(at, "blocks", c.blocks, read_whole<int>),
                           read_optional(at, "width", c.width, read_whole<Index>),
                           read_optional(at, "tokens", c.tokens, read_whole<Index>),
                           read_optional(at, "sublayer", c.sublayer, named(sublayer_table())),
                           read_optional(at, "ffn_mult", c.ffn_mult, read_whole<int>),
                           read_optional(at, "heads", c.heads, read_whole<int>),
                           read_optional(at, "activation", c.activation, read_activation),
                           read_optional(at, "mask", c.mask, read_mask),
                           read_optional(at, "norm", c.norm, read_flow_norm),
                           read_optional(at, "placement", c.placement, named(placement_table())),
                           read_optional(at, "skip", c.skip, read_skip),
                           read_optional(at, "trunk_scale", c.trunk_scale, read_number),
                           read_optional(at, "branch_scale", c.branch_scale, read_number),
                           read_optional(at, "init", c.init.init, read_init),
                           read_optional(at, "gain", c.init.gain, read_number),
                           read_optional(at, "std", c.init.std, read_number),
                           read_optional(at, "gamma", c.gamma, read_number),
                           read_optional(at, "beta", c.beta, read_number),
                           read_optional(at, "block_affine", c.block_affine,
                                         list_of<BlockAffine>(read_block_affine)),
                           read_optional(at, "eps", c.eps, read_number),
                           read_optional(at, "loss", c.loss, named(stack_loss_table())),
                           read_optional(at, "vocab", c.vocabulary, read_whole<Index>),
                           read_optional(at, "seed", c.seed, read_seed)})
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
                           read_optional(at, "look", pin.look, read_whole<std::size_t>)})
        if (!ok) return tl::unexpected(ok.error());
    pin.name = stack_name(pin.stack);
    if (auto ok = read_optional(at, "name", pin.name, read_string); !ok)
        return tl::unexpected(ok.error());
    return pin;
}

} // namespace

nlohmann::ordered_json stack_settings(const StackConfig& c) {
    nlohmann::ordered_json out;
    out["blocks"] = c.blocks;
    out["width"] = c.width;
    out["tokens"] = c.tokens;
    out["sublayer"] = id_of(sublayer_table(), c.sublayer);
    out["ffn_mult"] = c.ffn_mult;
    out["heads"] = c.heads;
    out["activation"] = c.activation == Activation::gelu ? "gelu" : "relu";
    out["mask"] = c.mask == Mask::causal ? "causal" : "none";
    out["norm"] = norm_entry(c.norm).id;
    out["placement"] = id_of(placement_table(), c.placement);
    out["skip"] = c.skip == Residual::add ? "add" : "none";
    out["trunk_scale"] = c.trunk_scale;
    out["branch_scale"] = c.branch_scale;
    out["init"] = init_id(c.init.init);
    out["gain"] = c.init.gain;
    if (c.init.init == Init::normal) out["std"] = c.init.std;
    out["gamma"] = c.gamma;
    out["beta"] = c.beta;
    for (const BlockAffine& own : c.block_affine)
        out["block_affine"].push_back(
            {{"block", own.block}, {"gamma", own.gamma}, {"beta", own.beta}});
    out["eps"] = c.eps;
    out["loss"] = id_of(stack_loss_table(), c.loss);
    out["vocab"] = c.vocabulary;
    out["seed"] = c.seed;
    return out;
}

nlohmann::ordered_json flow_settings(const FlowSetup& s) {
    nlohmann::ordered_json out;
    out["stack"] = stack_settings(s.stack);
    out["seeds"] = s.seeds;
    if (s.linked_affine) out["linked_affine"] = true;
    for (const PinnedStack& pin : *s.pinned)
        out["pinned"].push_back({{"name", pin.name},
                                 {"shown", pin.shown},
                                 {"look", pin.look},
                                 {"stack", stack_settings(pin.stack)}});
    return out;
}

Result<void> read_flow_settings(const JsonPlace& place, FlowSetup& s) {
    if (auto ok = check_keys(place, {"stack", "seeds", "linked_affine", "pinned"}); !ok) return ok;
    for (const auto& ok :
         {read_optional(place, "stack", s.stack, read_stack),
          read_optional(place, "seeds", s.seeds, read_whole<int>),
          read_optional(place, "linked_affine", s.linked_affine, read_flag),
          read_optional(place, "pinned", s.pinned, list_of<PinnedStack>(read_pin))})
        if (!ok) return ok;
    return {};
}

} // namespace normscope
