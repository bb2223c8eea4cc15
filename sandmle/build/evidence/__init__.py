"""What audits look at: labels as columns, files by sample, submissions that know nothing."""
