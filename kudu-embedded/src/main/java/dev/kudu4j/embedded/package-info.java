/**
 * A whole cluster in one JVM: for tests, for a first look, and for applications that want one of
 * their own. Start with {@link dev.kudu4j.embedded.EmbeddedCluster}; tests with JUnit 5 start with
 * {@link dev.kudu4j.embedded.junit5.KuduClusterExtension}.
 *
 * <p>The servers are those that run as daemons, on ports of their own; they share the event loops
 * and the heap. This package knows how servers are started and stopped. It does not know what they
 * do.
 */
package dev.kudu4j.embedded;
