/**
 * Reads of ranges and of single rows, while nobody writes and while rows arrive. Start with {@link
 * dev.kudu4j.benchmarks.reads.ReadsCommand}.
 */
package dev.kudu4j.benchmarks.reads;
