"""Start, drag a fader, undo, save, reopen, compare."""
from program import ProgramTest, wide_marks
from entry import main

GAMMA = (0xD5, 0x5E, 0x00)  # the colour of γ, and of its faders' handles, in the light theme


class FaderTest(ProgramTest):
    def test_dragged_gamma_is_saved_and_read_again(self):
        session = self.write_session("work", tokens=3, features=5)
        handles = wide_marks(self.picture(session, "--theme", "light"), GAMMA, 12, 5)
        self.assertEqual(len(handles), 5, "one fader a feature")

        self.start(session, "--theme", "light")
        x, y = handles[2]
        self.drag((x, y), (x, y - 30))
        saved = self.saved(session)
        gamma = saved["gamma"]
        self.assertGreater(gamma[2], 1)
        self.assertEqual([g for i, g in enumerate(gamma) if i != 2], [1] * 4)

        self.key("ctrl+z")  # one gesture is one step
        undone = self.saved(session)
        self.assertIn(undone.get("gamma", 1), (1, [1] * 5))
        self.key("ctrl+y")
        self.assertEqual(self.saved(session), saved)
        self.stop()

        before = session.read_bytes()
        self.start(session, "--theme", "light")
        self.drag((x, y), (x, y - 60))
        self.key("ctrl+z")
        self.saved(session)
        self.assertEqual(session.read_bytes(), before)


if __name__ == "__main__":
    main()
