#pragma once
#include "core/base/matrix.h"

#include <algorithm>
#include <dnnl.hpp>
#include <omp.h>

namespace normscope::bench {

// oneDNN's layer norm and batch norm of one shape, forward and backward, with γ and β. Debian's
// build runs on OpenMP; the caller sets the number of threads with omp_set_num_threads.
class DnnlNorm {
  public:
    struct Arrays {
        float *x, *y, *mean, *var, *dy, *dx;
    };

    template<class Forward, class Backward>
    static DnnlNorm make(Index rows, Index cols, const Arrays& a) {
        using namespace dnnl;
        const engine cpu(engine::kind::cpu, 0);
        const memory::desc data({rows, cols}, memory::data_type::f32, memory::format_tag::ab);
        const auto flags = normalization_flags::use_scale_shift;
        const typename Forward::primitive_desc forward(
            typename Forward::desc(prop_kind::forward_training, data, 1e-5f, flags), cpu);
        const typename Backward::primitive_desc backward(
            typename Backward::desc(prop_kind::backward, data, data, 1e-5f, flags), cpu, forward);
        const auto of = [&](const memory::desc& desc, float* p) { return memory(desc, cpu, p); };
        // γ and β, and their gradients, as 2×cols: oneDNN's older way, which its backward knows.
        const memory::desc pair({2, cols}, memory::data_type::f32, memory::format_tag::ab);
        const memory scale_shift(pair, cpu);
        const memory diff_scale_shift(pair, cpu);
        std::fill_n(static_cast<float*>(scale_shift.get_data_handle()), 2 * cols, 1.25f);
        const auto mean = of(forward.mean_desc(), a.mean);
        const auto var = of(forward.variance_desc(), a.var);
        DnnlNorm out{Forward(forward), Backward(backward), stream(cpu), {}, {}};
        out.forward_args_ = {{DNNL_ARG_SRC, of(data, a.x)},
                             {DNNL_ARG_DST, of(data, a.y)},
                             {DNNL_ARG_SCALE_SHIFT, scale_shift},
                             {DNNL_ARG_MEAN, mean},
                             {DNNL_ARG_VARIANCE, var}};
        out.backward_args_ = {{DNNL_ARG_SRC, of(data, a.x)},
                              {DNNL_ARG_DIFF_DST, of(data, a.dy)},
                              {DNNL_ARG_MEAN, mean},
                              {DNNL_ARG_VARIANCE, var},
                              {DNNL_ARG_SCALE_SHIFT, scale_shift},
                              {DNNL_ARG_DIFF_SRC, of(data, a.dx)},
                              {DNNL_ARG_DIFF_SCALE_SHIFT, diff_scale_shift}};
        return out;
    }

    void forward() {
        forward_.execute(stream_, forward_args_);
        stream_.wait();
    }
    void backward() {
        backward_.execute(stream_, backward_args_);
        stream_.wait();
    }

  private:
    using Args = std::unordered_map<int, dnnl::memory>;
    DnnlNorm(dnnl::primitive f, dnnl::primitive b, dnnl::stream s, Args fa, Args ba)
        : forward_(std::move(f)), backward_(std::move(b)), stream_(std::move(s)),
          forward_args_(std::move(fa)), backward_args_(std::move(ba)) {}

    dnnl::primitive forward_;
    dnnl::primitive backward_;
    dnnl::stream stream_;
    Args forward_args_;
    Args backward_args_;
};

} // namespace normscope::bench
