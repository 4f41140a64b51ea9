"""Paste what another window copied, also while that one does not answer."""
import signal

from program import ProgramTest, xdotool
from entry import main

FIRST_OF_X, FIRST_OF_F = (65, 172), (290, 172)  # cells, in the window of SIZE


class PasteTest(ProgramTest):
    def click(self, place):
        xdotool("mousemove", *place)
        xdotool("click", 1)
        self.rest()

    def test_an_owner_that_does_not_answer_is_given_up(self):
        self.start(self.write_session("source", tokens=3, features=5), "--theme", "light")
        self.click(FIRST_OF_X)
        self.key("ctrl+c")
        owner = self.running
        self.addCleanup(owner.kill)

        target = self.write_session("target", tokens=3, features=5)
        self.start(target, "--theme", "light")
        owner.send_signal(signal.SIGSTOP)
        self.click(FIRST_OF_F)
        self.key("ctrl+v")
        session = self.saved(target)  # the window goes on
        self.assertFalse(any(map(any, session.get("f", []))))

        owner.send_signal(signal.SIGCONT)
        self.key("ctrl+v")
        session = self.saved(target)
        self.assertEqual(session["f"][0][0], session["x"][0][0])

    def test_what_the_window_itself_copied_is_pasted(self):
        session = self.write_session("work", tokens=3, features=5)
        self.start(session, "--theme", "light")
        self.click(FIRST_OF_X)
        self.key("ctrl+c")
        self.click(FIRST_OF_F)
        self.key("ctrl+v")
        saved = self.saved(session)
        self.assertEqual(saved["f"][0][0], saved["x"][0][0])


if __name__ == "__main__":
    main()
