#!/usr/bin/python3
"""Write train.json: what PyTorch's optimizers do in 20 steps, and whole training runs of 20 steps.

Run by hand where PyTorch is installed (made with 1.13): python3 tests/golden/make_train_golden.py
All in float64; shapes odd and distinct. A matrix is [rows, cols, values...]. A run names its start,
its batches and its end: every parameter, the loss of every step, and the running statistics of batch
norm.
"""
import json
import pathlib

import torch
from make_nn_golden import numbers
from make_transformer_golden import Model, pad_mask, randomize

torch.set_default_dtype(torch.float64)
STEPS = 20


def optimizer_of(kind, parameters, lr, weight_decay):
    if kind == "sgd":
        return torch.optim.SGD(parameters, lr=lr, weight_decay=weight_decay)
    if kind == "momentum":
        return torch.optim.SGD(parameters, lr=lr, momentum=0.9, weight_decay=weight_decay)
    kinds = {"adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    return kinds[kind](parameters, lr=lr, betas=(0.9, 0.98), eps=1e-9, weight_decay=weight_decay)


def rounded(make, *shape):
    return torch.round(torch.randn(*shape, generator=make), decimals=3)


def optimizer_case(kind, lr, weight_decay):
    """Two tensors, whose gradients are given."""
    make = torch.Generator().manual_seed(1)
    tensors = [torch.nn.Parameter(rounded(make, 3, 2)), torch.nn.Parameter(rounded(make, 1, 5))]
    start = [numbers(t) for t in tensors]
    optimizer = optimizer_of(kind, tensors, lr, weight_decay)
    gradients = []
    for _ in range(STEPS):
        for t in tensors:
            t.grad = rounded(make, *t.shape)
        gradients.append([numbers(t.grad) for t in tensors])
        optimizer.step()
    return {"kind": kind, "lr": lr, "weight_decay": weight_decay, "start": start,
            "gradients": gradients, "end": [numbers(t) for t in tensors]}


class RmsNorm(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(width))
        self.bias = torch.nn.Parameter(torch.zeros(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * self.weight + self.bias


def norm_of(kind, width):
    return {"layer": torch.nn.LayerNorm, "batch": torch.nn.BatchNorm1d, "rms": RmsNorm,
            "group": lambda w: torch.nn.GroupNorm(2, w), "none": lambda w: None}[kind](width)


class Layer(torch.nn.Linear):
    def __init__(self, inputs, width, norm, rezero):
        super().__init__(inputs, width)
        self.norm = norm_of(norm, width)
        if rezero:
            self.alpha = torch.nn.Parameter(torch.zeros(1))


class Mlp(torch.nn.Module):
    def __init__(self, width, layers, norm, place, skip, activation, outputs):
        super().__init__()
        self.layers = torch.nn.ModuleList(
            Layer(2 if i == 0 else width, width, norm, skip == "rezero" and i > 0)
            for i in range(layers))
        self.head = torch.nn.Linear(width, outputs)
        self.place, self.skip = place, skip
        self.activation = {"relu": torch.relu, "tanh": torch.tanh,
                           "gelu": torch.nn.functional.gelu}[activation]

    def forward(self, h):
        for i, layer in enumerate(self.layers):
            norm = layer.norm if layer.norm is not None else lambda x: x
            z = layer(h)
            a = norm(self.activation(z)) if self.place == "post" else self.activation(norm(z))
            if i == 0 or self.skip == "none":
                h = a
            else:
                h = h + (layer.alpha * a if self.skip == "rezero" else a)
        return self.head(h)


def state_of(model):
    state = {"parameters": {n: numbers(p) for n, p in model.named_parameters()}}
    state["running"] = {n: numbers(b) for n, b in model.named_buffers() if "running" in n}
    return state


def train(model, optimizer, factor, clip, loss_of):
    """20 steps; the learning rate is multiplied by factor(step)."""
    rate = optimizer.param_groups[0]["lr"]
    losses = []
    for step in range(STEPS):
        optimizer.param_groups[0]["lr"] = rate * factor(step)
        optimizer.zero_grad()
        loss = loss_of(step)
        loss.backward()
        if clip is not None:
            torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return losses


def mlp_case(seed, norm, place, skip, activation, optimizer, lr, width=5, layers=3, classes=2,
             clip=None):
    make = torch.Generator().manual_seed(seed)
    model = Mlp(width, layers, norm, place, skip, activation, 1 if classes == 2 else classes)
    randomize(model, make)
    start = state_of(model)
    x = rounded(make, 9, 2)
    labels = torch.randint(classes, (9,), generator=make)
    batches = [torch.randint(9, (7,), generator=make) for _ in range(STEPS)]

    def loss_of(step):
        logits = model(x[batches[step]])
        wanted = labels[batches[step]]
        if classes == 2:
            return torch.nn.functional.binary_cross_entropy_with_logits(
                logits[:, 0], wanted.to(logits.dtype))
        return torch.nn.functional.cross_entropy(logits, wanted)

    losses = train(model, optimizer_of(optimizer, model.parameters(), lr, 0.0), lambda step: 1.0,
                   clip, loss_of)
    model.eval()
    return {"norm": norm, "place": place, "skip": skip, "activation": activation,
            "optimizer": optimizer, "lr": lr, "width": width, "layers": layers,
            "classes": classes, "clip": clip, "x": numbers(x), "labels": labels.tolist(),
            "batches": [b.tolist() for b in batches], "start": start, "losses": losses,
            "end": state_of(model), "evaluated": numbers(model(x))}


def transformer_case(seed, norm_first):
    make = torch.Generator().manual_seed(seed)
    words = 7
    model = Model("encoder-decoder", 6, 3, 5, 1, "relu", norm_first, norm_first, words)
    randomize(model, make)
    start = state_of(model)
    batches = []
    for _ in range(STEPS):
        lengths = torch.randint(1, 5, (3,), generator=make).tolist()
        batches.append([{"source": torch.randint(words, (n,), generator=make),
                         "target": torch.randint(words, (n,), generator=make),
                         "labels": torch.randint(words, (n,), generator=make)} for n in lengths])

    def loss_of(step):
        def side(name):
            return torch.nn.utils.rnn.pad_sequence([s[name] for s in batches[step]],
                                                   batch_first=True)

        lengths = [len(s["source"]) for s in batches[step]]
        _, logits = model(side("source"), lengths, side("target"), lengths)
        kept = ~pad_mask(lengths)
        return torch.nn.functional.cross_entropy(logits[kept], side("labels")[kept])

    model.train()
    optimizer = optimizer_of("adam", model.parameters(), 1e-2, 0.0)
    losses = train(model, optimizer, lambda step: min(1, (step + 1) / 5) * (1 - step / STEPS), 0.5,
                   loss_of)
    return {"norm_first": norm_first, "start": start, "losses": losses, "end": state_of(model),
            "batches": [[{k: v.tolist() for k, v in s.items()} for s in b] for b in batches]}


def main():
    out = {
        "optimizers": [optimizer_case("sgd", 0.1, 0.0), optimizer_case("sgd", 0.1, 0.05),
                       optimizer_case("momentum", 0.05, 0.05), optimizer_case("adam", 0.02, 0.0),
                       optimizer_case("adam", 0.02, 0.05), optimizer_case("adamw", 0.02, 0.05)],
        "mlp": [mlp_case(2, "layer", "pre", "add", "relu", "sgd", 0.1),
                mlp_case(3, "batch", "pre", "none", "tanh", "momentum", 0.05),
                mlp_case(4, "rms", "post", "add", "gelu", "adam", 0.02, classes=3),
                mlp_case(5, "group", "pre", "rezero", "relu", "adamw", 0.02, width=6),
                mlp_case(6, "none", "pre", "add", "tanh", "sgd", 0.1, clip=0.3),
                mlp_case(7, "batch", "post", "add", "relu", "adam", 0.02, layers=2)],
        "transformer": [transformer_case(8, True), transformer_case(9, False)],
    }
    path = pathlib.Path(__file__).with_name("train.json")
    path.write_text(json.dumps(out, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
