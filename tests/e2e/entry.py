"""main() for a test file: its last argument is the program under test."""
import sys
import unittest

from program import ProgramTest


def main():
    ProgramTest.program = sys.argv.pop()
    unittest.main(module="__main__", verbosity=2)
