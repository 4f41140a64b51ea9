#!/usr/bin/python3
"""The Transformers of transformer_bench.cpp, forward and backward, here and in PyTorch; prints both.

  ninja -C build/release normscope_bench_transformer
  tests/bench/transformer_torch_peer.py build/release/tests/bench/normscope_bench_transformer

PyTorch takes its products from the system's BLAS; install libopenblas0-pthread, or the comparison
is not fair. It has threads of its own, which get in the way of PyTorch's: for every number of them
the best counts. Ours also measures. The minimum of the repetitions counts, and the two take turns,
so that other work on the machine weighs on both.
"""
import math
import sys

import torch
from torch_pass import compare


class Model(torch.nn.Module):
    def __init__(self, layers, width, words=100):
        super().__init__()
        self.scale = math.sqrt(width)
        self.source = torch.nn.Embedding(words, width)
        self.target = torch.nn.Embedding(words, width)
        self.transformer = torch.nn.Transformer(width, 4, layers, layers, 4 * width, dropout=0.0,
                                                batch_first=True)
        self.transformer.encoder.norm = None
        self.transformer.decoder.norm = None
        self.head = torch.nn.Linear(width, words)
        self.register_buffer("positions", torch.randn(64, width))

    def forward(self, source, target, mask):
        x = self.source(source) * self.scale + self.positions[:source.shape[1]]
        y = self.target(target) * self.scale + self.positions[:target.shape[1]]
        return self.head(self.transformer(x, y, tgt_mask=mask))


def passes(layers, width, sentences, tokens):
    model = Model(layers, width)
    source, target, labels = (torch.randint(100, (sentences, tokens)) for _ in range(3))
    mask = torch.nn.Transformer.generate_square_subsequent_mask(tokens)

    def run():
        logits = model(source, target, mask)
        torch.nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten(),
                                          label_smoothing=0.1).backward()

    return run, lambda: model.zero_grad(set_to_none=True)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for name, sizes in (("small", (3, 64, 1, 16)), ("batch", (6, 64, 8, 16)),
                        ("wide", (6, 512, 1, 32))):
        compare(sys.argv[1], name, lambda sizes=sizes: passes(*sizes))


if __name__ == "__main__":
    main()
