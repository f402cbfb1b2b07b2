/**
 * JMH benchmarks of single parts of the engine. The methods of a class do the same work. They are
 * compared with the method of that class whose name begins with {@code baseline}, in the same run
 * and with the same parameters.
 */
package dev.kudu4j.benchmarks.parts;
