/**
 * Publishes the metrics of a server: in Prometheus' format at {@code /metrics_prometheus}, and in
 * Apache Kudu's format at {@code /metrics}. {@link dev.kudu4j.server.metrics.ServerMetrics}
 * collects the metrics when the web server starts. The counters themselves, such as those of calls
 * in {@link dev.kudu4j.server.metrics.RpcMeters}, count from the start of the process. The package
 * {@code model} defines the metrics; docs/metrics.md is generated from it.
 */
@NullMarked
package dev.kudu4j.server.metrics;

import org.jspecify.annotations.NullMarked;
