/**
 * A whole cluster in one JVM: for tests, for evaluation, and for applications with their own
 * cluster. Start with {@link dev.kudu4j.embedded.EmbeddedCluster}; tests with JUnit 5 start with
 * {@link dev.kudu4j.embedded.junit5.KuduClusterExtension}.
 *
 * <p>The servers are the same as the daemons, with their own ports; they share the event loops and
 * the heap. This package starts and stops servers. It does not depend on their function.
 */
package dev.kudu4j.embedded;
