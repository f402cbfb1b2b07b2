/**
 * {@code kudu demo}: demonstrates a cluster in two minutes, on data with known results.
 *
 * <p>Start with {@link dev.kudu4j.tools.demo.Demo}, which runs the steps; each step has its own
 * class. The demo uses the public client and {@link dev.kudu4j.embedded.EmbeddedCluster}, like a
 * user's program. The expected results are computed from the generated rows while they are loaded.
 */
package dev.kudu4j.tools.demo;
