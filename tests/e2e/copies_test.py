"""Unsaved work after the program was ended from outside: its copies, and that they are offered."""
import os
import shutil
import signal
import subprocess

from program import ProgramTest, wait_until, wide_marks, xdotool
from entry import main

GAMMA = (0xD5, 0x5E, 0x00)  # the colour of γ, and of its faders' handles, in the light theme


class CopiesTest(ProgramTest):
    def setUp(self):
        super().setUp()
        self.session = self.write_session("work", tokens=3, features=5)
        self.handles = wide_marks(self.picture(self.session, "--theme", "light"), GAMMA, 12, 5)
        self.assertEqual(len(self.handles), 5, "one fader a feature")

    def copies(self):
        folder = self.folder / f"home{self.starts}" / "state" / "normscope"
        return sorted(folder.glob("autosave-*.copy"))

    def change(self, release=True):
        """Drags a fader."""
        x, y = self.handles[2]
        if release:
            return self.drag((x, y), (x, y - 30))
        xdotool("mousemove", x, y)
        self.rest()
        xdotool("mousedown", 1)
        for i in range(1, 31):
            xdotool("mousemove", x, y - i)

    def is_brought_back(self):
        """A next start with the same home offers the work; saved, it has the change."""
        self.assertEqual(len(self.copies()), 1)
        home = self.folder / f"home{self.starts}"
        shutil.copytree(home, self.folder / f"home{self.starts + 1}")
        self.start("--theme", "light")
        self.key("Return")
        return self.saved(self.session)["gamma"][2] > 1

    def test_kill(self):
        self.start(self.session, "--theme", "light")
        self.change()
        wait_until("a copy", lambda: len(self.copies()) == 1)
        self.stop(signal.SIGKILL)
        self.assertTrue(self.is_brought_back())

    def test_two_signals_at_once(self):
        self.start(self.session, "--theme", "light")
        self.change(release=False)
        self.running.send_signal(signal.SIGTERM)
        self.running.send_signal(signal.SIGHUP)
        self.assertIn(self.stop(), (128 + signal.SIGTERM, 128 + signal.SIGHUP))
        xdotool("mouseup", 1)
        self.assertTrue(self.is_brought_back())

    def test_the_end_of_the_x_server(self):
        read, write = os.pipe()
        server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(write), "-screen", "0", "1280x800x24"],
                                  pass_fds=[write], stderr=subprocess.DEVNULL)
        self.addCleanup(server.kill)
        display = os.environ["DISPLAY"]
        self.addCleanup(os.environ.__setitem__, "DISPLAY", display)
        os.environ["DISPLAY"] = ":" + os.read(read, 16).decode().strip()
        self.start(self.session, "--theme", "light")
        self.change(release=False)
        server.terminate()
        self.assertEqual(self.running.wait(60), 1)
        os.environ["DISPLAY"] = display
        self.assertTrue(self.is_brought_back())


if __name__ == "__main__":
    main()
