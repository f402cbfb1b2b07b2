/**
 * JMH benchmarks of single parts of the engine. Each class is a contest: its methods do the same
 * work, and the one whose name begins with {@code baseline} is what the others are compared with,
 * in the same run and with the same parameters.
 */
package dev.kudu4j.benchmarks.parts;
