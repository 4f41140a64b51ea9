#!/usr/bin/python3
"""The training steps of train_bench.cpp, here and in PyTorch, one thread each; prints both.

  ninja -C build/release normscope_bench_train
  tests/bench/train_torch_peer.py build/release/tests/bench/normscope_bench_train

A step draws its batch, goes forward and backward and updates: SGD for the MLP, Adam for the
Transformers. The two take turns, so that other work on the machine weighs on both; the shortest mean
of 20 steps counts. Then what two threads make of two runs of ours at a time.
"""
import json
import math
import subprocess
import sys
import time

import torch
from torch_pass import set_blas_threads

STEPS = 20


class Mlp(torch.nn.Module):
    def __init__(self, norm, layers=12, width=16):
        super().__init__()
        norms = {"none": torch.nn.Identity, "layer": lambda: torch.nn.LayerNorm(width),
                 "batch": lambda: torch.nn.BatchNorm1d(width)}
        self.linears = torch.nn.ModuleList(
            torch.nn.Linear(2 if i == 0 else width, width) for i in range(layers))
        self.norms = torch.nn.ModuleList(norms[norm]() for _ in range(layers))
        self.head = torch.nn.Linear(width, 1)

    def forward(self, h):
        for i, (linear, norm) in enumerate(zip(self.linears, self.norms)):
            a = torch.relu(norm(linear(h)))
            h = a if i == 0 else h + a
        return self.head(h)[:, 0]


def mlp_step(norm):
    model = Mlp(norm)
    x, labels = torch.randn(400, 2), torch.randint(2, (400,)).float()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)

    def step():
        batch = torch.randint(400, (32,))
        optimizer.zero_grad(set_to_none=True)
        torch.nn.functional.binary_cross_entropy_with_logits(model(x[batch]),
                                                             labels[batch]).backward()
        optimizer.step()

    return step


class Sequences(torch.nn.Module):
    def __init__(self, width, words, both):
        super().__init__()
        self.scale, self.both = math.sqrt(width), both
        transformer = torch.nn.Transformer(width, 4, 2, 2, 128, dropout=0.0, batch_first=True,
                                           norm_first=True)
        self.stack = transformer if both else transformer.encoder
        self.source, self.target = (torch.nn.Embedding(words, width) for _ in range(2))
        self.head = torch.nn.Linear(width, words)
        self.register_buffer("positions", torch.randn(64, width))

    def embed(self, table, ids):
        return table(ids) * self.scale + self.positions[:ids.shape[1]]

    def forward(self, source, target, mask):
        y = self.embed(self.target, target)
        if self.both:
            return self.head(self.stack(self.embed(self.source, source), y, tgt_mask=mask))
        return self.head(self.stack(y, mask=mask))


def sequence_step(width, words, sentences, tokens, both):
    model = Sequences(width, words, both)
    parameters = [p for n, p in model.named_parameters() if both or not n.startswith("source")]
    optimizer = torch.optim.Adam(parameters, lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    mask = torch.nn.Transformer.generate_square_subsequent_mask(tokens)

    def step():
        source = torch.randint(words, (sentences, tokens))
        optimizer.zero_grad(set_to_none=True)
        logits = model(source, source, mask)
        torch.nn.functional.cross_entropy(logits.flatten(0, 1), source.flatten()).backward()
        optimizer.step()

    return step


def pytorch_us(step, seconds=1.5):
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(STEPS):
            step()
        best = min(best, time.perf_counter() - start)
    return best / STEPS * 1e6


def ours_us(binary, name, threads):
    command = [binary, f"--benchmark_filter=^bench_{name}/threads:{threads}/",
               "--benchmark_format=json", "--benchmark_repetitions=30", "--benchmark_min_time=0.02"]
    runs = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return min(r["us_a_step"] for r in runs["benchmarks"] if r["run_type"] == "iteration")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    torch.set_num_threads(1)
    set_blas_threads(1)
    for name, make in (("mlp_none", lambda: mlp_step("none")),
                       ("mlp_layer", lambda: mlp_step("layer")),
                       ("mlp_batch", lambda: mlp_step("batch")),
                       ("reverse", lambda: sequence_step(32, 11, 16, 8, True)),
                       ("text", lambda: sequence_step(64, 50, 8, 32, False))):
        ours, peer = [], []
        for _ in range(3):
            ours.append(ours_us(sys.argv[1], name, 1))
            peer.append(pytorch_us(make()))
        two = ours_us(sys.argv[1], name, 2)
        print(f"{name:10} {min(ours):8.1f} µs a step, PyTorch {min(peer):8.1f} µs, "
              f"{min(peer) / min(ours):5.1f} times faster; two runs on two threads {two:8.1f} µs")


if __name__ == "__main__":
    main()
