#!/usr/bin/env python3
"""window_bench.py PROGRAM: what the window costs, in a virtual display with software OpenGL.

Prints the time from start to first frame, frames a second while a fader is dragged, frames and
processor time at rest, and resident memory. Run it alone on the machine:
    xvfb-run -a -s "-noreset -screen 0 1280x800x24" python3 tests/bench/window_bench.py build/release/app/normscope
"""
import array
import os
import pathlib
import statistics
import struct
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "e2e"))
from program import ProgramTest, wide_marks, xdotool  # noqa: E402

GAMMA = (0xD5, 0x5E, 0x00)
REST_SECONDS = 10


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_mib(pid):
    line = next(l for l in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
                if l.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def write_npy(path, rows, columns):
    """Float32 numbers without structure, enough to fill the memory they fill."""
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
    head = head.ljust(117) + "\n"
    values = array.array("f", (((i * 2654435761) % 4096 - 2048) / 512 for i in range(rows * columns)))
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() +
                     values.tobytes())


class Bench(ProgramTest):
    def first_frame(self, *arguments):
        before = time.monotonic()
        self.start(*arguments)
        return float(self.trace.read_text().splitlines()[0].split()[1]) - before

    def test_all(self):
        self.first_frame()  # warms the caches of files and shaders
        self.stop()
        starts = []
        for _ in range(7):
            starts.append(self.first_frame())
            self.stop()
        print(f"start to first frame     {1000 * statistics.median(starts):7.0f} ms"
              f"  (median of {len(starts)}, {1000 * min(starts):.0f} to {1000 * max(starts):.0f})")
        peer = ["/usr/bin/python3", "-c", "import torch, matplotlib.pyplot"]
        subprocess.run(peer, stderr=subprocess.DEVNULL)
        before = time.monotonic()
        if subprocess.run(peer, stderr=subprocess.DEVNULL).returncode == 0:
            print(f"import torch, matplotlib {1000 * (time.monotonic() - before):7.0f} ms")

        handles = wide_marks(self.picture("--theme", "light"), GAMMA, 12, 5)
        self.start("--theme", "light")
        pid = self.running.pid
        print(f"resident, default        {resident_mib(pid):7.0f} MiB")
        drawn, used = self.frames(), processor_seconds(pid)
        time.sleep(REST_SECONDS)
        print(f"at rest for {REST_SECONDS} s         {self.frames() - drawn:7d} frames,"
              f" {1000 * (processor_seconds(pid) - used):.0f} ms of processor time")

        x, y = handles[2]
        xdotool("mousemove", x, y, "mousedown", 1)
        time.sleep(0.3)
        path = [y + step for _ in range(8) for step in (*range(0, 50, 1), *range(50, 0, -1))]
        script = []
        for at in path:
            script += ["mousemove", x, at, "sleep", "0.004"]
        drawn, before = self.frames(), time.monotonic()
        xdotool(*script)
        seconds = time.monotonic() - before
        print(f"dragging a fader         {(self.frames() - drawn) / seconds:7.0f} frames/s"
              f"  ({len(path) / seconds:.0f} moves/s)")
        xdotool("mouseup", 1)
        self.stop()

        large = self.folder / "large.npy"
        write_npy(large, 1024, 1024)
        self.start(large)
        print(f"resident, 1024x1024      {resident_mib(self.running.pid):7.0f} MiB")


if __name__ == "__main__":
    ProgramTest.program = sys.argv[1]
    bench = Bench("test_all")
    bench.setUp()
    try:
        bench.test_all()
    finally:
        bench.doCleanups()
