#!/usr/bin/python3
"""Run the kernels beside their floor and their peers, and print the table (Markdown).

  cmake --preset release && cmake --build --preset release --target normscope_bench_kernels
  tests/bench/table.py build/release/tests/bench/normscope_bench_kernels

Each cell is the median of the repetitions. A row's are interleaved and nothing else runs between
them: what one row compares was measured within the same few seconds. "floor" is the faster of two
copy loops that move the same bytes, one of them writing around the cache. "of floor" is
floor / ours: 1.00 is as fast as copying. The other columns say how many times faster ours is than
that peer. PyTorch runs with the same shapes, after all the rows, where /usr/bin/python3 has it.

The whole table takes about four minutes on two cores. For numbers to quote, on a machine that does
nothing else: --repetitions 9 --min-time 0.1, a quarter of an hour; where other work shares the
machine, --statistic min. --filter '/(8192x1024)/' is one shape, '^batch/' one operation.
"""
import argparse
import json
import pathlib
import re
import statistics
import subprocess
import sys

PEERS = ("onednn", "pytorch", "eigen")


def row_of(name):
    """operation/implementation/shape/threads[/real_time] -> what stands in one row of the table"""
    operation, _, shape, threads = name.split("/")[:4]
    return operation, shape, threads


def run_kernels(args):
    command = [args.binary, "--benchmark_list_tests", f"--benchmark_filter={args.filter}"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    rows = {}
    for name in listed.split():
        rows.setdefault(row_of(name), []).append(name)
    out = {}
    for names in rows.values():
        out.update(run_row(args, names))
    return out


def run_row(args, names):
    only = "^(" + "|".join(names) + ")$"
    command = [args.binary, "--benchmark_format=json", f"--benchmark_filter={only}",
               "--benchmark_enable_random_interleaving=true",
               f"--benchmark_repetitions={args.repetitions}",
               f"--benchmark_min_time={args.min_time}"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["benchmarks"]
    out = {}
    for run in runs:
        if run["run_type"] == "iteration":
            out.setdefault(run["name"].removesuffix("/real_time"), []).append(run["real_time"])
    return out


def run_torch(args, names):
    shapes = sorted({n.split("/")[2] for n in names})
    peer = pathlib.Path(__file__).with_name("torch_peer.py")
    command = ["/usr/bin/python3", peer, "--shapes", ",".join(shapes),
               "--repetitions", str(args.repetitions), "--min-time", str(args.min_time)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        print("PyTorch left out: " + done.stderr.strip().splitlines()[-1], file=sys.stderr)
        return {}
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("--filter", default=".", help="regular expression on the benchmarks' names")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--min-time", type=float, default=0.02)
    parser.add_argument("--statistic", choices=("median", "min"), default="median",
                        help="min: where other work shares the machine")
    parser.add_argument("--no-pytorch", action="store_true")
    args = parser.parse_args()
    times = run_kernels(args)
    if not args.no_pytorch:
        times.update(run_torch(args, times))
    pick = statistics.median if args.statistic == "median" else min
    cell = {name: pick(values) for name, values in times.items()}
    print(f"Times in µs, {args.statistic} of {args.repetitions}.\n")
    print("| operation | shape | threads | ours | floor | of floor | "
          + " | ".join(f"× {p}" for p in PEERS) + " |")
    print("| --- | --- | --- | --- | --- | --- |" + " --- |" * len(PEERS))
    def order(name):
        op, _, shape, threads = name.split("/")
        rows, cols = map(int, shape.split("x"))
        return op, threads, rows * cols

    for name in sorted(cell, key=order):
        match = re.fullmatch(r"(\w+)/ours/(\w+)/t(\d)", name)
        if not match:
            continue
        op, shape, threads = match.groups()
        ours = cell[name]
        tail = f"/{shape}/t{threads}"
        floors = [cell[k] for k in (f"{op}/floor{tail}", f"{op}/floor_around{tail}") if k in cell]
        floor = min(floors) if floors else float("nan")
        row = [op, shape.replace("x", "×"), threads, f"{ours:.3g}", f"{floor:.3g}",
               f"{floor / ours:.2f}"]
        row += [f"{cell[k] / ours:.2f}" if k in cell else "–"
                for k in (f"{op}/{p}{tail}" for p in PEERS)]
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
