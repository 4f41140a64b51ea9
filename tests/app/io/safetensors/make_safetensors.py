#!/usr/bin/env python3
"""Writes data/*.safetensors for safetensors_test.cpp from the format's description alone, without
the code that is tested. Run once; the bytes are committed.

types.safetensors: a tensor of each type, named after it, of shape (3, 5), where n counts the
values: (n - 7) / 8 for floats, n - 7 for signed integers, n for unsigned ones, n % 2 for BOOL. The
header has spaces, an order of its own and a length that leaves the values unaligned.
written.safetensors: what the reference implementation writes for two tensors of F32 and a
__metadata__: sorted names, no spaces, padded to 8 bytes.

With a path: prints the tensors of that file, one a line: name, type, shape, values.
"""
import json
import math
import pathlib
import struct
import sys

folder = pathlib.Path(__file__).parent.parent / "data"
codes = {"F64": "d", "F32": "f", "F16": "e", "I64": "q", "I32": "i", "I16": "h", "I8": "b",
         "U64": "Q", "U32": "I", "U16": "H", "U8": "B", "BOOL": "?"}


def pack(dtype, values):
    if dtype == "BF16":  # the upper half of a float32
        return b"".join(struct.pack("<f", v)[2:] for v in values)
    return struct.pack(f"<{len(values)}{codes[dtype]}", *values)


def file(header, data):
    return struct.pack("<Q", len(header)) + header + data


def show(path):
    raw = pathlib.Path(path).read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    data = raw[8 + length:]
    for name, tensor in json.loads(raw[8:8 + length]).items():
        if name != "__metadata__":
            begin, end = tensor["data_offsets"]
            count = math.prod(tensor["shape"])
            print(name, tensor["dtype"], tensor["shape"],
                  struct.unpack(f"<{count}{codes[tensor['dtype']]}", data[begin:end]))


def make():
    header, data = {"__metadata__": {"made by": "make_safetensors.py", "µ": "\u2192"}}, b""
    for dtype in ["I8", "F64", "BF16", "F16", "F32", "I16", "I32", "I64", "U8", "U16", "U32", "U64",
                  "BOOL"]:
        of = {"F": lambda n: (n - 7) / 8, "I": lambda n: n - 7, "U": lambda n: n,
              "B": lambda n: n % 2}["F" if dtype == "BF16" else dtype[0]]
        packed = pack(dtype, [of(n) for n in range(15)])
        header[dtype] = {"shape": [3, 5], "data_offsets": [len(data), len(data) + len(packed)],
                         "dtype": dtype}
        data += packed
    header["no values"] = {"dtype": "F32", "shape": [2, 0], "data_offsets": [len(data)] * 2}
    header["one"] = {"dtype": "F64", "shape": [], "data_offsets": [len(data), len(data) + 8]}
    data += pack("F64", [0.625])
    text = json.dumps(dict(reversed(header.items()))).encode()
    text += b" " * ((3 - len(text)) % 8)
    (folder / "types.safetensors").write_bytes(file(text, data))

    text = (b'{"__metadata__":{"format":"pt"},"a.bias":{"dtype":"F32","shape":[2],"data_offsets":'
            b'[0,8]},"b.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[8,32]}}')
    text += b" " * (-len(text) % 8)
    (folder / "written.safetensors").write_bytes(
        file(text, pack("F32", [0.5, -1]) + pack("F32", [1, 2, 3, 4, 5, 6])))


if len(sys.argv) > 1:
    show(sys.argv[1])
else:
    make()
