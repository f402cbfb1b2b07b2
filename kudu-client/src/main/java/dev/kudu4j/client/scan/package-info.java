/**
 * Scans: which tablets a scan visits, in which order, and which messages it exchanges.
 *
 * <p>Start with {@link dev.kudu4j.client.scan.TableScan}, which reads a table. {@link
 * dev.kudu4j.client.scan.PartitionPruner} finds the intervals of partition keys that can contain a
 * matching row, {@link dev.kudu4j.client.scan.ScanQuery} is the query, {@link
 * dev.kudu4j.client.scan.BatchDecoder} decodes responses into rows.
 *
 * <p>This package knows cells, batches and tablets. It does not know the public API, which offers
 * scans as {@code KuduScanner}. Public types here are public to the client, not to users.
 */
package dev.kudu4j.client.scan;
