/**
 * Scans: which tablets a scan visits, in which order, and which messages it exchanges.
 *
 * <p>Start with {@link dev.kudu4j.client.scan.TableScan}, which reads a table. {@link
 * dev.kudu4j.client.scan.PartitionPruner} finds the intervals of partition keys that can contain a
 * matching row, {@link dev.kudu4j.client.scan.ScanQuery} is the query, {@link
 * dev.kudu4j.client.scan.BatchDecoder} decodes responses into rows.
 *
 * <p>This package does not depend on the public API, which offers scans as {@code KuduScanner}. The
 * public types of this package are for other packages of the client, not for users.
 */
package dev.kudu4j.client.scan;
