/**
 * Results over the rows of all tablets that need all of them before the first can be returned:
 * aggregates and the first rows in an order. {@link dev.kudu4j.client.collect.TabletRun} reads the
 * tablets, again after faults; a {@link dev.kudu4j.client.collect.TabletCollector} says what to ask
 * for and how to merge.
 */
package dev.kudu4j.client.collect;
