"""Ends the program in every bad way that a class may meet, and looks whether its work is still there."""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import time
import traceback

from program import SIZE, ProgramTest, wait_until, xdotool

PROMISE = 1.0  # seconds from an edit until it survives whatever happens
CELL = (70, 175)  # within the first row of X, in a window of SIZE
EXAMPLES = (1126, 24)  # the choice of examples
MATRICES = {"3x5": (3, 5), "512x768": (512, 768)}


class Attack(ProgramTest):
    """Each method is one attempt; it fails by raising."""

    def runTest(self):
        pass

    def setUp(self):
        super().setUp()
        os.chdir(self.folder)  # where random hands save

    def home(self):
        """One for all starts of an attempt: what one start leaves, the next one finds."""
        return self.folder / "home"

    def copies(self):
        return sorted(p.name for p in (self.folder / "home" / "state").rglob("*") if p.is_file())

    def type_value(self, value):
        xdotool("mousemove", *CELL, "click", 1)
        xdotool("type", "--delay", 20, str(value))
        xdotool("key", "Return")

    def end_with(self, *signals):
        for name in signals:
            self.running.send_signal(name)
        self.running.wait(60)

    def bring_back(self, session):
        """Starts without a file, answers the question with its default, saves, reads what is there."""
        self.start()
        self.key("Return")
        return self.saved(session)

    def expect(self, session, value):
        x = self.bring_back(session)["x"]
        if not any(abs(v - value) < 1e-6 for row in x for v in row):
            raise AssertionError(f"{value} was typed and is lost; copies: {self.copies()}")

    def edited(self, chance, size="3x5"):
        """A session that was opened and edited; its path and the value that was typed."""
        session = self.write_session("work", *MATRICES[size])
        self.start(session, "--theme", "light")
        value = round(chance.uniform(10, 99), 2)
        self.type_value(value)
        return session, value

    def kill(self, chance):
        session, value = self.edited(chance)
        time.sleep(PROMISE + chance.random())
        self.end_with(signal.SIGKILL)
        self.expect(session, value)

    def kill_large(self, chance):
        session, value = self.edited(chance, "512x768")
        time.sleep(PROMISE)
        self.end_with(signal.SIGKILL)
        self.expect(session, value)

    def kill_during_a_drag(self, chance):
        session = self.write_session("work", 3, 5)
        self.start(session, "--theme", "light")
        before = json.loads(session.read_text())["x"]
        xdotool("mousemove", *CELL, "mousedown", 1)
        for i in range(10):
            xdotool("mousemove", CELL[0] + 4 * i, CELL[1])
            time.sleep(0.03)
        time.sleep(PROMISE)
        self.end_with(signal.SIGKILL)
        xdotool("mouseup", 1)
        if self.bring_back(session)["x"] == before:
            raise AssertionError("what was dragged is lost")

    def kill_after_another_document(self, chance):
        session, value = self.edited(chance)
        xdotool("mousemove", *EXAMPLES, "click", 1)
        self.rest()
        self.key("Down")
        self.key("Return")
        time.sleep(PROMISE)
        self.end_with(signal.SIGKILL)
        self.expect(session, value)

    def kill_at_any_moment(self, chance):
        """Typed values come back but for the last second; the session is whole."""
        session, value = self.edited(chance)
        time.sleep(PROMISE)
        for _ in range(chance.randrange(1, 6)):
            self.type_value(round(chance.uniform(100, 999), 2))
        time.sleep(chance.uniform(0, 0.3))
        self.end_with(signal.SIGKILL)
        x = self.bring_back(session)["x"]
        if max(v for row in x for v in row) < value - 1e-6:
            raise AssertionError(f"nothing of {value} and what followed came back")

    def kill_while_saving(self, chance):
        session = self.write_session("work", 512, 768)
        self.start(session, "--theme", "light")
        self.type_value(12.5)
        xdotool("key", "--clearmodifiers", "ctrl+s")
        time.sleep(chance.uniform(0, 0.4))
        self.end_with(signal.SIGKILL)
        saved = json.loads(session.read_text())
        if (len(saved["x"]), len(saved["x"][0])) != (512, 768):
            raise AssertionError("the session is not whole")
        self.start(session)
        self.rest()
        stray = [p.name for p in self.folder.glob("*work*") if p.name != session.name]
        if stray:
            raise AssertionError(f"left behind: {stray}")

    def signal_at_once(self, chance):
        names = [signal.SIGTERM, signal.SIGHUP, signal.SIGINT]
        session, value = self.edited(chance)
        self.rest()
        self.end_with(*chance.sample(names, chance.randrange(1, 4)))
        self.expect(session, value)

    def display_ends(self, chance):
        """The X server goes while work is unsaved."""
        server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", "1", "-screen", "0", "%dx%dx24" % SIZE],
                                  stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        number = ":" + server.stdout.readline().strip()  # said when it is ready
        ours = os.environ["DISPLAY"]
        try:
            os.environ["DISPLAY"] = number
            session, value = self.edited(chance)
            self.rest()
            server.kill()
            self.running.wait(60)
        finally:
            os.environ["DISPLAY"] = ours
            server.kill()
            server.communicate()
        self.expect(session, value)

    def mounted_state(self, *options):
        state = self.folder / "home" / "state"
        state.mkdir(parents=True)
        subprocess.run(["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", state], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", state])

    def goes_on_without_copies(self, chance):
        session, value = self.edited(chance)
        time.sleep(PROMISE + 1)
        if value not in [v for row in self.saved(session)["x"] for v in row]:
            raise AssertionError("what cannot be copied can still be saved")
        self.assertEqual(self.stop(), 128 + signal.SIGTERM)

    def disk_full(self, chance):
        self.mounted_state("size=4k")
        self.goes_on_without_copies(chance)

    def read_only(self, chance):
        self.mounted_state("ro")
        self.goes_on_without_copies(chance)

    def full_session_folder(self, chance):
        """No room for the session: what was there stays, and the edit comes back."""
        place = self.folder / "small"
        place.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", place], check=True)
        self.addCleanup(subprocess.run, ["umount", "-l", place])
        session = place / "work.normscope.json"
        session.write_bytes(self.write_session("work", 3, 5).read_bytes())
        was = session.read_bytes()
        self.start(session, "--theme", "light")
        try:
            (place / "ballast").write_bytes(b"x" * 60000)
            (place / "more").write_bytes(b"x" * 60000)
        except OSError:
            pass
        self.type_value(77.25)
        self.key("ctrl+s")
        if session.read_bytes() != was:
            raise AssertionError("a session that could not be written changed")
        self.key("Return")
        self.end_with(signal.SIGKILL)
        for ballast in place.glob("[bm]*"):
            ballast.unlink()
        self.expect(session, 77.25)

    def fifo(self, chance):
        """A file that never ends is refused; the window answers."""
        path = self.folder / "pipe.csv"
        os.mkfifo(path)
        self.start(path)
        before = self.frames()
        xdotool("mousemove", 200, chance.randrange(100, 700))
        wait_until("an answer to the mouse", lambda: self.frames() > before)

    def two_instances(self, chance):
        """The second to save asks before it replaces what the first saved."""
        session, value = self.edited(chance)
        first, window = self.running, self.window
        self.start(session, "--theme", "light")
        second = self.running
        windows = xdotool("search", "--onlyvisible", "--class", "normscope").split()
        self.window = next(w for w in windows if w != window)
        xdotool("windowmove", self.window, 0, 0)
        try:
            xdotool("windowraise", window, "windowfocus", window)
            time.sleep(0.5)
            xdotool("key", "--clearmodifiers", "ctrl+s")
            wait_until("the first to save", lambda: str(value) in session.read_text())
            saved = session.read_bytes()
            xdotool("windowraise", self.window, "windowfocus", self.window)
            self.type_value(5.5)
            self.rest()
            self.key("ctrl+s")
            if session.read_bytes() != saved:
                raise AssertionError("the second replaced what the first saved, without asking")
            if second.poll() is not None:
                raise AssertionError("the second ended")
        finally:
            first.kill()
            first.wait()

    def random_hands(self, chance, minutes=5):
        """Anything a mouse and a keyboard can do; the program goes on."""
        session = self.write_session("work", chance.randrange(1, 9), chance.randrange(1, 13))
        self.start(session)
        keys = ("Return Tab Escape space Left Right Up Down Home End Page_Up Page_Down Delete plus minus "
                "1 2 3 4 5 period comma a e n ctrl+z ctrl+y ctrl+s ctrl+c ctrl+v ctrl+x ctrl+a ctrl+d "
                "ctrl+1 ctrl+2 ctrl+3 ctrl+4 ctrl+plus ctrl+minus ctrl+0 ctrl+n alt+Up F1 F11").split()
        done = []
        end = time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            x, y = chance.randrange(SIZE[0]), chance.randrange(SIZE[1])
            act = chance.choice(("click", "click", "drag", "wheel", "key", "key", "type"))
            done.append((act, x, y))
            if act == "click":
                xdotool("mousemove", x, y, "click", "--repeat", chance.randrange(1, 3),
                        chance.choice((1, 1, 1, 3)))
            elif act == "drag":
                xdotool("mousemove", x, y, "mousedown", 1, "sleep", 0.05, "mousemove",
                        chance.randrange(SIZE[0]), chance.randrange(SIZE[1]), "sleep", 0.05, "mouseup", 1)
            elif act == "wheel":
                xdotool("mousemove", x, y, "click", "--repeat", 4, chance.choice((4, 5)))
            elif act == "key":
                done.append(chance.choice(keys))
                xdotool("key", "--clearmodifiers", done[-1])
            else:
                xdotool("type", "--delay", 5, "--", str(chance.choice(
                    (round(chance.uniform(-9, 9), 2), "nan", "1e308", ",5", "-", "abc"))))
            time.sleep(0.05)
            if self.running.poll() is not None:
                if self.running.returncode == 0:  # they pressed Quit and answered
                    self.start(session)
                else:
                    raise AssertionError(f"ended with {self.running.returncode} after {done[-12:]}")
        json.loads(session.read_text())


PLAN = {  # attempts, and what holds
    "kill": (80, "an edit comes back 1 s after it was made"),
    "kill_large": (20, "as kill, 512×768"),
    "kill_during_a_drag": (30, "a held drag comes back"),
    "kill_after_another_document": (30, "a document that another replaced comes back"),
    "kill_at_any_moment": (30, "all but the last second comes back"),
    "kill_while_saving": (10, "the session is whole, no stray file"),
    "signal_at_once": (20, "SIGTERM, SIGHUP, SIGINT in any order: the last edit comes back"),
    "display_ends": (10, "the X server ends: the last edit comes back"),
    "disk_full": (5, "no room for copies: work goes on and can be saved"),
    "read_only": (5, "copies cannot be written: work goes on and can be saved"),
    "full_session_folder": (5, "a save without room harms nothing"),
    "fifo": (5, "a pipe as a file: the window answers"),
    "two_instances": (10, "the second save asks"),
    "random_hands": (12, "five minutes of random hands each"),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", choices=PLAN, action="append")
    parser.add_argument("--times", type=int, help="attempts of each instead of the plan's")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    Attack.program = str(options.program.resolve())
    rows = []
    for name in options.only or PLAN:
        attempts = options.times or PLAN[name][0]
        failed = 0
        for i in range(attempts):
            attack = Attack()
            attack.setUp()
            try:
                getattr(attack, name)(random.Random(1000 * options.seed + i))
            except Exception:
                failed += 1
                print(f"{name}, attempt {i}:", flush=True)
                traceback.print_exc()
            finally:
                if attack.running:
                    attack.running.kill()
                attack.doCleanups()
        rows.append((name, attempts, failed, PLAN[name][1]))
        print("{:<28} {:>4} attempts {:>4} failed   {}".format(*rows[-1]), flush=True)
    print(f"\n| attack | attempts | failures | what must hold |\n| --- | --- | --- | --- |")
    for name, attempts, failed, holds in rows:
        print(f"| {name.replace('_', ' ')} | {attempts} | {failed} | {holds} |")
    raise SystemExit(any(failed for _, _, failed, _ in rows))


if __name__ == "__main__":
    main()
