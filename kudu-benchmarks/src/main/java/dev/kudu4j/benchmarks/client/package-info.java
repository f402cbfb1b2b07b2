/**
 * Clients beside each other: ours and the published one, each in a JVM of its own, on our servers
 * and on the published ones.
 *
 * <pre>
 *   ClientComparison --- ClientProcess  ~~ lines over pipes ~~  ClientMain
 *     whose turn is it?                                           one client: ClientTrial
 *     idle servers                                                measures itself
 * </pre>
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.client.ClientComparison}; what is measured stands in
 * {@link dev.kudu4j.benchmarks.client.Task}.
 */
package dev.kudu4j.benchmarks.client;
