#pragma once
#include "app/charts/heatmap.h"
#include "app/study/opened_part.h"
#include "app/study/transformer/transformer_study.h"
#include "app/workspaces/shared/frame.h"

#include <map>
#include <optional>
#include <string>

namespace normscope {

struct TransformerMemory final : OwnMemory {
    explicit TransformerMemory(const DrawMemory::Wake& wake) : study(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&study}; }

    Node<TransformerStudy> study;
    std::map<std::string, HeatmapPicture> pictures; // by where they are drawn
    std::optional<OpenedPart> opened;               // until the shell takes it
};

} // namespace normscope
