#!/usr/bin/python3
"""Write weights/*.safetensors: models as people make them of torch.nn, under their own names.

Run by hand where PyTorch is installed (made with 1.13): python3 tests/golden/make_file_weights.py
"__metadata__" tells what PyTorch computes: "read", ids or a matrix, "target", and "given", a row a token, in
float64 from the float32 weights of the file.
"""
import json
import math
import pathlib
import struct

import torch
from torch import nn

FOLDER = pathlib.Path(__file__).parent / "weights"
CODES = {torch.float32: "F32", torch.bool: "BOOL"}


def save(name, module, given, prefix="", **metadata):
    header = {"__metadata__": {"given": json.dumps(given.tolist()), **metadata}}
    data = b""
    for key, tensor in module.state_dict().items():
        stored = tensor.float() if tensor.is_floating_point() else tensor
        raw = stored.contiguous().numpy().tobytes()
        header[prefix + key] = {"dtype": CODES[stored.dtype], "shape": list(tensor.shape),
                                "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    (FOLDER / f"{name}.safetensors").write_bytes(struct.pack("<Q", len(text)) + text + data)


def randomize(module, seed):
    make = torch.Generator().manual_seed(seed)
    for p in module.parameters():
        p.data += torch.randn(p.shape, generator=make) * 0.3
    return module.double().eval()


class TokenEmbedding(nn.Module):
    def __init__(self, words, width):
        super().__init__()
        self.embedding = nn.Embedding(words, width)

    def forward(self, ids):
        return self.embedding(ids) * math.sqrt(self.embedding.embedding_dim)


class PositionalEncoding(nn.Module):
    def __init__(self, width, longest):
        super().__init__()
        frequency = torch.exp(-torch.arange(0, width, 2) * math.log(10000) / width)
        place = torch.arange(0, longest).reshape(longest, 1)
        table = torch.zeros((longest, width))
        table[:, 0::2] = torch.sin(place * frequency)
        table[:, 1::2] = torch.cos(place * frequency)
        self.register_buffer("pos_embedding", table.unsqueeze(-2))

    def forward(self, words):
        return words + self.pos_embedding[:words.size(0)]


class Translator(nn.Module):
    """The names of PyTorch's translation tutorial."""

    def __init__(self):
        super().__init__()
        self.transformer = nn.Transformer(4, 2, 1, 1, 6, dropout=0)
        self.generator = nn.Linear(4, 7)
        self.src_tok_emb = TokenEmbedding(5, 4)
        self.tgt_tok_emb = TokenEmbedding(7, 4)
        self.positional_encoding = PositionalEncoding(4, 9)

    def forward(self, source, target):
        hidden = torch.ones(len(target), len(target)).triu(1).bool()
        y = self.transformer(self.positional_encoding(self.src_tok_emb(source)),
                             self.positional_encoding(self.tgt_tok_emb(target)), tgt_mask=hidden)
        return self.generator(y)


class Gpt(nn.Module):
    """An encoder's layers under a mask, as a decoder alone is made of torch.nn."""

    def __init__(self):
        super().__init__()
        layer = nn.TransformerEncoderLayer(4, 2, 6, dropout=0, activation="gelu", batch_first=True,
                                           norm_first=True)
        self.tok_emb = nn.Embedding(6, 4)
        self.pos_emb = nn.Parameter(torch.zeros(1, 5, 4))
        self.transformer = nn.TransformerEncoder(layer, 2, norm=nn.LayerNorm(4))
        self.head = nn.Linear(4, 6, bias=False)
        self.register_buffer("causal_mask", torch.ones(5, 5).triu(1).bool())

    def forward(self, ids):
        n = ids.size(1)
        return self.head(self.transformer(self.tok_emb(ids) + self.pos_emb[:, :n], self.causal_mask[:n, :n]))


FOLDER.mkdir(exist_ok=True)
translator = randomize(Translator(), 1)
source, target = [1, 4, 2, 0], [0, 6, 3]
given = translator(torch.tensor(source)[:, None], torch.tensor(target)[:, None])[:, 0]
save("tutorial", translator, given, heads="2", read=json.dumps(source), target=json.dumps(target))

gpt = randomize(Gpt(), 2)
ids = [3, 0, 5, 5]
save("gpt", gpt, gpt(torch.tensor([ids]))[0], prefix="module.", read=json.dumps(ids))

layers = randomize(nn.TransformerEncoder(nn.TransformerEncoderLayer(4, 2, 6, dropout=0), 2), 3)
read = torch.randn(3, 1, 4, generator=torch.Generator().manual_seed(4)).double()
save("layers", layers, layers(read)[:, 0], heads="2", read=json.dumps(read[:, 0].tolist()))
