"""``python -m noisewise``: the command line, where the command itself is not on the path."""

from noisewise.cli import main

if __name__ == "__main__":
    main()
