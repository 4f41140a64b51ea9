#!/usr/bin/python3
"""The stacks of flow_bench.cpp, forward and backward, here and in PyTorch; prints both and the ratio.

  ninja -C build/release normscope_bench_flow
  tests/bench/flow_torch_peer.py build/release/tests/bench/normscope_bench_flow

PyTorch takes its products from the system's BLAS; install libopenblas0-pthread, or the comparison
is not fair. It has threads of its own, which get in the way of PyTorch's: for every number of them
the best counts. Ours also measures the flow. The minimum of the repetitions counts, and the two
take turns, so that other work on the machine weighs on both.
"""
import sys

import torch
from torch_pass import compare


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


def passes(stack, x):
    x = x.requires_grad_()
    readout = torch.randn_like(x)

    def clear():
        stack.zero_grad(set_to_none=True)
        x.grad = None

    return lambda: stack(x).backward(readout), clear


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, make in (("encoder", encoder), ("ffn", ffn)):
        compare(sys.argv[1], name, lambda make=make: passes(*make()))


if __name__ == "__main__":
    main()
