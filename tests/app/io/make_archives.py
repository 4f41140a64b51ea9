#!/usr/bin/env python3
"""Writes data/*.npz and data/*.gz for load_test.cpp from data/*.npy, as numpy.savez and
numpy.savez_compressed do: zipfile with force_zip64. Run once; the bytes are committed."""
import gzip
import pathlib
import zipfile

folder = pathlib.Path(__file__).parent / "data"


def archive(name, compression, arrays):
    with zipfile.ZipFile(folder / f"{name}.npz", "w", compression, allowZip64=True) as out:
        for key, source in arrays.items():
            info = zipfile.ZipInfo(f"{key}.npy")  # the same bytes in every run
            info.compress_type = compression
            with out.open(info, "w", force_zip64=True) as member:
                member.write((folder / f"{source}.npy").read_bytes())


archive("one", zipfile.ZIP_STORED, {"arr_0": "little_f4"})
archive("several", zipfile.ZIP_DEFLATED, {"x": "little_f8", "stack": "stack_f4", "gamma": "vector_f4"})
(folder / "little_f4.npy.gz").write_bytes(
    gzip.compress((folder / "little_f4.npy").read_bytes(), mtime=0))
