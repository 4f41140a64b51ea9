#include "app/shell/files/weights.h"

#include "app/language/language.h"
#include "app/session/weights_file.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>

namespace normscope {

void take_weights(App::State& s, const OpenRequest& from, const Safetensors& file) {
    const auto weights = read_file_weights(file, s.document().transformer.config);
    if (!weights) return s.complain(error_text(weights.error()));
    const TransformerConfig& config = weights->model.config;
    std::string assumed;
    for (const Field<TransformerConfig>& field : fields<TransformerConfig>())
        if (const std::string key(field.key);
            (key == "heads" || key == "norm" || key == "placement") && !file.metadata.contains(key))
            assumed += (assumed.empty() ? "" : ", ") + describe_value(field, field.get(config));
    const auto shared = std::make_shared<const FileWeights>(*weights);
    if (!s.apply_edits({TakeWeights{shared}})) return;
    const auto table = workspace_table();
    const auto shows = std::ranges::find_if(table, &WorkspaceEntry::of_weights);
    if (shows != table.end()) s.view.workspace = static_cast<std::size_t>(shows - table.begin());
    s.files.recent.add(from.path);
    s.say(worded("{}: {}, {} features{}", from.path.filename().string(), transformer_name(config),
                 config.width,
                 assumed.empty() ? "" : worded("; the file does not say, so: ") + assumed));
}

} // namespace normscope
