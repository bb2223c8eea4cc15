"""`python -m sandmle`."""

from sandmle.cli import main

main()
