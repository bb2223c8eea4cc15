"""How trainings went: a page, and a plot in the terminal."""
