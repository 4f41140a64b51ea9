"""Drag a value of Z beside its three norms: X takes the change, in one step, in one cell."""
import json

from program import ProgramTest
from entry import main

CELL = (300, 150)  # within the first row of Z, the first card of the workspace


class BatchTest(ProgramTest):
    def test_a_dragged_value_of_z_is_one_value_of_x(self):
        session = self.write_session("work", tokens=3, features=5)
        before = json.loads(session.read_text())
        self.start(session, "--theme", "light", "--workspace", "batch-vs-layer")
        x, y = CELL
        self.drag((x, y), (x + 60, y))
        saved = self.saved(session)
        token, feature = self.moved_cell(before["x"], saved["x"])
        self.assertEqual(token, 0)
        self.assertGreater(saved["x"][token][feature], before["x"][token][feature] + 0.4)
        zeros = [[0] * 5 for _ in range(3)]
        self.assertEqual(saved["f"], before.get("f", zeros))

        self.key("ctrl+z")  # one gesture is one step
        self.assertEqual(self.saved(session)["x"], before["x"])
        self.key("ctrl+y")
        self.assertEqual(self.saved(session), saved)


if __name__ == "__main__":
    main()
