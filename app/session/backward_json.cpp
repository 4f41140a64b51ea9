#include "app/session/backward_json.h"

#include <initializer_list>
#include <utility>

namespace normscope {

namespace {

template<class T>
using Ids = std::initializer_list<std::pair<std::string_view, T>>;

const Ids<Mode> k_modes = {{"train", Mode::train}, {"eval", Mode::eval}};
const Ids<LossKind> k_losses = {{"given", LossKind::given},
                                {"sum", LossKind::sum},
                                {"one-entry", LossKind::one_entry},
                                {"distance", LossKind::distance},
                                {"cross-entropy", LossKind::cross_entropy}};
const Ids<TargetKind> k_targets = {{"z", TargetKind::z},
                                   {"normal", TargetKind::normal},
                                   {"uniform", TargetKind::uniform},
                                   {"matrix", TargetKind::matrix}};
const Ids<BrokenTerm> k_terms = {{"none", BrokenTerm::none},
                                 {"mean", BrokenTerm::mean},
                                 {"projection", BrokenTerm::projection},
                                 {"gamma", BrokenTerm::gamma}};
const Ids<JacobianOf> k_jacobians = {{"x-hat", JacobianOf::x_hat}, {"y", JacobianOf::y}};

template<class T>
std::string id_of(const Ids<T>& ids, T value) {
    for (const auto& [id, v] : ids)
        if (v == value) return std::string(id);
    return {};
}

template<class T>
auto choice(const Ids<T>& ids) {
    return [&ids](const JsonPlace& at) { return read_choice<T>(at, ids); };
}

Result<std::vector<double>> read_values(const JsonPlace& at) {
    if (!at.json.is_array()) return at.expected("a list of numbers");
    std::vector<double> values;
    for (std::size_t i = 0; i < at.json.size(); ++i) {
        const auto value = read_number(at.at(i));
        if (!value) return tl::unexpected(value.error());
        values.push_back(*value);
    }
    return values;
}

} // namespace

nlohmann::json backward_settings(const BackwardSetup& s) {
    const BackwardSetup usual;
    nlohmann::json out = nlohmann::json::object();
    const auto put = [&](const char* key, const auto& value, const auto& usual_value, auto&& text) {
        if (!(value == usual_value)) out[key] = text(value);
    };
    const auto as_is = [](const auto& v) { return v; };
    put("mode", s.mode, usual.mode, [](Mode v) { return id_of(k_modes, v); });
    put("loss", s.loss, usual.loss, [](LossKind v) { return id_of(k_losses, v); });
    put("entry_token", s.entry_token, usual.entry_token, as_is);
    put("entry_feature", s.entry_feature, usual.entry_feature, as_is);
    put("target", s.target_kind, usual.target_kind,
        [](TargetKind v) { return id_of(k_targets, v); });
    put("target_mean", s.target_mean, usual.target_mean, as_is);
    put("target_std", s.target_std, usual.target_std, as_is);
    put("head_seed", s.head_seed, usual.head_seed, as_is);
    put("lr", s.lr, usual.lr, [](const std::optional<double>& v) { return *v; });
    put("losses", *s.losses, *usual.losses, as_is);
    put("landed", *s.landed, *usual.landed, as_is);
    put("start_gamma", *s.start_gamma, *usual.start_gamma, as_is);
    put("start_beta", *s.start_beta, *usual.start_beta, as_is);
    const auto ends = [](const std::optional<FaderRange>& v) {
        return nlohmann::json::array({v->lo, v->hi});
    };
    put("start_gamma_range", s.start_gamma_range, usual.start_gamma_range, ends);
    put("start_beta_range", s.start_beta_range, usual.start_beta_range, ends);
    put("dgamma_reach", s.dgamma_reach, usual.dgamma_reach, ends);
    put("dbeta_reach", s.dbeta_reach, usual.dbeta_reach, ends);
    put("broken", s.broken, usual.broken, [](BrokenTerm v) { return id_of(k_terms, v); });
    put("jacobian", s.jacobian, usual.jacobian, [](JacobianOf v) { return id_of(k_jacobians, v); });
    put("scale", s.scale, usual.scale, as_is);
    return out;
}

Result<void> read_backward_settings(const JsonPlace& place, BackwardSetup& s) {
    if (auto ok = check_keys(place, {"mode",
                                     "loss",
                                     "entry_token",
                                     "entry_feature",
                                     "target",
                                     "target_mean",
                                     "target_std",
                                     "head_seed",
                                     "lr",
                                     "losses",
                                     "landed",
                                     "start_gamma",
                                     "start_beta",
                                     "start_gamma_range",
                                     "start_beta_range",
                                     "dgamma_reach",
                                     "dbeta_reach",
                                     "broken",
                                     "jacobian",
                                     "scale"});
        !ok)
        return ok;
    for (const auto& ok :
         {read_optional(place, "mode", s.mode, choice(k_modes)),
          read_optional(place, "loss", s.loss, choice(k_losses)),
          read_optional(place, "entry_token", s.entry_token, read_index),
          read_optional(place, "entry_feature", s.entry_feature, read_index),
          read_optional(place, "target", s.target_kind, choice(k_targets)),
          read_optional(place, "target_mean", s.target_mean, read_number),
          read_optional(place, "target_std", s.target_std, read_number),
          read_optional(place, "head_seed", s.head_seed, read_seed),
          read_optional(place, "lr", s.lr, read_number),
          read_optional(place, "losses", s.losses, read_values),
          read_optional(place, "landed", s.landed, read_values),
          read_optional(place, "start_gamma", s.start_gamma, read_values),
          read_optional(place, "start_beta", s.start_beta, read_values),
          read_optional(place, "start_gamma_range", s.start_gamma_range, read_range),
          read_optional(place, "start_beta_range", s.start_beta_range, read_range),
          read_optional(place, "dgamma_reach", s.dgamma_reach, read_range),
          read_optional(place, "dbeta_reach", s.dbeta_reach, read_range),
          read_optional(place, "broken", s.broken, choice(k_terms)),
          read_optional(place, "jacobian", s.jacobian, choice(k_jacobians)),
          read_optional(place, "scale", s.scale, read_number)})
        if (!ok) return ok;
    return {};
}

} // namespace normscope
