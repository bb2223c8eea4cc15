"""What can be measured on what a row shows, by kind of data; nothing here looks at labels."""
