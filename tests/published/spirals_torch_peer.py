#!/usr/bin/python3
"""How many of 20 seeds train, here and in PyTorch: whether five seeds that disagree are luck.

    tests/published/spirals_torch_peer.py PROGRAM [SEEDS]

PROGRAM is normscope. Both draw their spirals, weights and batches by their own generators and by one
scheme: batches with replacement, He normal weights, the head's too, b = 0, γ = 1, β = 0, SGD, 1000
steps of 32 points. PyTorch trains the seeds side by side, each with weights of its own.
"""
import math
import sys

import torch

import train_table

POINTS, BATCH, WIDTH, STEPS = 200, 32, 16, 1000  # points of a class


def spirals(generator):
    share = torch.arange(POINTS, dtype=torch.float64) / POINTS
    points = []
    for turn in (0, math.pi):
        t, r = 2 * math.pi * share + turn, 5 * share
        noise = torch.rand(POINTS, 2, generator=generator, dtype=torch.float64) * 2 - 1
        points.append((torch.stack([r * torch.sin(t), r * torch.cos(t)], 1) + 0.1 * noise) / 3)
    return torch.cat(points).float()


def pytorch(seeds, layers, rate, layer_norm):
    generators = [torch.Generator().manual_seed(seed) for seed in range(seeds)]
    train, test = (torch.stack([spirals(g) for g in generators]) for _ in range(2))
    labels = torch.arange(2).repeat_interleave(POINTS).float()

    def weight(inputs, outputs):
        return torch.stack([torch.randn(inputs, outputs, generator=g) * math.sqrt(2 / inputs)
                            for g in generators])

    weights = [weight(2 if layer == 0 else WIDTH, WIDTH) for layer in range(layers)]
    weights.append(weight(WIDTH, 1))
    biases = [torch.zeros(seeds, 1, w.shape[2]) for w in weights]
    gammas = [torch.ones(seeds, 1, WIDTH) for _ in range(layers if layer_norm else 0)]
    betas = [torch.zeros_like(g) for g in gammas]
    parameters = [p.requires_grad_() for p in weights + biases + gammas + betas]

    def logits(h):
        for layer in range(layers):
            h = torch.baddbmm(biases[layer], h, weights[layer])
            if layer_norm:
                h = torch.nn.functional.layer_norm(h, (WIDTH,)) * gammas[layer] + betas[layer]
            h = torch.relu(h)
        return torch.baddbmm(biases[-1], h, weights[-1])[..., 0]

    rows = torch.arange(seeds)[:, None]
    for _ in range(STEPS):
        batch = torch.stack([torch.randint(2 * POINTS, (BATCH,), generator=g) for g in generators])
        losses = torch.nn.functional.binary_cross_entropy_with_logits(
            logits(train[rows, batch]), labels[batch], reduction="none")
        gradients = torch.autograd.grad(losses.mean(1).sum(), parameters)
        with torch.no_grad():
            for parameter, gradient in zip(parameters, gradients):
                parameter -= rate * gradient
    with torch.no_grad():
        right = ((logits(test) > 0).float() == labels).float().mean(1)
    return int((right >= 0.95).sum())


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    torch.set_num_threads(1)
    train_table.PROGRAM = sys.argv[1]
    seeds = int(sys.argv[2]) if len(sys.argv) == 3 else 20
    for layers, rate, norm in ((48, 0.01, "none"), (6, 0.03, "layer"), (6, 0.1, "layer"),
                               (6, 0.3, "layer")):
        runs = train_table.train("--task spirals --width 16 --batch 32 --steps 1000 --every 1000 "
                                 f"--skip none --norm {norm} --layers {layers} --lr {rate}", seeds)
        print(f"{layers} layers, norm {norm}, lr {rate}: {train_table.trained(runs)} of {seeds}, "
              f"PyTorch {pytorch(seeds, layers, rate, norm == 'layer')}", flush=True)


if __name__ == "__main__":
    main()
