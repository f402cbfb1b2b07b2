package dev.kudu4j.benchmarks.engine;

import dev.kudu4j.benchmarks.baseline.DuckDb;
import dev.kudu4j.benchmarks.baseline.LineItemTable;
import dev.kudu4j.benchmarks.workload.KeySample;
import java.nio.file.Path;

/**
 * Both engines, loaded with the same rows.
 *
 * @param table definition of the rows
 * @param sample keys of some rows, in random order
 * @param updated keys of a tenth of the rows, in random order
 * @param rowCount number of rows
 * @param directory the directory for files that measurements write
 */
record Engines(
    LineItemTable table,
    OurEngine ours,
    DuckDb duckDb,
    KeySample sample,
    KeySample updated,
    long rowCount,
    Path directory) {}
