"""What must be true of a spec beyond its schema, a module for each part of the spec."""
