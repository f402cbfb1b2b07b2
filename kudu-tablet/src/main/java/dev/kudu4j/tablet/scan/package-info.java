/**
 * Reading a tablet: sources (pinned rowsets) -> predicate tree -> sink. {@link
 * dev.kudu4j.tablet.scan.ScanSpec} says what is wanted, {@link
 * dev.kudu4j.tablet.scan.TabletScanner} yields batches, sinks turn batches into what travels.
 */
package dev.kudu4j.tablet.scan;
