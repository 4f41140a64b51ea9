#!/usr/bin/python3
"""The stacks of flow_bench.cpp, forward and backward, here and in PyTorch; prints both and the ratio.

  ninja -C build/release normscope_bench_flow
  tests/bench/flow_torch_peer.py build/release/tests/bench/normscope_bench_flow

PyTorch takes its products from the system's BLAS; install libopenblas0-pthread, or the comparison
is not fair. It has threads of its own, which get in the way of PyTorch's: for every number of them
the best counts. Ours also measures the flow. The minimum of the repetitions counts, and the two
take turns, so that other work on the machine weighs on both.
"""
import ctypes
import json
import subprocess
import sys
import time

import torch


class FeedForwardBlock(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear1 = torch.nn.Linear(width, 4 * width)
        self.linear2 = torch.nn.Linear(4 * width, width)
        self.norm = torch.nn.LayerNorm(width)

    def forward(self, x):
        return self.norm(x + self.linear2(torch.relu(self.linear1(x))))


def encoder():
    blocks = [torch.nn.TransformerEncoderLayer(64, 4, 256, dropout=0.0, batch_first=True)
              for _ in range(12)]
    return torch.nn.Sequential(*blocks), torch.randn(1, 32, 64)


def ffn():
    return torch.nn.Sequential(*[FeedForwardBlock(256) for _ in range(24)]), torch.randn(128, 256)


def set_blas_threads(threads):
    try:
        ctypes.CDLL("libopenblas.so.0").openblas_set_num_threads(threads)
    except OSError:
        print("no OpenBLAS: the comparison is not fair", file=sys.stderr)


def pytorch_ms(stack, x, threads, blas_threads, seconds=2.0):
    torch.set_num_threads(threads)
    set_blas_threads(blas_threads)
    x = x.requires_grad_()
    readout = torch.randn_like(x)
    best = float("inf")
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        stack(x).backward(readout)
        best = min(best, time.perf_counter() - start)
        stack.zero_grad(set_to_none=True)
        x.grad = None
    return best * 1e3


def ours_ms(binary, name, threads):
    command = [binary, f"--benchmark_filter=^bench_{name}/threads:{threads}/",
               "--benchmark_format=json", "--benchmark_repetitions=30", "--benchmark_min_time=0.001"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return min(r["real_time"] for r in runs["benchmarks"] if r["run_type"] == "iteration")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, make in (("encoder", encoder), ("ffn", ffn)):
        for threads in (1, 2):
            ours, peer = [], []
            for _ in range(2):
                ours.append(ours_ms(sys.argv[1], name, threads))
                for blas in range(1, threads + 1):
                    peer.append(pytorch_ms(*make(), threads, blas))
            print(f"{name:8} threads {threads}: {min(ours):8.2f} ms, PyTorch {min(peer):8.2f} ms, "
                  f"{min(peer) / min(ours):.2f} times faster")


if __name__ == "__main__":
    main()
