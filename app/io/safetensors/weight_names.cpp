#include "app/io/safetensors/safetensors.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/nn/embedding.h"

#include <algorithm>
#include <set>
#include <utility>

namespace normscope {

namespace {

// How a name begins, or all of it where no point ends it, and what is read for that.
struct Renaming {
    std::string_view from, to;
};
constexpr Renaming k_renamings[] = {
    // wrappers
    {"module.", ""},
    {"_orig_mod.", ""},
    {"model.", ""},
    {"transformer.", ""},
    // stacks; nn.TransformerEncoder alone
    {"transformer_encoder.", "encoder."},
    {"transformer_decoder.", "decoder."},
    {"layers.", "encoder.layers."},
    {"norm.", "encoder.norm."},
    {"ln_f.", "encoder.norm."},
    // tables; "embed." and "pos." are those of all sides
    {"src_tok_emb.embedding.", "src_embed."},
    {"tgt_tok_emb.embedding.", "tgt_embed."},
    {"src_tok_emb.", "src_embed."},
    {"tgt_tok_emb.", "tgt_embed."},
    {"src_embedding.", "src_embed."},
    {"tgt_embedding.", "tgt_embed."},
    {"embedding.", "embed."},
    {"tok_emb.", "embed."},
    {"token_embedding.", "embed."},
    {"encoder.weight", "embed.weight"},
    {"positional_encoding.pos_embedding", "pos.weight"},
    {"positional_encoding.pe", "pos.weight"},
    {"pos_encoder.pe", "pos.weight"},
    {"pos_encoding.pe", "pos.weight"},
    {"pe", "pos.weight"},
    {"pos_embedding", "pos.weight"},
    {"pos_embedding.", "pos."},
    {"position_embedding.", "pos."},
    {"pos_embed", "pos.weight"},
    {"pos_embed.", "pos."},
    {"pos_emb", "pos.weight"},
    {"pos_emb.", "pos."},
    // the head
    {"decoder.weight", "generator.weight"},
    {"decoder.bias", "generator.bias"},
    {"linear.", "generator."},
    {"fc_out.", "generator."},
    {"fc.", "generator."},
    {"lm_head.", "generator."},
    {"head.", "generator."},
};

constexpr std::string_view k_shared_tables[] = {"embed.weight", "pos.weight"};
constexpr std::pair<std::string_view, std::string_view> k_sides[] = {{"src_", "encoder.layers."},
                                                                     {"tgt_", "decoder.layers."}};

constexpr std::string_view k_known[] = {
    "encoder.layers.", "decoder.layers.", "encoder.norm.", "decoder.norm.", "src_", "tgt_",
    "generator."};

// How the names of tensors end that no pass reads.
constexpr std::string_view k_buffers[] = {"mask", "num_batches_tracked", "position_ids"};

// Models of other layers, by a part of a name; the first that fits.
struct OtherModel {
    std::string_view part, name;
};
constexpr OtherModel k_other_models[] = {
    {"h.0.ln_1.", "GPT-2"},
    {"h.0.attn.c_attn.", "GPT-2"},
    {"attention.self.query.", "BERT"},
    {"embeddings.word_embeddings.", "BERT"},
    {"layer.0.SelfAttention.", "T5"},
    {"layernorm_embedding.", "BART"},
    {"encoder.layers.0.self_attn.q_proj.", "Marian"},
    {"decoder.layers.0.self_attn.q_proj.", "OPT"},
    {"layers.0.self_attn.q_proj.", "Llama"},
    {"attention.query_key_value.", "GPT-NeoX"},
};

std::string renamed(std::string name, std::set<const Renaming*>& used) {
    const auto fits = [&](const Renaming& row) {
        return row.from.ends_with('.') ? name.starts_with(row.from) : name == row.from;
    };
    for (;;) {
        const auto row = std::ranges::find_if(k_renamings, fits);
        if (row == std::end(k_renamings)) return name;
        name.replace(0, row->from.size(), row->to);
        used.insert(row);
    }
}

// Whether a name in small letters is one of torch.nn.Transformer, and another than `own`.
bool is_known(const std::string& lower, const std::string& own) {
    std::set<const Renaming*> none;
    const std::string name = renamed(lower, none);
    return lower != own &&
           std::ranges::any_of(k_known, [&](auto begin) { return name.starts_with(begin); });
}

// Whether values are the sinusoidal table. PyTorch's buffer of the table has more dimensions, and
// is rounded.
bool is_sinusoidal(const Vector<double>& values, Index width) {
    constexpr double k_rounding = 1e-4;
    const Matrix<double> table = sinusoidal_positions<double>(values.size() / width, width);
    return (values - table.reshaped<Eigen::RowMajor>()).cwiseAbs().maxCoeff() <= k_rounding;
}

// Gives a table of positions the shape of a matrix, and returns the positions' kind.
Result<Positions> read_positions(const Safetensors& file, TensorEntry& table) {
    constexpr Index k_compared = 512; // positions
    const Index width = table.shape.empty() ? 0 : table.shape.back();
    Index values = 1;
    for (const Index side : table.shape) values *= side;
    if (width == 0 || values == 0) return Positions::learned;
    table.shape = {values / width, width};
    TensorEntry first = table;
    const std::uint64_t row =
        (table.end - table.begin) / static_cast<std::uint64_t>(values / width);
    first.end =
        table.begin + row * static_cast<std::uint64_t>(std::min(values / width, k_compared));
    const bool known = is_sinusoidal(TRY(tensor_values<double>(file, first)), width);
    return known ? Positions::sinusoidal : Positions::learned;
}

tl::unexpected<Error> fail_at(const Safetensors& file, const std::string& message) {
    return fail("{}: {}.", file.file_name, message);
}

Result<void> check_model(const Safetensors& file) {
    for (const OtherModel& other : k_other_models)
        for (const TensorEntry& tensor : file.tensors)
            if (tensor.name.find(other.part) != std::string::npos)
                return fail_at(file, worded("{} is one of {}’s names: not supported; expected "
                                            "those of torch.nn.Transformer",
                                            quote_name(tensor), std::string(other.name)));
    return {};
}

// Adds the other names of tensors that are stored once for several names.
void add_aliases(Safetensors& file) {
    std::vector<TensorEntry> more;
    for (const auto& [name, kept] : file.metadata)
        if (const TensorEntry* const tensor = file.find(kept); tensor && !file.find(name)) {
            more.push_back(*tensor);
            more.back().name = name;
        }
    add_all(file.tensors, more);
}

tl::unexpected<Error> fail_two_are_one(const Safetensors& file, const TensorEntry& one,
                                       const TensorEntry& other, std::string_view name) {
    return fail_at(file, worded("tensors {} and {} are one, “{}”: expected one of them",
                                quote_name(one), quote_name(other), name));
}

// Gives tensors the names of torch.nn.Transformer and leaves buffers out.
Result<void> rename(NamedWeights& weights) {
    Safetensors& file = weights.file;
    std::set<const Renaming*> used;
    std::vector<std::string> off, anew, aside;
    std::vector<TensorEntry> kept;
    for (TensorEntry& tensor : file.tensors) {
        if (std::ranges::any_of(k_buffers, [&](auto end) { return tensor.name.ends_with(end); })) {
            aside.push_back(quote_name(tensor));
            continue;
        }
        tensor.stored = tensor.name;
        tensor.name = renamed(tensor.stored, used);
        if (const std::string lower = lower_case(tensor.name); is_known(lower, tensor.name))
            return fail_at(file, worded("tensor {} is written in capitals: expected “{}”",
                                        quote_name(tensor), lower));
        kept.push_back(std::move(tensor));
    }
    file.tensors = std::move(kept);
    std::ranges::sort(file.tensors, {}, &TensorEntry::name);
    const auto twice = std::ranges::adjacent_find(file.tensors, {}, &TensorEntry::name);
    if (twice != file.tensors.end()) return fail_two_are_one(file, twice[0], twice[1], twice->name);
    for (const Renaming* row : used)
        if (row->to.empty())
            off.emplace_back(row->from);
        else
            anew.push_back(fmt::format("{} → {}", row->from, row->to));
    if (!off.empty()) weights.notes.push_back(worded("taken off its names: {}", joined(off)));
    if (!anew.empty()) weights.notes.push_back(worded("names read as others: {}", joined(anew)));
    if (!aside.empty())
        weights.notes.push_back(worded("set aside, as no pass reads it: {}", joined(aside)));
    return {};
}

// A table of all sides becomes one of each.
Result<void> share_tables(Safetensors& file) {
    for (const std::string_view name : k_shared_tables) {
        const TensorEntry* const found = file.find(name);
        if (!found) continue;
        TensorEntry table = *found;
        file.tensors.erase(file.tensors.begin() + (found - file.tensors.data()));
        for (const auto& [side, layers] : k_sides) {
            table.name = std::string(side) + std::string(name);
            if (!file.holds(layers)) continue;
            if (const TensorEntry* const own = file.find(table.name))
                return fail_two_are_one(file, table, *own, table.name);
            file.tensors.push_back(table);
            std::ranges::sort(file.tensors, {}, &TensorEntry::name);
        }
    }
    return {};
}

// Tables that all hold the sinusoidal positions are set aside.
Result<void> set_positions(NamedWeights& weights) {
    std::set<std::string> aside;
    for (TensorEntry& tensor : weights.file.tensors) {
        if (!is_position(tensor)) continue;
        const Positions positions = TRY(read_positions(weights.file, tensor));
        if (weights.positions != Positions::learned) weights.positions = positions;
        aside.insert(worded("{} holds the sinusoidal positions", quote_name(tensor)));
    }
    if (weights.positions != Positions::sinusoidal) return {};
    add_all(weights.notes, aside);
    std::erase_if(weights.file.tensors, is_position);
    return {};
}

} // namespace

Result<NamedWeights> name_weights(Safetensors file) {
    TRY(check_model(file));
    add_aliases(file);
    NamedWeights out{std::move(file), {}, {}};
    TRY(rename(out));
    TRY(share_tables(out.file));
    TRY(set_positions(out));
    return out;
}

} // namespace normscope
