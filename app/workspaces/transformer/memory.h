#pragma once
#include "app/charts/heatmap.h"
#include "app/study/opened_part.h"
#include "app/study/transformer/by_layer.h"
#include "app/study/transformer/peek.h"
#include "app/study/transformer/transformer_study.h"
#include "app/workspaces/shared/frame.h"

#include <map>
#include <optional>
#include <string>

namespace normscope {

struct TransformerMemory final : OwnMemory {
    explicit TransformerMemory(const DrawMemory::Wake& wake)
        : study(wake), by_layer(wake), peek(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&study, &by_layer, &peek}; }

    Node<TransformerStudy> study;
    Node<ByLayer> by_layer;
    Node<Peek> peek;
    // What the last frame showed of these: only then they are kept up.
    bool by_layer_shown = false;
    std::optional<Index> peeked;                    // the token whose word is another
    std::map<std::string, HeatmapPicture> pictures; // by where they are drawn
    std::optional<OpenedPart> opened;               // until the shell takes it
};

} // namespace normscope
