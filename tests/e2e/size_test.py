"""The size of everything can be changed while the program runs."""
from program import ProgramTest, wait_until, xdotool
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
            wait_until(f"{chord} redraws the window", lambda: self.screen() != shown[-1])
            self.rest()
            now = self.screen()
            self.assertLess(rows_of_one_colour(now), len(now) / 4, chord)
            shown.append(now)
        self.key("ctrl+0")
        wait_until("ctrl+0 brings the first size back", lambda: self.screen() == before)


if __name__ == "__main__":
    main()
