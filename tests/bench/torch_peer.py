#!/usr/bin/python3
"""The operations of kernels_bench.cpp in PyTorch, timed; a JSON object name -> list of microseconds.

Arguments: --shapes RxC[,RxC…] --threads 1,2 --repetitions N --min-time SECONDS
"""
import argparse
import json
import time

import torch
import torch.nn.functional as F

EPS = 1e-5


def operations(rows, cols):
    x, f, dy = (torch.rand(rows, cols) * 4 - 2 for _ in range(3))
    gamma, beta = torch.rand(cols) + 0.5, torch.rand(cols)
    _, mean, rstd = torch.native_layer_norm(x, (cols,), gamma, beta, EPS)
    mask = [True, True, True]
    yield "layer", lambda: torch.native_layer_norm(x, (cols,), gamma, beta, EPS)
    yield "add_layer", lambda: torch.native_layer_norm(x + f, (cols,), gamma, beta, EPS)
    yield "rms", lambda: x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPS) * gamma + beta
    yield "batch", lambda: F.batch_norm(x, None, None, gamma, beta, True, 0.1, EPS)
    yield "layer_backward", lambda: torch.ops.aten.native_layer_norm_backward(
        dy, x, (cols,), mean, rstd, gamma, beta, mask)
    _, bmean, brstd = torch.native_batch_norm(x, gamma, beta, None, None, True, 0.1, EPS)
    yield "batch_backward", lambda: torch.ops.aten.native_batch_norm_backward(
        dy, x, gamma, None, None, bmean, brstd, True, EPS, mask)


def timed(call, repetitions, min_time):
    call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    count = max(1, int(min_time / once))
    out = []
    for _ in range(repetitions):
        start = time.perf_counter()
        for _ in range(count):
            call()
        out.append((time.perf_counter() - start) / count * 1e6)
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--shapes", required=True)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--min-time", type=float, default=0.1)
    args = parser.parse_args()
    out = {}
    with torch.no_grad():
        for shape in args.shapes.split(","):
            rows, cols = map(int, shape.split("x"))
            for name, call in operations(rows, cols):
                for threads in map(int, args.threads.split(",")):
                    torch.set_num_threads(threads)
                    out[f"{name}/pytorch/{shape}/t{threads}"] = timed(
                        call, args.repetitions, args.min_time)
    print(json.dumps(out))


if __name__ == "__main__":
    main()
