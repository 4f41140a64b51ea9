#pragma once
#include "core/base/result.h"

#include <functional>
#include <stop_token>

namespace normscope {

// How a caller follows a long computation and stops it.
struct Progress {
    std::stop_token stop;
    std::function<void(double)> report; // share done, 0 to 1; may be empty; called by the worker

    // An error when a stop was asked for.
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
