/**
 * Selections with the API that both clients have. The build makes a copy for the published client.
 */
package dev.kudu4j.benchmarks.selection.ours;
