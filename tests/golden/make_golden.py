#!/usr/bin/python3
"""Write norms.json: what PyTorch computes for the norms, forward and backward.

Run by hand where PyTorch is installed (made with 1.13): python3 tests/golden/make_golden.py
Shapes are odd and distinct (T tokens x D features), with D > T and T > D, so that a swapped index
shows. Inputs are rounded to float32, so that both precisions start from the same numbers. "float"
holds what PyTorch computes in float32, "double" in float64; batch norm's y_eval and eval gradients
use the running statistics after the training step.
"""
import json
import pathlib

import torch

EPS = 1e-5


def rms(z):
    return z * torch.rsqrt(z.pow(2).mean(-1, keepdim=True) + EPS)


def numbers(t):
    digits = 9 if t.dtype == torch.float32 else 17  # enough to read back the same bits
    return [float(f"{v:.{digits}g}") for v in t.detach().reshape(-1).tolist()]


def gradients(y, dy, z, gamma, beta):
    dz, dgamma, dbeta = torch.autograd.grad(y, (z, gamma, beta), dy)
    return {"y": numbers(y), "dz": numbers(dz), "dgamma": numbers(dgamma), "dbeta": numbers(dbeta)}


def case(norm, per, tokens, features, seed, dtype, groups=1):
    make = torch.Generator().manual_seed(seed)
    x = torch.randn(tokens, features, generator=make) * 2 + 0.5
    f = torch.randn(tokens, features, generator=make)
    dy = torch.randn(tokens, features, generator=make)
    shape = {"feature": (1, features), "token": (tokens, 1), "scalar": (1, 1)}[per]
    gamma = torch.randn(shape, generator=make) * 0.5 + 1
    beta = torch.randn(shape, generator=make)
    x, f, dy, gamma, beta = (t.to(dtype) for t in (x, f, dy, gamma, beta))
    out = {"x": numbers(x), "f": numbers(f), "dy": numbers(dy), "gamma": numbers(gamma),
           "beta": numbers(beta)}
    z = (x + f).requires_grad_()
    gamma.requires_grad_()
    beta.requires_grad_()
    out["z"] = numbers(z)
    if norm == "layer":
        x_hat = torch.nn.functional.layer_norm(z, (features,), eps=EPS)
    elif norm == "rms":
        x_hat = rms(z)
    elif norm == "group":
        x_hat = torch.nn.GroupNorm(groups, features, eps=EPS, affine=False)(z)
    else:
        mean, var = torch.zeros(features, dtype=dtype), torch.ones(features, dtype=dtype)
        x_hat = torch.nn.functional.batch_norm(z, mean, var, training=True, momentum=0.1, eps=EPS)
        out["running_mean"], out["running_var"] = numbers(mean), numbers(var)
        fixed = torch.nn.functional.batch_norm(z, mean, var, training=False, eps=EPS)
        out["eval"] = gradients(gamma * fixed + beta, dy, z, gamma, beta)
    out["x_hat"] = numbers(x_hat)
    out.update(gradients(gamma * x_hat + beta, dy, z, gamma, beta))
    return out


def main():
    cases = []
    seed = 0
    for tokens, features in ((3, 7), (11, 5), (5, 37)):
        for norm in ("layer", "batch", "rms"):
            for per in ("feature", "token", "scalar"):
                if features > 30 and per != "feature":
                    continue
                seed += 1
                cases.append({"norm": norm, "per": per, "tokens": tokens, "features": features,
                              "eps": EPS,
                              "float": case(norm, per, tokens, features, seed, torch.float32),
                              "double": case(norm, per, tokens, features, seed, torch.float64)})
    for tokens, features, groups in ((3, 6, 2), (11, 5, 1), (7, 9, 3), (5, 33, 3)):
        for per in ("feature", "token", "scalar"):
            seed += 1
            cases.append({"norm": "group", "per": per, "tokens": tokens, "features": features,
                          "groups": groups, "eps": EPS,
                          "float": case("group", per, tokens, features, seed, torch.float32, groups),
                          "double": case("group", per, tokens, features, seed, torch.float64,
                                         groups)})
    path = pathlib.Path(__file__).with_name("norms.json")
    path.write_text(json.dumps({"torch": torch.__version__, "cases": cases}) + "\n")


if __name__ == "__main__":
    main()
