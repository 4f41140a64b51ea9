#pragma once
#include "app/cli/inputs.h"
#include "app/cli/options.h"
#include "app/model/document.h"

#include <string>

namespace normscope {

// A document that the command line describes: an example or matrices from files, and what to change
// about it. Empty where nothing was said.
struct DocumentOptions {
    std::string example;
    std::string x;
    std::string sublayer;
    std::string gamma; // a number or a path
    std::string beta;
    Said<Document> settings;
};

// Adds --example, --x, --sublayer, --gamma, --beta and those of the document's own settings.
// `options` must outlive the parsing.
void define_document_options(CLI::App& app, DocumentOptions& options);

// Errors: neither or both of --example and --x; --sublayer without --x; files that cannot be read;
// shapes that do not fit. `command` begins the message of a usage error.
Checked<Document> document_from(const DocumentOptions& options, const std::string& command);

} // namespace normscope
