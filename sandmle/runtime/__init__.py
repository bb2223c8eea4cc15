"""Small pieces that compiled scripts carry inside them; numpy, pandas, scikit-learn and Pillow only."""
