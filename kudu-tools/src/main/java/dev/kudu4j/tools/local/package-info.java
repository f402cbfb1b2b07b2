/**
 * A cluster in one process for operators: {@code kudu start}, {@code stop}, {@code status}.
 *
 * <pre>
 *   kudu start -&gt; {@link dev.kudu4j.tools.local.Launcher} -&gt; kudu local run, detached
 *                 {@link dev.kudu4j.tools.local.ClusterReport} until it is healthy
 *   kudu local run   holds the {@link dev.kudu4j.tools.local.ClusterLock} while the cluster runs
 *   kudu status, stop   find the process through the lock, its ports in cluster.properties
 * </pre>
 *
 * <p>Everything is in one directory, {@link dev.kudu4j.tools.local.ClusterDirectory}. {@link
 * dev.kudu4j.embedded.EmbeddedCluster} starts the servers.
 */
package dev.kudu4j.tools.local;
