"""`python -m whistlestop` is the command line."""

from whistlestop.cli import main

if __name__ == "__main__":
    main()
