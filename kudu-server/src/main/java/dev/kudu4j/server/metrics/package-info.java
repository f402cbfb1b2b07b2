/**
 * What a server counts, for Prometheus. {@link dev.kudu4j.server.metrics.RpcMeters} counts calls
 * from the first one on; {@link dev.kudu4j.server.metrics.ServerMetrics} publishes it with the JVM,
 * memory and replicas once the web server is up.
 */
package dev.kudu4j.server.metrics;
