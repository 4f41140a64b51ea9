#pragma once
#include "core/base/result.h"

#include <functional>
#include <stop_token>

namespace normscope {

// A caller's means to follow a long computation and to stop it.
struct Progress {
    std::stop_token stop;
    std::function<void(double)> report; // share done, 0 to 1; may be empty; called by the worker

    // Reports the share done. Errors: a stop that was asked for.
    Result<void> at(double share) const {
        if (stop.stop_requested()) return fail("stopped before it was done");
        if (report) report(share);
        return {};
    }
    // The progress of part [from, to] of the work, itself reported from 0 to 1.
    Progress part(double from, double to) const {
        if (!report) return {stop, {}};
        return {stop,
                [whole = report, from, to](double share) { whole(from + (to - from) * share); }};
    }
};

} // namespace normscope
