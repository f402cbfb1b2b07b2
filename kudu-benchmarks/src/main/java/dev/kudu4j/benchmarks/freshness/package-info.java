/**
 * Freshness: what a query costs whose answer may be some seconds old, while rows are inserted and
 * updated. Start with {@link dev.kudu4j.benchmarks.freshness.FreshnessCommand}.
 */
package dev.kudu4j.benchmarks.freshness;
