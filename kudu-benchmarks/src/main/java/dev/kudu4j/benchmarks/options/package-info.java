/**
 * Options that several commands share, as picocli mixins: which clusters, how many rounds, where
 * the output goes.
 */
package dev.kudu4j.benchmarks.options;
