"""`make bench`: how fast, as ratios of two things measured in the same run."""
