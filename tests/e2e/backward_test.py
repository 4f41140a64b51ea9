"""Drag values of dY: each drag is one cell and one step, and nothing else of the document changes."""
import json

from program import ProgramTest
from entry import main

CELL = (140, 230)  # within dY, the first card of the workspace


class BackwardTest(ProgramTest):
    def test_a_dragged_value_of_dy_is_saved_undone_and_done_again(self):
        session = self.write_session("work", tokens=3, features=5)
        before = json.loads(session.read_text())
        self.start(session, "--theme", "light", "--workspace", "backward")
        x, y = CELL
        self.drag((x, y), (x + 60, y))
        first = self.saved(session)
        self.drag((x, y), (x - 60, y))
        second = self.saved(session)

        token, feature = self.moved_cell(first["dy"], second["dy"])
        self.assertLess(second["dy"][token][feature], first["dy"][token][feature] - 0.4)
        for file in (first, second):
            self.assertEqual(file["x"], before["x"])
            self.assertEqual({k: v for k, v in file.items() if k != "dy"},
                             {k: v for k, v in first.items() if k != "dy"})

        self.key("ctrl+z")  # one gesture is one step
        self.assertEqual(self.saved(session), first)
        self.key("ctrl+z")
        self.assertNotIn("dy", self.saved(session))
        self.key("ctrl+y")
        self.key("ctrl+y")
        self.assertEqual(self.saved(session), second)


if __name__ == "__main__":
    main()
