#include "app/cli/inputs.h"
#include "app/cli/outputs.h"
#include "app/io/npy.h"
#include "core/base/lists.h"
#include "core/block/add_norm.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace normscope {

namespace {

namespace fs = std::filesystem;

// The command line as given; a path is empty where nothing was said.
struct ComputeOptions {
    Norm norm;
    std::string x;
    std::string sublayer;
    std::string gamma = "1"; // a number or a path
    std::string beta = "0";
    AffinePer affine = AffinePer::feature;
    double eps = 1e-5;
    Mode mode = Mode::train;
    std::string running_mean;
    std::string running_var;
    double momentum = 0.1;
    std::string dy;
    std::string precision = "float32";
    std::string out;
};

struct Inputs {
    Matrix<double> x, f, dy;
    Affine<double> affine;
    RunningStats<double> running;
};

Checked<Inputs> load_inputs(const ComputeOptions& options) {
    Inputs inputs;
    for (const auto& [path, target] :
         {std::pair(&options.x, &inputs.x), std::pair(&options.sublayer, &inputs.f),
          std::pair(&options.dy, &inputs.dy)}) {
        if (path->empty() && path != &options.x) continue;
        *target = TRY(load_input(*path)).values;
    }
    const Index tokens = inputs.x.rows(), features = inputs.x.cols();
    inputs.affine.per = options.affine;
    for (const auto& [text, target] : {std::pair(&options.gamma, &inputs.affine.gamma),
                                       std::pair(&options.beta, &inputs.affine.beta)})
        *target = TRY(load_parameter(*text, inputs.affine.per, tokens, features));
    for (const auto& [path, target] : {std::pair(&options.running_mean, &inputs.running.mean),
                                       std::pair(&options.running_var, &inputs.running.var)}) {
        if (path->empty()) continue;
        *target = TRY(load_vector(*path, features, "one per feature of " + options.x));
    }
    const Vector<double>& var = inputs.running.var;
    if (const auto below = std::ranges::find_if(var, [](double v) { return v < 0; });
        below != var.end())
        return fail(fmt::format("{}: value {} is {:g}: a variance is not negative",
                                options.running_var, below - var.begin() + 1, *below));
    return inputs;
}

// A finite group whose statistics overflowed, or that is divided by 0: its x̂ and dx are 0 or no
// numbers, which would tell nobody. `running`: the statistics were given, one a feature.
template<class S>
void note_statistics(bool running, const Inputs& inputs, const NormCache<S>& cache,
                     std::ostream& notes) {
    const StatisticSets sets = statistic_sets(cache);
    const std::string_view spread = spread_of(cache).symbol;
    const bool single = std::is_same_v<S, float>;
    const auto finite = [&](const Matrix<double>& m, Index g) {
        return cells(m, sets.block(g)).allFinite();
    };
    for (Index g = 0; g < cache.rstd.size(); ++g) {
        const bool divides_by_0 = std::isinf(cache.rstd(g));
        const bool overflowed = !std::isfinite(cache.mean(g)) || cache.rstd(g) == 0;
        if (!divides_by_0 && (running || !overflowed)) continue;
        if (!finite(inputs.x, g) || (inputs.f.size() > 0 && !finite(inputs.f, g))) continue;
        const std::string group = fmt::format("{} {}", sets.name(), g + 1);
        if (divides_by_0)
            notes << fmt::format("normscope: compute: {}{} of {} is 0, and {}, so that x\u0302 is "
                                 "divided by 0: use a "
                                 "larger --eps{}\n",
                                 running ? "the running " : "", spread, group,
                                 cache.eps > 0 ? fmt::format("ε = {} is 0 in float32", cache.eps)
                                               : "so is ε",
                                 cache.eps > 0 ? " or --precision float64" : "");
        else
            notes << fmt::format("normscope: compute: {} overflowed in {} of {}: {}\n",
                                 single ? "float32" : "float64",
                                 std::isfinite(cache.mean(g)) ? spread : "μ", group,
                                 single ? "use --precision float64" : "make its values smaller");
        return;
    }
}

// x + f → norm → γ, β in the precision S, as the files to write.
template<class S>
Checked<std::vector<OutputFile>> compute(const ComputeOptions& options, const Inputs& inputs,
                                         std::ostream& notes) {
    Matrix<S> z = inputs.x.cast<S>();
    if (!options.sublayer.empty()) {
        const Matrix<S> x = std::move(z);
        const Result<void> added = residual_add<S>(x, inputs.f.cast<S>(), Residual::add, z);
        if (!added) return fail("{}: {}", options.sublayer, added.error());
    }
    const NormOptions norm_options{
        .eps = options.eps, .mode = options.mode, .momentum = options.momentum};
    const RunningStats<S> running{inputs.running.mean.cast<S>(), inputs.running.var.cast<S>(), 0};
    const bool has_running = running.mean.size() > 0;
    const NormEntry& entry = norm_entry(options.norm);
    const Affine<S> affine{inputs.affine.per, inputs.affine.gamma.cast<S>(),
                           inputs.affine.beta.cast<S>()};
    const Result<NormForward<S>> normed =
        norm_forward<S>(options.norm, z, affine, norm_options, has_running ? &running : nullptr);
    if (!normed) {
        const bool batch_of_one = entry.has_running && norm_options.mode == Mode::train &&
                                  z.rows() < entry.fewest_values();
        return fail("{}: {}{}", options.x, normed.error(),
                    batch_of_one ? ". Add tokens, or use --mode eval" : "");
    }
    const NormCache<S>& cache = normed->cache;
    const bool given = entry.has_running && norm_options.mode == Mode::eval;
    if (entry.normalizes()) note_statistics(given, inputs, cache, notes);
    // z, x̂, y, dX, dF(X): T×D. mean, rstd: a value a set of cells that share them. running_mean,
    // running_var: D values, of batch norm in training. dγ, dβ: as γ and β.
    std::vector<OutputFile> files;
    const auto add = [&](const std::string& name, const auto& values) {
        files.push_back({name + ".npy", write_npy(values)});
    };
    add("z", z);
    add("x_hat", cache.x_hat);
    add("y", normed->y);
    if (entry.normalizes()) {
        add("mean", cache.mean);
        add("rstd", cache.rstd);
    }
    if (normed->running) {
        add("running_mean", normed->running->mean);
        add("running_var", normed->running->var);
    }
    if (!options.dy.empty()) {
        // The sum hands its gradient to X and to F(X) alike.
        const Result<NormGradients<S>> gradients =
            normalize_backward<S>(cache, affine, inputs.dy.cast<S>());
        if (!gradients) return fail("{}: {}", options.dy, gradients.error());
        add("dx", gradients->dz);
        add("dsublayer", gradients->dz);
        add("dgamma", gradients->dgamma);
        add("dbeta", gradients->dbeta);
    }
    return files;
}

// Files of an earlier run that this one has no other for stay beside its own.
void note_older_files(const fs::path& folder, const std::vector<OutputFile>& files,
                      std::ostream& notes) {
    std::vector<std::string> older;
    for (const char* name : {"mean.npy", "rstd.npy", "running_mean.npy", "running_var.npy",
                             "dx.npy", "dsublayer.npy", "dgamma.npy", "dbeta.npy"}) {
        std::error_code error;
        if (!find_in(files, name, &OutputFile::name) && fs::exists(folder / name, error))
            older.emplace_back(name);
    }
    if (older.empty()) return;
    notes << "normscope: compute: " << folder.string() << " still has an earlier run's "
          << joined(older) << ": this run makes none\n";
}

CommandResult run_compute(const ComputeOptions& options, std::ostream& notes) {
    if (options.running_mean.empty() != options.running_var.empty())
        return usage_error("compute: --running-mean and --running-var go together");
    const bool learns = norm_entry(options.norm).has_running;
    if (learns && options.mode == Mode::eval && options.running_mean.empty())
        return usage_error("compute: batch norm in eval mode needs --running-mean and "
                           "--running-var");
    const Inputs inputs = TRY(load_inputs(options));
    const auto files = TRY(options.precision == "float64" ? compute<double>(options, inputs, notes)
                                                          : compute<float>(options, inputs, notes));
    TRY(write_files(options.out, files));
    note_older_files(options.out, files, notes);
    note_idle_mode("compute", options.norm.kind, options.mode, notes);
    if (!learns && !options.running_mean.empty())
        notes << "normscope: compute: --running-mean and --running-var change nothing: they are "
                 "batch norm's; choose --norm batch\n";
    return {};
}

} // namespace

