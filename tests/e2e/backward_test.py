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
        self.key("ctrl+s")
        first = json.loads(session.read_text())
        self.drag((x, y), (x - 60, y))
        self.key("ctrl+s")
        second = json.loads(session.read_text())

        moved = [(t, d) for t in range(3) for d in range(5)
                 if abs(second["dy"][t][d] - first["dy"][t][d]) > 1e-9]
        self.assertEqual(len(moved), 1)
        token, feature = moved[0]
        self.assertLess(second["dy"][token][feature], first["dy"][token][feature] - 0.4)
        for file in (first, second):
            self.assertEqual(file["x"], before["x"])
            self.assertEqual({k: v for k, v in file.items() if k != "dy"},
                             {k: v for k, v in first.items() if k != "dy"})

        self.key("ctrl+z")  # one gesture is one step
        self.key("ctrl+s")
        self.assertEqual(json.loads(session.read_text()), first)
        self.key("ctrl+z")
        self.key("ctrl+s")
        self.assertNotIn("dy", json.loads(session.read_text()))
        self.key("ctrl+y")
        self.key("ctrl+y")
        self.key("ctrl+s")
        self.assertEqual(json.loads(session.read_text()), second)


if __name__ == "__main__":
    main()
