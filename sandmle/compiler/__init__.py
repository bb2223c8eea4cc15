"""The compiler: a checked Spec in, self-contained scripts out."""
