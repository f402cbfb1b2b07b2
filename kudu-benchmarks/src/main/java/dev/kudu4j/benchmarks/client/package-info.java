/**
 * A comparison of Kudu4j's client and the published one, each in its own JVM, on Kudu4j's servers
 * and on the published ones.
 *
 * <pre>
 *   ClientComparison --- ClientProcess  ~~ lines over pipes ~~  ClientMain
 *     alternates                                                  one client: ClientTrial
 *     idle servers                                                measures itself
 * </pre>
 *
 * <p>Start with {@link dev.kudu4j.benchmarks.client.ClientComparison}; the measured tasks are in
 * {@link dev.kudu4j.benchmarks.client.Task}.
 */
package dev.kudu4j.benchmarks.client;
