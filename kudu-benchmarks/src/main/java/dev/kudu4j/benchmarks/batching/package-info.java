/**
 * The efficiency of batches: rows a second and delays of batches of 1 to 1,000,000 rows, each of
 * which becomes visible at once, compared with rows that are written without batches. Start with
 * {@link dev.kudu4j.benchmarks.batching.BatchingCommand}.
 */
package dev.kudu4j.benchmarks.batching;