CommandAction define_compute(CLI::App& app) {
    const auto options = std::make_shared<ComputeOptions>();
    add_choice<NormKind>(app, "--norm", options->norm.kind,
                         "Which values share a mean and a variance")
        ->required();
    app.add_option("--x", options->x,
                   std::string("X, T×D: ") + k_matrix_files + "; - is the standard input")
        ->required()
        ->type_name("FILE");
    app.add_option("--sublayer", options->sublayer, "F(X), T×D, added to X")->type_name("FILE");
    app.add_option("--gamma", options->gamma, "γ, a number or a file")
        ->type_name("GAMMA")
        ->default_str("1");
    app.add_option("--beta", options->beta, "β, a number or a file")
        ->type_name("BETA")
        ->default_str("0");
    add_choice<AffinePer>(app, "--affine", options->affine, "What shares one γ and β")
        ->default_str("feature");
    add_number(app, "--eps", options->eps, {0}, "ε, added to the variance inside the root")
        ->default_str("1e-5");
    add_number(app, "--groups", options->norm.groups, {1, 8192},
               "Group norm: groups of a token's features, which they divide")
        ->default_str(std::to_string(Norm().groups));
    add_choice<Mode>(app, "--mode", options->mode,
                     "Batch norm: statistics of the batch, or running ones")
        ->default_str("train");
    app.add_option("--running-mean", options->running_mean, "Batch norm: D values")
        ->type_name("FILE");
    app.add_option("--running-var", options->running_var, "Batch norm: D values, unbiased")
        ->type_name("FILE");
    add_number(app, "--momentum", options->momentum, {0, 1},
               "Batch norm: the share of this batch in the running statistics")
        ->default_str("0.1");
    app.add_option("--dy", options->dy,
                   "∂L/∂Y, T×D: writes dx.npy, dsublayer.npy, dgamma.npy and dbeta.npy too")
        ->type_name("FILE");
    add_precision(app, options->precision, "Computed and written in");
    app.add_option("--out", options->out, "Folder for z.npy, x_hat.npy, y.npy, mean.npy, rstd.npy")
        ->required()
        ->type_name("DIR");
    return
        [options](const CommandContext& context) { return run_compute(*options, context.notes); };
}

} // namespace normscope
