#!/usr/bin/python3
"""Write transformer.json: what PyTorch computes for core/transformer, forward and backward.

Run by hand where PyTorch is installed (made with 1.13): python3 tests/golden/make_transformer_golden.py
All in float64; shapes odd and distinct. A matrix is [rows, cols, values...]. Parameters are random,
biases and gamma included, so that every gradient counts. Sentences of a batch differ in length:
PyTorch gets them padded and masked, and what it gives for the padding is left out.
"""
import json
import math
import pathlib

import torch
from make_nn_golden import numbers

torch.set_default_dtype(torch.float64)


def randn(make, *shape):
    return torch.round(torch.randn(*shape, generator=make), decimals=3)


def randomize(module, make):
    for name, p in module.named_parameters():
        p.data = torch.round(torch.randn(p.shape, generator=make) * 0.4, decimals=3)
        if "norm" in name and name.endswith("weight"):
            p.data += 1


def parameters(module):
    named = list(module.named_parameters())
    return {"parameters": {n: numbers(p) for n, p in named},
            "gradients": {n: numbers(p.grad) for n, p in named if p.grad is not None}}


def attention_case(lengths, memory_lengths, features, heads, bias, seed, hidden=()):
    """Cross-attention of some sentences; `hidden` are keys (sentence, token) that are padding."""
    make = torch.Generator().manual_seed(seed)
    module = torch.nn.MultiheadAttention(features, heads, bias=bias, batch_first=True)
    randomize(module, make)
    x = randn(make, sum(lengths), features).requires_grad_()
    memory = randn(make, sum(memory_lengths), features).requires_grad_()
    dy = randn(make, sum(lengths), features)
    mask = pad_mask(memory_lengths)
    for sentence, token in hidden:
        mask[sentence, token] = True
    m = padded(memory, memory_lengths)
    y, weights = module(padded(x, lengths), m, m, key_padding_mask=mask,
                        average_attn_weights=False)
    y = unpadded(y, lengths)
    y.backward(dy)
    probabilities = [weights[s, :, :t, :n] for s, (t, n) in enumerate(zip(lengths, memory_lengths))]
    return {"heads": heads, "lengths": lengths, "memory_lengths": memory_lengths,
            "hidden": [list(h) for h in hidden], "x": numbers(x), "memory": numbers(memory),
            "dy": numbers(dy), "y": numbers(y), "dx": numbers(x.grad),
            "dmemory": numbers(memory.grad), "probabilities": [numbers(p) for p in probabilities],
            **parameters(module)}


def pad_mask(lengths):
    return torch.arange(max(lengths)).unsqueeze(0) >= torch.tensor(lengths).unsqueeze(1)


def padded(rows, lengths):
    return torch.nn.utils.rnn.pad_sequence(torch.split(rows, lengths), batch_first=True)


def unpadded(batch, lengths):
    return torch.cat([batch[s, :n] for s, n in enumerate(lengths)])


def decoder_layer_case(tokens, memory_tokens, features, heads, hidden, activation, norm_first, seed):
    make = torch.Generator().manual_seed(seed)
    module = torch.nn.TransformerDecoderLayer(features, heads, hidden, dropout=0.0,
                                              activation=activation, batch_first=True,
                                              norm_first=norm_first)
    randomize(module, make)
    x = randn(make, tokens, features).requires_grad_()
    memory = randn(make, memory_tokens, features).requires_grad_()
    dy = randn(make, tokens, features)
    mask = torch.ones(tokens, tokens, dtype=torch.bool).triu(1)
    y = module(x.unsqueeze(0), memory.unsqueeze(0), tgt_mask=mask)[0]
    y.backward(dy)
    return {"heads": heads, "ffn": hidden, "activation": activation, "norm_first": norm_first,
            "x": numbers(x), "memory": numbers(memory), "dy": numbers(dy), "y": numbers(y),
            "dx": numbers(x.grad), "dmemory": numbers(memory.grad), **parameters(module)}


