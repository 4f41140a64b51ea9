#!/usr/bin/env python3
"""Writes data/*.npy with numpy itself, for npy_test.cpp. Run once; the bytes are committed.

Cell (i, j) of the 3 x 5 matrices holds n = 5 i + j as (n - 7) / 8 for floats, n - 7 for signed
integers, n for unsigned ones, n % 2 for bool. The stacks are 2 x 3 x 5 with (15 s + n - 7) / 8.
"""
import pathlib

import numpy as np
from numpy.lib import format as npy

folder = pathlib.Path(__file__).parent / "data"
folder.mkdir(exist_ok=True)
n = np.arange(15).reshape(3, 5)


def values(dtype):
    kind = np.dtype(dtype).kind
    cells = {"f": (n - 7) / 8, "i": n - 7, "u": n, "b": n % 2}[kind]
    return cells.astype(dtype)


def save(name, array, version=None):
    with open(folder / f"{name}.npy", "wb") as file:
        npy.write_array(file, array, version=version)


for code in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1"]:
    save(f"little_{code}", values(f"<{code}"))
for code in ["f2", "f4", "f8", "i2", "i4", "i8", "u2", "u4", "u8"]:
    save(f"big_{code}", values(f">{code}"))
save("fortran_f4", np.asfortranarray(values("<f4")))
save("fortran_big_f8", np.asfortranarray(values(">f8")))
save("version_2", values("<f4"), (2, 0))
save("version_3", values("<f4"), (3, 0))
stack = ((np.arange(30).reshape(2, 3, 5) - 7) / 8).astype("<f4")
save("stack_f4", stack)
save("stack_fortran_f4", np.asfortranarray(stack))
save("vector_f4", values("<f4")[1])
save("scalar_f8", np.float64(0.625))
save("special_f4", np.array([[np.nan, np.inf, -np.inf, -0.0, 1e-45]], "<f4"))
save("complex", np.ones((2, 2), "<c8"))
save("records", np.zeros(3, [("a", "<f4"), ("b", "<i4")]))
save("strings", np.array(["a", "bc"]))
save("four_dimensions", np.zeros((1, 1, 2, 2), "<f4"))
save("no_values", np.zeros((0, 5), "<f4"))
