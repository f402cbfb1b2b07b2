/**
 * Reading a tablet: sources (pinned rowsets) -> predicate tree -> sink.
 *
 * <p>{@link dev.kudu4j.tablet.scan.ScanSpec} specifies a scan, {@link
 * dev.kudu4j.tablet.scan.TabletScanner} produces batches, and sinks convert batches for the wire.
 */
@NullMarked
package dev.kudu4j.tablet.scan;

import org.jspecify.annotations.NullMarked;