class Model(torch.nn.Module):
    """nn.Transformer, or a part of it, between embeddings and a head."""

    def __init__(self, arch, features, heads, hidden, layers, activation, norm_first, final_norm,
                 words):
        super().__init__()
        self.arch, self.features = arch, features
        whole = torch.nn.Transformer(features, heads, layers, layers, hidden, dropout=0.0,
                                     activation=activation, batch_first=True,
                                     norm_first=norm_first)
        if arch != "decoder":
            self.src_embed = torch.nn.Embedding(words, features)
            self.encoder = whole.encoder
        if arch == "encoder-decoder":
            self.decoder = whole.decoder
        if arch == "decoder":  # layers without cross-attention: those of an encoder
            self.decoder = whole.encoder
        if arch != "encoder":
            self.tgt_embed = torch.nn.Embedding(words, features)
        for stack in ("encoder", "decoder"):
            if hasattr(self, stack) and not final_norm:
                getattr(self, stack).norm = None
        self.generator = torch.nn.Linear(features, words)

    def embed(self, table, ids):
        length = ids.shape[1]
        position = torch.arange(length).unsqueeze(1)
        divide = torch.pow(10000.0, torch.arange(0, self.features, 2) / self.features)
        table_of_positions = torch.zeros(length, self.features)
        table_of_positions[:, 0::2] = torch.sin(position / divide)
        table_of_positions[:, 1::2] = torch.cos(position / divide)[:, :self.features // 2]
        return table(ids) * math.sqrt(self.features) + table_of_positions

    def forward(self, source, source_lengths, target, target_lengths):
        memory = None
        if self.arch != "decoder":
            pad = pad_mask(source_lengths)
            memory = y = self.encoder(self.embed(self.src_embed, source), src_key_padding_mask=pad)
        if self.arch != "encoder":
            length = target.shape[1]
            mask = torch.ones(length, length, dtype=torch.bool).triu(1)
            x = self.embed(self.tgt_embed, target)
            own = pad_mask(target_lengths)
            if self.arch == "decoder":
                y = self.decoder(x, mask=mask, src_key_padding_mask=own)
            else:
                y = self.decoder(x, memory, tgt_mask=mask, tgt_key_padding_mask=own,
                                 memory_key_padding_mask=pad)
        return memory, self.generator(y)


def transformer_case(seed, source_lengths, target_lengths, arch="encoder-decoder", features=6,
                     heads=3, hidden=7, layers=2, activation="relu", norm_first=False,
                     final_norm=True, words=11, label_smoothing=0.0):
    make = torch.Generator().manual_seed(seed)
    model = Model(arch, features, heads, hidden, layers, activation, norm_first, final_norm, words)
    randomize(model, make)
    model.train()  # the fast path of eval mode has no gradient
    under_head = source_lengths if arch == "encoder" else target_lengths

    def words_of(lengths):
        return [torch.randint(words, (n,), generator=make) for n in lengths]

    def pad(sentences):
        return torch.nn.utils.rnn.pad_sequence(sentences, batch_first=True)

    source, target, labels = (words_of(n) for n in (source_lengths, target_lengths, under_head))
    memory, logits = model(pad(source), source_lengths, pad(target), target_lengths)
    logits = unpadded(logits, under_head)
    if memory is not None:
        memory.retain_grad()
    loss = torch.nn.functional.cross_entropy(logits, torch.cat(labels),
                                             label_smoothing=label_smoothing)
    loss.backward()
    out = {"arch": arch, "layers": layers, "width": features, "heads": heads, "ffn": hidden,
           "activation": activation, "norm_first": norm_first, "final_norm": final_norm,
           "words": words, "label_smoothing": label_smoothing,
           "source": [s.tolist() for s in source], "target": [s.tolist() for s in target],
           "labels": [s.tolist() for s in labels], "logits": numbers(logits), "loss": loss.item(),
           **parameters(model)}
    if memory is not None:
        out["memory"] = numbers(unpadded(memory, source_lengths))
        out["dmemory"] = numbers(unpadded(memory.grad, source_lengths))
    return out


def main():
    out = {
        "attention": [attention_case([3], [5], 6, 3, True, 1),
                      attention_case([3, 1, 4], [5, 2, 3], 4, 2, True, 2),
                      attention_case([2, 3], [4, 7], 6, 2, False, 3,
                                     hidden=((0, 0), (1, 2), (1, 6)))],
        "decoder_layer": [decoder_layer_case(3, 5, 6, 2, 7, "relu", False, 4),
                          decoder_layer_case(5, 3, 4, 4, 9, "gelu", True, 5)],
        "transformer": [
            transformer_case(6, [5, 2, 7], [3, 6, 4], label_smoothing=0.1),
            transformer_case(7, [4, 3], [5, 6], norm_first=True, activation="gelu"),
            transformer_case(8, [3, 6], [5, 2], features=9, layers=1, final_norm=False,
                             label_smoothing=0.3),
            transformer_case(9, [5, 3, 1], [2], arch="encoder", label_smoothing=0.1),
            transformer_case(10, [2], [4, 6], arch="decoder", norm_first=True),
        ],
    }
    path = pathlib.Path(__file__).with_name("transformer.json")
    path.write_text(json.dumps(out, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
