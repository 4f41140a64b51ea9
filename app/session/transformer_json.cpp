#include "app/session/transformer_json.h"

#include "app/session/settings_json.h"

namespace normscope {

namespace {

Result<std::string> read_word(const JsonPlace& at, std::size_t /*place*/) {
    return read_string(at);
}

Result<TakenOut> read_taken_out(const JsonPlace& at, std::size_t /*place*/) {
    TakenOut piece;
    return read_object(at, piece).map([&] { return piece; });
}

} // namespace

nlohmann::ordered_json transformer_settings(const TransformerSetup& setup) {
    nlohmann::ordered_json out;
    write_fields(out, setup.config);
    out["source"] = *setup.source;
    out["target"] = *setup.target;
    for (const TakenOut& piece : *setup.taken_out)
        write_fields(out["taken_out"].emplace_back(), piece);
    return out;
}

Result<void> read_transformer_settings(const JsonPlace& place, TransformerSetup& setup) {
    for (const auto& ok :
         {read_object(place, setup.config, {"source", "target", "taken_out"}),
          read_optional(place, "source", setup.source, list_of<std::string>(read_word)),
          read_optional(place, "target", setup.target, list_of<std::string>(read_word)),
          read_optional(place, "taken_out", setup.taken_out, list_of<TakenOut>(read_taken_out))})
        if (!ok) return ok;
    return {};
}

} // namespace normscope
