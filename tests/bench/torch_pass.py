"""What the peers in PyTorch share: times of a pass here and of one of our benchmarks."""
import ctypes
import json
import subprocess
import sys
import time

import torch


def set_blas_threads(threads):
    try:
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(threads)
    except OSError:
        print("no OpenBLAS: the comparison is not fair", file=sys.stderr)


def pytorch_ms(run, clear, threads, blas_threads, seconds=2.0):
    """The shortest of the passes: run() is timed, clear() after it is not."""
    torch.set_num_threads(threads)
    set_blas_threads(blas_threads)
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        run()
        best = min(best, time.perf_counter() - start)
        clear()
    return best * 1e3


def ours_ms(binary, name, threads):
    command = [binary, f"--benchmark_filter=^bench_{name}/threads:{threads}/",
               "--benchmark_format=json", "--benchmark_repetitions=30", "--benchmark_min_time=0.001"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return min(r["real_time"] for r in runs["benchmarks"] if r["run_type"] == "iteration")


def compare(binary, name, make):
    """make() → (run, clear). The two take turns, so that other work weighs on both."""
    for threads in (1, 2):
        ours, peer = [], []
        for _ in range(2):
            ours.append(ours_ms(binary, name, threads))
            for blas in range(1, threads + 1):
                peer.append(pytorch_ms(*make(), threads, blas))
        print(f"{name:8} threads {threads}: {min(ours):8.2f} ms, PyTorch {min(peer):8.2f} ms, "
              f"{min(peer) / min(ours):.2f} times faster")
