/**
 * What a server counts, for its readers: Prometheus at {@code /metrics_prometheus}, and whatever
 * was built for Apache Kudu at {@code /metrics}. {@link dev.kudu4j.server.metrics.ServerMetrics}
 * puts together, once the web server is up, what others have counted from the first moment on, such
 * as {@link dev.kudu4j.server.metrics.RpcMeters} the calls. What the numbers mean is in {@code
 * model}; docs/metrics.md is made from it.
 */
package dev.kudu4j.server.metrics;
