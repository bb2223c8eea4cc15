"""Small pieces that compiled scripts carry inside them."""
