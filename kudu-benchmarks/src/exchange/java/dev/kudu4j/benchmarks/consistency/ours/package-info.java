/**
 * The program of the experiment, written for Kudu4j's client. The build makes a copy for the
 * published client.
 */
package dev.kudu4j.benchmarks.consistency.ours;
