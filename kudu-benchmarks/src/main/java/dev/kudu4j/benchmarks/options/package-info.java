/** Options that several commands share, as picocli mixins: clusters, rounds, output. */
package dev.kudu4j.benchmarks.options;
