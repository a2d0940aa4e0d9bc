// Bench
