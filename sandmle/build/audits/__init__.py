"""One file, one check of a built task; see sandmle/build/auditing.py."""
