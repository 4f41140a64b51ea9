#include "app/session/link.h"
#include "app/cli/inputs.h"
#include "app/io/file.h"
#include "app/session/examples.h"
#include "app/shell/files/user_files.h"

#include <memory>
#include <ostream>

namespace normscope {
namespace {

struct LinkOptions {
    std::string session, page;
};

Result<std::string> link_of(const LinkOptions& options) {
    Preferences kept;
    kept.load(user_dirs().config);
    if (!options.page.empty()) kept.page = options.page;
    const auto session = TRY(read_copy_settings(TRY(read_file(options.session)), options.session));
    const auto examples = TRY(load_examples(TRY(find_assets()) / "examples"));
    std::string link = TRY(write_link(kept.page, session, TRY(first_document(examples))));
    if (!options.page.empty() && kept.kept()) kept.keep();
    return link;
}

} // namespace

CommandAction define_link(CLI::App& app) {
    const auto options = std::make_shared<LinkOptions>();
    app.add_option("SESSION", options->session, "The session to open")
        ->required()
        ->type_name("FILE.normscope.json");
    app.add_option("--page", options->page,
                   "The address of the page; kept for the next link and for Edit, Copy link")
        ->type_name("URL");
    return [options](const CommandContext& context) -> CommandResult {
        context.out << TRY(link_of(*options)) << '\n';
        return {};
    };
}

} // namespace normscope
