// The norms' kernels beside the copy loop that moves the same bytes, plain Eigen and oneDNN, all in
// one run: OPERATION/IMPLEMENTATION/ROWSxCOLS/tTHREADS. table.py runs this and PyTorch and prints
// the table.
#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/kernels/norms.h"
#include "tests/bench/support/copy_loop.h"
#ifdef NORMSCOPE_HAS_DNNL
#include "tests/bench/support/dnnl_peer.h"
#endif

#include <benchmark/benchmark.h>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace normscope::bench {
namespace {

// Everything the operations of one shape read and write, on page boundaries.
class Data {
  public:
    Data(Index rows, Index cols) : rows_(rows), cols_(cols) {
        Random random(1);
        for (float** p : {&x, &f, &dy})
            *p = filled(rows * cols, [&] { return static_cast<float>(random.uniform() * 4 - 2); });
        for (float** p : {&y, &z, &dx}) *p = filled(rows * cols, [] { return 0.0f; });
        for (float** p : {&gamma, &beta})
            *p = filled(cols, [&] { return static_cast<float>(random.uniform() + 0.5); });
        const Index longest = std::max(rows, cols);
        for (float** p : {&mean, &var, &rstd, &dgamma, &dbeta})
            *p = filled(longest, [] { return 1.0f; });
    }

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    float *x, *f, *dy, *y, *z, *dx, *gamma, *beta, *mean, *var, *rstd, *dgamma, *dbeta;

  private:
    template<class F>
    float* filled(Index n, F&& value) {
        const auto bytes = (static_cast<std::size_t>(n) * sizeof(float) + 4095) / 4096 * 4096;
        arrays_.emplace_back(static_cast<float*>(std::aligned_alloc(4096, bytes)), &std::free);
        float* p = arrays_.back().get();
        for (std::size_t i = 0; i < bytes / sizeof(float); ++i) p[i] = value();
        return p;
    }

