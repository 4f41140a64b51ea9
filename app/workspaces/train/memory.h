#pragma once
#include "app/study/train/race_runner.h"
#include "app/study/train/rate_sweep.h"
#include "app/workspaces/shared/frame.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace normscope {

// The colours of a decision map, made anew for another shot or theme.
struct MapPicture {
    std::shared_ptr<const LaneShot> of;
    ThemeKind theme = ThemeKind::light;
    std::uint64_t key = 0;
    std::vector<std::uint32_t> rgba;
};

struct TrainMemory final : OwnMemory {
    explicit TrainMemory(const DrawMemory::Wake& wake) : runner(wake), sweep(wake) {}
    std::vector<KeptUp*> kept_up() override { return {&runner, &sweep}; }

    RaceRunner runner;
    RateSweep sweep;
    Index ahead = 0;       // of the step that is looked at, for the next frame: the race runs
    bool sweeping = false; // in the next frame
    std::map<std::size_t, MapPicture> pictures; // by lane
    std::uint64_t last_key = 0;
    std::optional<OpenedPart> opened; // until the shell takes it
};

} // namespace normscope
