"""Drag the number of blocks, undo, and open a block of the stack and come back."""
import json

from program import ProgramTest, knobs, wait_until, xdotool
from entry import main

class FlowTest(ProgramTest):
    def blocks(self, saved):
        return saved.get("flow", {}).get("stack", {}).get("blocks", 12)

    def test_the_stack_is_dragged_saved_and_a_block_of_it_opened(self):
        session = self.write_session("work", tokens=3, features=5)
        look = ("--theme", "light", "--workspace", "gradient-flow")
        pixels = self.picture(session, *look)
        x, y = knobs(pixels, 340)[0]
        y += 2  # where it was found is the top of its widest part

        self.start(session, *look)
        self.drag((x, y), (x + 40, y))
        saved = self.saved(session)
        self.assertGreater(self.blocks(saved), 12)

        self.key("ctrl+z")  # one gesture is one step
        self.assertEqual(self.blocks(self.saved(session)), 12)
        self.key("ctrl+y")
        self.assertEqual(self.saved(session), saved)

        # A block of the river: the first blue from the top of a column is what came down the skip.
        column = 900
        for row in range(len(pixels)):
            if pixels[row][column][2] > 150 and pixels[row][column][0] < 90:
                break
        xdotool("mousemove", column, row + 4)
        xdotool("click", 1)

        def saved_block():  # a document of its own, with a name of its own
            self.key("ctrl+s")
            self.key("Return")
            return next(session.parent.glob("block-*"), None)

        wait_until("a block is opened", saved_block)
        opened = json.loads(next(session.parent.glob("block-*")).read_text())
        self.assertNotEqual(opened["x"], saved["x"])
        self.assertEqual(opened["flow"], saved["flow"])
        self.assertEqual(json.loads(session.read_text()), saved)
        self.key("ctrl+z")  # back to the stack, where nothing has changed
        self.assertEqual(self.saved(session), saved)


if __name__ == "__main__":
    main()
