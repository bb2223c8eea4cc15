"""Episodes: a policy works on a task in a sandbox and is rewarded."""
