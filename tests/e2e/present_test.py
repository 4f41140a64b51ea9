"""Scenes are kept, saved and presented by keys in a real window."""
from program import ProgramTest
from entry import main


class PresentTest(ProgramTest):
    def test_scenes_are_kept_presented_and_saved(self):
        session = self.write_session("scenes", 2, 3)
        self.start(session)
        self.key("ctrl+k")
        self.key("ctrl+k")
        first = self.saved(session)
        self.assertEqual(len(first["scenes"]), 2)
        self.key("F5")
        before = self.frames()
        self.key("Next")  # Page Down
        self.assertGreater(self.frames(), before)
        self.key("n")
        self.key("period")
        self.key("period")
        self.key("Escape")
        self.key("ctrl+z")
        self.assertEqual(len(self.saved(session)["scenes"]), 1)


if __name__ == "__main__":
    main()
