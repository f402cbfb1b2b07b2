package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.workload.KeySample;
import java.nio.file.Path;

/**
 * Both engines, loaded with the same rows.
 *
 * @param sample keys of some rows, in random order
 * @param rowCount how many rows there are
 * @param directory for more files
 */
record Engines(OurEngine ours, DuckDb duckDb, KeySample sample, long rowCount, Path directory) {}
