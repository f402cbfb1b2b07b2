/**
 * The metrics, independent of their output format. {@link dev.kudu4j.server.metrics.model.Metric}
 * describes a metric, {@link dev.kudu4j.server.metrics.model.MetricCatalog} lists all metrics under
 * Apache Kudu's names, and a {@link dev.kudu4j.server.metrics.model.MetricEntity} (the server, a
 * table or a tablet) reports the current values of its metrics on request. Hot paths count with
 * {@code LongAdder}s and {@link dev.kudu4j.server.metrics.model.LatencyHistogram}s, once per batch
 * or call.
 */
@NullMarked
package dev.kudu4j.server.metrics.model;

import org.jspecify.annotations.NullMarked;
