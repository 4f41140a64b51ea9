"""How the program ends: by a signal, in the middle of saving, and over a file it cannot open."""
import json
import signal
import subprocess
import time

from program import ProgramTest, wait_until, xdotool
from entry import main


class LeaveTest(ProgramTest):
    def test_a_signal_leaves_cleanly(self):
        for name in (signal.SIGTERM, signal.SIGINT):
            self.start()
            self.assertEqual(self.stop(name), 128 + name)

    def test_an_error_of_x11_does_not_end_it(self):
        self.start()
        xdotool("windowclose", self.window)  # what is asked of the window now is an error
        self.assertEqual(self.stop(), 128 + signal.SIGTERM)

    def test_a_picture_of_a_file_that_cannot_be_opened_is_none(self):
        file, picture = self.folder / "words.csv", self.folder / "picture.png"
        file.write_text("hello\n")
        done = subprocess.run([self.program, "screenshot", file, "--out", picture],
                              env=self.environment(), text=True, capture_output=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("words.csv", done.stderr)
        self.assertFalse(picture.exists())

    def test_no_half_written_file(self):
        session = self.write_session("large", tokens=400, features=300)
        written_here = session.read_bytes()
        self.start(session)
        self.key("ctrl+s")
        wait_until("the program saves", lambda: session.read_bytes() != written_here)
        self.stop()
        for pause in (0, 0.01, 0.03, 0.1, 0.3):
            self.start(session)
            xdotool("key", "--clearmodifiers", "ctrl+s")
            time.sleep(pause)
            self.assertEqual(self.stop(signal.SIGTERM), 128 + signal.SIGTERM)
            saved = json.loads(session.read_text())
            self.assertEqual((len(saved["x"]), len(saved["x"][0])), (400, 300))
            self.assertEqual([p.name for p in self.folder.glob("*large*")], [session.name])


if __name__ == "__main__":
    main()
