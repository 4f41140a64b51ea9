"""The program in a real window, driven as a hand would: for the tests beside this file.

Needs an X display (run.sh brings one) and xdotool.
"""
import json
import os
import pathlib
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

SIZE = (1280, 800)
ACCENT = (0x1D, 0x23, 0x29)  # of a slider's knob, in the light theme
PATIENCE = 60  # seconds; a sanitized build in software OpenGL takes its time


def wait_until(what, condition, seconds=PATIENCE):
    """Polls until `condition` holds; a deadline, not a measurement."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} s in vain: {what}")


def xdotool(*words):
    return subprocess.run(["xdotool", *map(str, words)], check=True, text=True,
                          capture_output=True).stdout.strip()


def read_png(path):
    """Width, height and rows of (r, g, b) of an 8-bit PNG without interlacing."""
    data = pathlib.Path(path).read_bytes()
    at, packed = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and colour in (2, 6) and interlace == 0
            channels = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            packed += body
        at += 12 + length
    raw = zlib.decompress(packed)
    stride, rows, above = width * channels, [], bytes(width * channels)
    for y in range(height):
        start = y * (stride + 1)
        rows.append(above := unfilter(raw[start], bytearray(raw[start + 1:start + 1 + stride]),
                                      above, channels))
    return width, height, [[tuple(row[x * channels:x * channels + 3]) for x in range(width)]
                           for row in rows]


def unfilter(kind, row, above, channels):
    """One PNG row; PNG specification 9.2."""
    for i in range(len(row) if kind else 0):
        left = row[i - channels] if i >= channels else 0
        corner = above[i - channels] if i >= channels else 0
        up = above[i]
        if kind == 1:
            row[i] = (row[i] + left) & 255
        elif kind == 2:
            row[i] = (row[i] + up) & 255
        elif kind == 3:
            row[i] = (row[i] + (left + up) // 2) & 255
        else:
            p = left + up - corner
            nearest = min((left, up, corner), key=lambda v: abs(p - v))
            row[i] = (row[i] + nearest) & 255
    return bytes(row)


def wide_marks(pixels, colour, narrowest, shortest):
    """Centres of filled rectangles of `colour`, from left to right."""
    marks = []
    for y, row in enumerate(pixels):
        x = 0
        while x < len(row):
            if row[x] != colour:
                x += 1
                continue
            end = x
            while end < len(row) and row[end] == colour:
                end += 1
            if end - x >= narrowest:
                for mark in marks:
                    if mark["y1"] >= y - 1 and mark["x0"] < end and mark["x1"] > x:
                        mark.update(y1=y, x0=min(mark["x0"], x), x1=max(mark["x1"], end))
                        break
                else:
                    marks.append({"x0": x, "x1": end, "y0": y, "y1": y})
            x = end
    return sorted(((m["x0"] + m["x1"]) // 2, (m["y0"] + m["y1"]) // 2)
                  for m in marks if m["y1"] - m["y0"] + 1 >= shortest)


def knobs(pixels, right):
    """Centres of the round marks of the accent colour left of `right`, from top to bottom."""
    found = []
    for y, row in enumerate(pixels):
        x = 0
        while x < right:
            end = x
            while end < right and row[end] == ACCENT:
                end += 1
            # As wide as a knob's middle; chosen segments are wider.
            if 12 <= end - x <= 18 and (not found or y - found[-1][1] > 16):
                found.append(((x + end) // 2, y))
            x = max(end, x + 1)
    return found


class ProgramTest(unittest.TestCase):
    program = None  # path, set by entry.main
    first_start = False  # the home has no preferences: the first steps are shown

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="normscope-e2e-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.running = None
        self.addCleanup(self.stop)
        self.starts = 0

    def home(self):
        return self.folder / f"home{self.starts}"

    def environment(self):
        """No file of the user, and none of an earlier start, is read or written."""
        home = self.home()
        home.mkdir(exist_ok=True)
        config = home / "config" / "normscope"
        config.mkdir(parents=True, exist_ok=True)
        if not self.first_start:
            (config / "preferences.json").write_text('{"first-steps-shown": true}')
        return dict(os.environ, HOME=str(home), XDG_CONFIG_HOME=str(home / "config"),
                    XDG_STATE_HOME=str(home / "state"), LIBGL_ALWAYS_SOFTWARE="1",
                    # Drivers and fontconfig keep memory until the end; the unit tests look for leaks.
                    ASAN_OPTIONS="detect_leaks=0")

    def start(self, *arguments):
        """Opens the window and waits until it has drawn and rests."""
        self.starts += 1
        self.trace = self.folder / f"frames{self.starts}"
        others = set()  # of an instance that goes on
        if self.running is not None and self.running.poll() is None:
            others = set(self.windows())
        else:
            wait_until("the end of an earlier window", lambda: not self.windows())
        self.running = subprocess.Popen(
            [self.program, *map(str, arguments), "--size", "%dx%d" % SIZE,
             "--trace-frames", self.trace], env=self.environment())
        wait_until("the window", lambda: set(self.windows()) - others)
        self.window = (set(self.windows()) - others).pop()
        xdotool("windowmove", self.window, 0, 0)
        xdotool("windowfocus", self.window)
        wait_until("the first frames", lambda: self.frames() >= 3)
        self.rest()

    def windows(self):
        """The program's windows. xdotool fails where there is none, and where one vanishes meanwhile."""
        return subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "normscope"],
                              text=True, capture_output=True).stdout.split()

    def frames(self):
        return len(self.trace.read_text().splitlines()) if self.trace.exists() else 0

    def rest(self):
        """Waits until no frame was drawn for a while: all input is worked off."""
        seen = [-1, time.monotonic()]

        def resting():
            self.assertIsNone(self.running.poll(), "the program ended by itself")
            if self.frames() != seen[0]:
                seen[:] = [self.frames(), time.monotonic()]
            return time.monotonic() - seen[1] > 0.7
        wait_until("rest", resting)

    def stop(self, with_signal=signal.SIGTERM):
        """Exit status of the program after the signal."""
        if self.running is None:
            return None
        if self.running.poll() is None:
            self.running.send_signal(with_signal)
        try:
            return self.running.wait(PATIENCE)
        finally:
            self.running.kill()
            self.running.wait()
            self.running = None

    def picture(self, *arguments):
        """What the window shows right after start, as rows of (r, g, b)."""
        path = self.folder / "picture.png"
        subprocess.run([self.program, "screenshot", *map(str, arguments), "--size", "%dx%d" % SIZE,
                        "--out", path], check=True, env=self.environment())
        return read_png(path)[2]

    def screen(self):
        """What is on the screen now, as rows of bytes, four a pixel."""
        data = next(pathlib.Path(os.environ["NORMSCOPE_SCREEN"]).iterdir()).read_bytes()
        # XWDFileHeader of X11/XWDFile.h, in the order of the network
        header = struct.unpack(">25I", data[:100])
        begin, height, line = header[0] + 12 * header[19], header[5], header[12]
        return [data[begin + y * line:begin + (y + 1) * line] for y in range(height)]

    def drag(self, start, end, steps=30):
        xdotool("mousemove", *start)
        self.rest()
        before = self.frames()
        xdotool("mousedown", 1)
        # On a busy machine one frame would see the press where the moves have ended.
        wait_until("frames with the button down", lambda: self.frames() >= before + 2)
        for i in range(1, steps + 1):
            xdotool("mousemove", *(round(a + (b - a) * i / steps) for a, b in zip(start, end)))
        xdotool("mouseup", 1)
        self.rest()

    def key(self, chord):
        xdotool("key", "--clearmodifiers", chord)
        self.rest()

    def write_session(self, name, tokens, features):
        """A session file with simple numbers; its path."""
        x = [[((7 * t + 3 * d) % 11 - 5) / 4 for d in range(features)] for t in range(tokens)]
        path = self.folder / f"{name}.normscope.json"
        path.write_text(json.dumps({"format": "normscope", "version": 1, "x": x}))
        return path

    def saved(self, session):
        """The session as the program saves it now, after all input before."""
        def written():
            status = session.stat()
            return status.st_mtime_ns, status.st_ino
        before = written()
        self.key("ctrl+s")
        wait_until("the session is saved", lambda: written() != before)
        return json.loads(session.read_text())

    def moved_cell(self, before, after):
        """Token and feature of the one value in which two matrices differ."""
        moved = [(t, d) for t, row in enumerate(before) for d, value in enumerate(row)
                 if abs(after[t][d] - value) > 1e-9]
        self.assertEqual(len(moved), 1)
        return moved[0]
