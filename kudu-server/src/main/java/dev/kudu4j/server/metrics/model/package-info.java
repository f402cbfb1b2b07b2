/**
 * What is measured, independent of who reads it: {@link dev.kudu4j.server.metrics.model.Metric}
 * says what a number means, {@link dev.kudu4j.server.metrics.model.MetricCatalog} lists all of them
 * under Apache Kudu's names, and a {@link dev.kudu4j.server.metrics.model.MetricEntity} (the
 * server, a table, a tablet) tells its numbers when it is asked. Hot paths count in {@code
 * LongAdder}s and {@link dev.kudu4j.server.metrics.model.LatencyHistogram}s, once a batch or call.
 */
package dev.kudu4j.server.metrics.model;
