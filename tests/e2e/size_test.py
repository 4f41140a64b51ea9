"""The size of everything can be changed while the program runs."""
from program import ProgramTest, xdotool
from entry import main


def rows_of_one_colour(screen):
    return sum(row == row[:4] * (len(row) // 4) for row in screen)


class SizeTest(ProgramTest):
    def test_larger_and_smaller_redraw_the_window(self):
        self.start()
        xdotool("mousemove", 1279, 799)  # where nothing is hovered
        self.rest()
        before = self.screen()
        shown = [before]
        for chord in ("ctrl+equal", "ctrl+equal", "ctrl+minus"):
            self.key(chord)
            now = self.screen()
            self.assertLess(rows_of_one_colour(now), len(now) / 4, chord)
            self.assertTrue(now != shown[-1], f"{chord} changed nothing")
            shown.append(now)
        self.key("ctrl+0")
        # assertEqual would look for minutes for the bytes in which two screens differ.
        self.assertTrue(self.screen() == before, "ctrl+0 did not bring the first size back")


if __name__ == "__main__":
    main()