    Index rows_, cols_;
    std::vector<std::unique_ptr<float, decltype(&std::free)>> arrays_;
};

Data& data_of(Index rows, Index cols) {
    static std::map<std::pair<Index, Index>, std::unique_ptr<Data>> all;
    auto& data = all[{rows, cols}];
    if (!data) data = std::make_unique<Data>(rows, cols);
    return *data;
}

using Map = Eigen::Map<Matrix<float>>;
using ConstMap = Eigen::Map<const Matrix<float>>;
using Row = Eigen::Map<const Eigen::Array<float, 1, Eigen::Dynamic>>;

kernels::Forward<float> forward_args(const Data& d) {
    return {.x = d.x,
            .gamma = d.gamma,
            .beta = d.beta,
            .y = d.y,
            .mean = d.mean,
            .rstd = d.rstd,
            .rows = d.rows(),
            .cols = d.cols(),
            .eps = 1e-5f,
            .var = d.var};
}

kernels::Backward<float> backward_args(const Data& d) {
    return {.x_hat = d.x,
            .rstd = d.rstd,
            .gamma = d.gamma,
            .dy = d.dy,
            .dx = d.dx,
            .dgamma = d.dgamma,
            .dbeta = d.dbeta,
            .rows = d.rows(),
            .cols = d.cols()};
}

// z = x + f, as residual_add() makes it.
void add_inputs(const Data& d, int threads) {
    const ConstMap x(d.x, d.rows(), d.cols());
    const ConstMap f(d.f, d.rows(), d.cols());
    Map z(d.z, d.rows(), d.cols());
    parallel_chunks(useful_threads(threads, z.size(), 24 * 1024), d.rows(),
                    [&](int, Index begin, Index end) {
                        z.middleRows(begin, end - begin) =
                            x.middleRows(begin, end - begin) + f.middleRows(begin, end - begin);
                    });
}

void eigen_layer(const Data& d, bool add, bool rms) {
    const Row gamma(d.gamma, d.cols());
    const Row beta(d.beta, d.cols());
    const ConstMap x(d.x, d.rows(), d.cols());
    const ConstMap f(d.f, d.rows(), d.cols());
    Map z(d.z, d.rows(), d.cols());
    const ConstMap source(add ? d.z : d.x, d.rows(), d.cols());
    Map y(d.y, d.rows(), d.cols());
    for (Index t = 0; t < d.rows(); ++t) {
        if (add) z.row(t) = x.row(t) + f.row(t);
        const auto in = source.row(t);
        const float mean = rms ? 0.0f : in.mean();
        const float rstd = 1 / std::sqrt((in.array() - mean).square().mean() + 1e-5f);
        d.mean[t] = mean;
        d.rstd[t] = rstd;
        y.row(t) = ((in.array() - mean) * rstd * gamma + beta).matrix();
    }
}

void eigen_batch(const Data& d) {
    using Array = Eigen::Array<float, 1, Eigen::Dynamic>;
    const ConstMap x(d.x, d.rows(), d.cols());
    const Array mean = x.colwise().mean();
    const Array var = (x.array().rowwise() - mean).square().colwise().mean();
    const Array scale = (var + 1e-5f).rsqrt() * Row(d.gamma, d.cols());
    Map(d.y, d.rows(), d.cols()) =
        (((x.array().rowwise() - mean).rowwise() * scale).rowwise() + Array(Row(d.beta, d.cols())))
            .matrix();
}

void eigen_layer_backward(const Data& d) {
    using Array = Eigen::Array<float, 1, Eigen::Dynamic>;
    const Row gamma(d.gamma, d.cols());
    Eigen::Map<Array> dgamma(d.dgamma, d.cols());
    Eigen::Map<Array> dbeta(d.dbeta, d.cols());
    const ConstMap x(d.x, d.rows(), d.cols());
    const ConstMap dy(d.dy, d.rows(), d.cols());
    Map dx(d.dx, d.rows(), d.cols());
    dgamma.setZero();
    dbeta.setZero();
    Array x_hat(d.cols());
    Array g(d.cols());
    for (Index t = 0; t < d.rows(); ++t) {
        x_hat = (x.row(t).array() - d.mean[t]) * d.rstd[t];
        g = dy.row(t).array() * gamma;
        dgamma += dy.row(t).array() * x_hat;
        dbeta += dy.row(t).array();
        dx.row(t) = ((g - g.mean() - x_hat * (g * x_hat).mean()) * d.rstd[t]).matrix();
    }
}

void eigen_batch_backward(const Data& d) {
    using Array = Eigen::Array<float, 1, Eigen::Dynamic>;
    const ConstMap x(d.x, d.rows(), d.cols());
    const ConstMap dy(d.dy, d.rows(), d.cols());
    const Array mean = Row(d.mean, d.cols());
    const Array rstd = Row(d.rstd, d.cols());
    const Array dbeta = dy.colwise().sum();
    const Array dgamma =
        (dy.array() * ((x.array().rowwise() - mean).rowwise() * rstd)).colwise().sum();
    const float n = static_cast<float>(d.rows());
    const Array r = rstd * Row(d.gamma, d.cols());
    Map(d.dx, d.rows(), d.cols()) =
        ((dy.array().rowwise() - dbeta / n -
          (x.array().rowwise() - mean).rowwise() * Array(rstd * dgamma / n))
             .rowwise() *
         r)
            .matrix();
}

using Call = std::function<void()>;

struct Operation {
    std::string name;
    int reads, writes;
    bool twice;
    std::function<Call(const Data&, int threads)> ours;
    std::function<Call(const Data&)> eigen;
    enum class Dnnl { none, layer, layer_backward, batch, batch_backward } dnnl;
};

std::vector<Operation> operations() {
    using Dnnl = Operation::Dnnl;
    const auto rows = [](bool rms) {
        return [=](const Data& d, int threads) -> Call {
            auto a = forward_args(d);
            a.use_mean = !rms;
            return [=] { kernels::rows_forward(a, threads); };
        };
    };
    const auto add_rows = [](const Data& d, int threads) -> Call {
        auto a = forward_args(d);
        a.x = d.z;
        return [=, &d] {
            add_inputs(d, threads);
            kernels::rows_forward(a, threads);
        };
    };
    const auto batch = [](const Data& d, int threads) -> Call {
        return [=, a = forward_args(d)] { kernels::columns_forward(a, threads); };
    };
    const auto layer_backward = [](const Data& d, int threads) -> Call {
        return [=, a = backward_args(d)] { kernels::rows_backward(a, threads); };
    };
    const auto batch_backward = [](const Data& d, int threads) -> Call {
        return [=, a = backward_args(d)] { kernels::columns_backward(a, threads); };
    };
    const auto eigen = [](auto function, auto... flags) {
        return [=](const Data& d) -> Call { return [=, &d] { function(d, flags...); }; };
    };
    return {
        {"layer", 1, 1, false, rows(false), eigen(eigen_layer, false, false), Dnnl::layer},
        {"add_layer", 2, 2, false, add_rows, eigen(eigen_layer, true, false), Dnnl::none},
        {"rms", 1, 1, false, rows(true), eigen(eigen_layer, false, true), Dnnl::none},
        {"batch", 1, 1, true, batch, eigen(eigen_batch), Dnnl::batch},
        {"layer_backward", 2, 1, false, layer_backward, eigen(eigen_layer_backward),
         Dnnl::layer_backward},
        {"batch_backward", 2, 1, true, batch_backward, eigen(eigen_batch_backward),
         Dnnl::batch_backward},
    };
}

void measure(benchmark::State& state, const Call& call) {
    call(); // pages, code and thread pool are there
    for (auto _ : state) {
        call();
        benchmark::ClobberMemory();
    }
}

// oneDNN asks for the number of threads where an operation is made as well as where it runs.
void set_threads(int threads) {
#ifdef NORMSCOPE_HAS_DNNL
    omp_set_num_threads(threads);
#endif
    static_cast<void>(threads);
}

void add(const std::string& name, int threads, std::function<Call()> make) {
    benchmark::RegisterBenchmark(name.c_str(),
                                 [=](benchmark::State& state) {
                                     set_threads(threads);
                                     measure(state, make());
                                 })
        ->UseRealTime()
        ->Unit(benchmark::kMicrosecond);
}

Call floor_call(const Data& d, const Operation& op, int threads, bool around) {
    return [=, in = std::array<const float*, 2>{d.x, op.name == "add_layer" ? d.f : d.dy},
            out = std::array<float*, 2>{op.reads == 2 && op.writes == 1 ? d.dx : d.y, d.z},
            values = d.rows() * d.cols()] {
        copy_loop({{in.data(), static_cast<std::size_t>(op.reads)},
                   {out.data(), static_cast<std::size_t>(op.writes)},
                   values,
                   op.twice,
                   around},
                  threads);
    };
}

#ifdef NORMSCOPE_HAS_DNNL
Call dnnl_call(const Data& d, Operation::Dnnl kind) {
    using Dnnl = Operation::Dnnl;
    const DnnlNorm::Arrays a{d.x, d.y, d.mean, d.var, d.dy, d.dx};
    const bool layer = kind == Dnnl::layer || kind == Dnnl::layer_backward;
    auto norm = std::make_shared<DnnlNorm>(
        layer
            ? DnnlNorm::make<dnnl::layer_normalization_forward, dnnl::layer_normalization_backward>(
                  d.rows(), d.cols(), a)
            : DnnlNorm::make<dnnl::batch_normalization_forward, dnnl::batch_normalization_backward>(
                  d.rows(), d.cols(), a));
    if (kind == Dnnl::layer || kind == Dnnl::batch) return [=] { norm->forward(); };
    return [=] { norm->backward(); };
}
#endif

void add_all() {
    constexpr Index shapes[][2] = {{3, 3},      {8, 64},      {128, 512},   {512, 768},
                                   {4096, 768}, {8192, 1024}, {16384, 4096}};
    for (const auto& shape : shapes)
        for (const int threads : {1, 2})
            for (const Operation& op : operations()) {
                const Index rows = shape[0];
                const Index cols = shape[1];
                std::string tail = "/";
                tail.append(std::to_string(rows)).append("x").append(std::to_string(cols));
                tail.append("/t").append(std::to_string(threads));
                add(op.name + "/ours" + tail, threads,
                    [=] { return op.ours(data_of(rows, cols), threads); });
                for (const bool around : {false, true})
                    add(op.name + (around ? "/floor_around" : "/floor") + tail, threads,
                        [=] { return floor_call(data_of(rows, cols), op, threads, around); });
                if (threads == 1)
                    add(op.name + "/eigen" + tail, 1,
                        [=] { return op.eigen(data_of(rows, cols)); });
#ifdef NORMSCOPE_HAS_DNNL
                if (op.dnnl != Operation::Dnnl::none)
                    add(op.name + "/onednn" + tail, threads,
                        [=] { return dnnl_call(data_of(rows, cols), op.dnnl); });
#endif
            }
}

} // namespace
} // namespace normscope::bench

int main(int argc, char** argv) {
    normscope::bench::add_all();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
