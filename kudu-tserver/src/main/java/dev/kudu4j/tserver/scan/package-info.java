/**
 * The scan calls of clients: a request becomes a {@link dev.kudu4j.tablet.scan.ScanSpec} ({@link
 * dev.kudu4j.tserver.scan.ScanPlan}), an open scan has an id and an owner and expires ({@link
 * dev.kudu4j.tserver.scan.OpenScanner}, {@link dev.kudu4j.tserver.scan.ScannerRegistry}), and each
 * call yields one reply ({@link dev.kudu4j.tserver.scan.ScanCalls}, {@link
 * dev.kudu4j.tserver.scan.ChecksumCalls}).
 */
@NullMarked
package dev.kudu4j.tserver.scan;

import org.jspecify.annotations.NullMarked;
