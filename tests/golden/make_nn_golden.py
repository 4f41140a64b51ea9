#!/usr/bin/python3
"""Write nn.json: what PyTorch computes for the layers of core/nn, forward and backward.

Run by hand where PyTorch is installed (made with 1.13): python3 tests/golden/make_nn_golden.py
All in float64; shapes odd and distinct. A matrix is [rows, cols, values...]. Parameters are random,
biases and gamma included, so that every gradient counts.
"""
import json
import pathlib

import torch

torch.set_default_dtype(torch.float64)


def numbers(t):
    t = t.detach()
    t = t.reshape(1, -1) if t.dim() < 2 else t.reshape(-1, t.shape[-1])
    return [t.shape[0], t.shape[1]] + [float(f"{v:.17g}") for v in t.reshape(-1).tolist()]


def randomize(module, make):
    for p in module.parameters():
        p.data = torch.randn(p.shape, generator=make) * 0.4
    for name, p in module.named_parameters():
        if "norm" in name and name.endswith("weight"):
            p.data += 1


def run(module, x, dy, call):
    x = x.clone().requires_grad_()
    y = call(module, x)
    y.backward(dy)
    out = {"x": numbers(x), "dy": numbers(dy), "y": numbers(y), "dx": numbers(x.grad)}
    out["parameters"] = {n: numbers(p) for n, p in module.named_parameters()}
    out["gradients"] = {n: numbers(p.grad) for n, p in module.named_parameters()}
    return out


def attention_case(tokens, features, heads, causal, seed):
    make = torch.Generator().manual_seed(seed)
    module = torch.nn.MultiheadAttention(features, heads, batch_first=True)
    randomize(module, make)
    mask = torch.ones(tokens, tokens, dtype=torch.bool).triu(1) if causal else None
    x, dy = (torch.randn(tokens, features, generator=make) for _ in range(2))
    out = run(module, x, dy, lambda m, v: m(v, v, v, attn_mask=mask, need_weights=False)[0])
    return {"heads": heads, "causal": causal, **out}


def encoder_case(tokens, features, heads, hidden, activation, norm_first, seed):
    make = torch.Generator().manual_seed(seed)
    module = torch.nn.TransformerEncoderLayer(features, heads, hidden, dropout=0.0,
                                              activation=activation, batch_first=True,
                                              norm_first=norm_first)
    randomize(module, make)
    x, dy = (torch.randn(tokens, features, generator=make) for _ in range(2))
    out = run(module, x, dy, lambda m, v: m(v.unsqueeze(0))[0])
    return {"heads": heads, "activation": activation, "norm_first": norm_first, **out}


class FeedForward(torch.nn.Module):
    def __init__(self, features, hidden, activation):
        super().__init__()
        self.linear1 = torch.nn.Linear(features, hidden)
        self.linear2 = torch.nn.Linear(hidden, features)
        self.activation = activation

    def forward(self, x):
        return self.linear2(self.activation(self.linear1(x)))


def ffn_case(tokens, features, hidden, activation, seed):
    make = torch.Generator().manual_seed(seed)
    module = FeedForward(features, hidden, getattr(torch.nn.functional, activation))
    randomize(module, make)
    x, dy = (torch.randn(tokens, features, generator=make) for _ in range(2))
    return {"activation": activation, **run(module, x, dy, lambda m, v: m(v))}


def entropy_case(tokens, classes, seed):
    make = torch.Generator().manual_seed(seed)
    logits = (torch.randn(tokens, classes, generator=make) * 3).requires_grad_()
    targets = torch.randint(classes, (tokens,), generator=make)
    loss = torch.nn.functional.cross_entropy(logits, targets)
    loss.backward()
    return {"logits": numbers(logits), "targets": targets.tolist(), "loss": loss.item(),
            "dlogits": numbers(logits.grad)}


def main():
    out = {
        "attention": [attention_case(5, 6, 3, False, 1), attention_case(7, 4, 2, True, 2),
                      attention_case(3, 7, 1, False, 3)],
        "encoder": [encoder_case(5, 6, 2, 11, "relu", False, 4),
                    encoder_case(5, 6, 2, 11, "relu", True, 5),
                    encoder_case(7, 4, 4, 9, "gelu", True, 6),
                    encoder_case(3, 9, 3, 5, "gelu", False, 7)],
        "feed_forward": [ffn_case(3, 7, 11, "relu", 8), ffn_case(7, 5, 3, "gelu", 9)],
        "cross_entropy": entropy_case(5, 7, 10),
    }
    path = pathlib.Path(__file__).with_name("nn.json")
    path.write_text(json.dumps(out, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
