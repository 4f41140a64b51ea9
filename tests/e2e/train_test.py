"""Run a race in a window and go back: the saved session says where it is."""
import json

from program import ProgramTest, wait_until, xdotool
from entry import main

RUN = (53, 84)  # the button, at the left end of the line at the top
STEPS = 200


class TrainTest(ProgramTest):
    def step(self, session):
        return self.saved(session).get("train", {}).get("step", 0)

    def test_a_race_runs_to_its_end_and_is_scrubbed(self):
        session = self.write_session("work", tokens=3, features=5)
        document = json.loads(session.read_text())
        document["train"] = {"common": {"task": "moons", "layers": 2, "width": 8, "points": 50,
                                        "steps": STEPS}}
        session.write_text(json.dumps(document))
        self.start(session, "--theme", "light", "--workspace", "train")

        xdotool("mousemove", *RUN)
        xdotool("click", 1)
        wait_until("the race is over", lambda: self.step(session) == STEPS)
        self.rest()  # at its end nothing is drawn

        self.drag((1066, 84), (790, 84))  # the step, on its track
        scrubbed = self.step(session)
        self.assertLess(scrubbed, STEPS)
        self.key("ctrl+z")  # looking at a step is none to undo
        self.assertEqual(self.step(session), scrubbed)


if __name__ == "__main__":
    main()
