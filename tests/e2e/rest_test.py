"""At rest the program draws no frame; without a display it says what can be done."""
import os
import subprocess
import time

from program import ProgramTest, xdotool
from entry import main


class RestTest(ProgramTest):
    def test_no_frame_is_drawn_at_rest(self):
        self.start()
        before = self.frames()
        time.sleep(6)
        self.assertEqual(self.frames(), before)
        xdotool("mousemove", 300, 300)
        self.rest()
        self.assertGreater(self.frames(), before)

    def test_without_a_display_it_says_so_in_one_line(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([self.program], env=environment, text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertTrue(done.stderr.startswith("normscope: no display"), done.stderr)
        for way in (f"xvfb-run -a {self.program}", f"{self.program} export"):
            self.assertIn(way, done.stderr)


if __name__ == "__main__":
    main()
