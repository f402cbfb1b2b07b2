/**
 * JMH benchmarks of single parts of the engine. Each class is a contest: its methods do the same
 * work. They are compared with the method whose name begins with {@code baseline}, in the same run
 * and with the same parameters.
 */
package dev.kudu4j.benchmarks.parts;
