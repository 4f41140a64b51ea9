#include "app/cli/stack_options.h"

#include "app/cli/options.h"
#include "app/model/flow/flow_setup.h"

namespace normscope {

void define_stack_options(CLI::App& app, StackOptions& options, const StackOptionsSpec& spec) {
    const std::string group = "Stack";
    for (const Field<StackConfig>& field : fields<StackConfig>()) {
        if (field.words.help.empty()) continue;
        const std::string name = field.key == "width" ? spec.width : option_name(field);
        CLI::Option* const option = add_field_option(app, name, field, options.said)->group(group);
        if (spec.defaults) option->default_str(option_text(field, field.get(*spec.defaults)));
    }
    add_whole(app, "--seeds", options.seeds, {1, static_cast<double>(spec.most_seeds)},
              "How many seeds, from 0 up")
        ->group(group);
}

} // namespace normscope
