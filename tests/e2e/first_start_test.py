"""The first start in an empty home shows the first steps, and remembers that it did."""
import json

from program import ProgramTest
from entry import main


class FirstStartTest(ProgramTest):
    first_start = True

    def home(self):
        return self.folder / "home"

    def test_only_the_first_start_shows_the_first_steps(self):
        self.start("--theme", "light")
        kept = self.home() / "config" / "normscope" / "preferences.json"
        self.assertTrue(json.loads(kept.read_text())["first-steps-shown"])
        first = self.screen()
        self.stop()
        self.start("--theme", "light")
        self.assertNotEqual(self.screen(), first)


if __name__ == "__main__":
    main()
