"""All of it at work on one small corpus: `sandmle demo`."""
