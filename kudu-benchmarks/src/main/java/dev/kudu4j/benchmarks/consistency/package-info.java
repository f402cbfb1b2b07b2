/**
 * The experiment A + B = 0: a writer adds 1 in one tablet and subtracts 1 in another, readers sum
 * up both tablets, and the leaders of the tablets are killed meanwhile. A sum that is not zero
 * shows a pair of writes of which the reader saw one half. Start with {@link
 * dev.kudu4j.benchmarks.consistency.ConsistencyCommand}.
 */
package dev.kudu4j.benchmarks.consistency;
