"""What a right spec had better not be like, a module for each part of the spec."""
