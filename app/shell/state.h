#pragma once
#include "app/document/history.h"
#include "app/shell/app.h"
#include "app/widgets/texture_cache.h"
#include "app/widgets/ui.h"
#include "app/workspaces/frame.h"

#include <memory>
#include <string>

namespace normscope {

// Everything the running program knows. The shell's own files share it; nothing outside does.
struct App::State {
    explicit State(Services given) : services(std::move(given)), textures(*services.textures) {}

    Services services;
    TextureCache textures;
    FontSet fonts;

    History history{blank_document(4, 6)};
    std::shared_ptr<const Derived> derived;
    std::shared_ptr<const Derived> ghost; // while a gesture is open
    DistributionMemo distributions;

    View view;
    UiState ui;
    float content_height = 0; // of the workspace, in the last frame

    std::string status; // one sentence at the bottom of the window
    bool status_is_error = false;
    bool quit = false;

    const Document& document() const { return history.document(); }

    // Applies edits in order; what is refused goes to the status line.
    // True if the document changed.
    bool apply_edits(const std::vector<Edit>& edits);
    void complain(std::string what);
    void say(std::string what);
};

} // namespace normscope
