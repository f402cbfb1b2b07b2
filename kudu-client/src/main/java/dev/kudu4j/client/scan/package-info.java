/**
 * Reading: which tablets a scan has to visit, in which order, and what travels while it does.
 *
 * <p>{@link dev.kudu4j.client.scan.TableScan} walks a table and is the place to start. {@link
 * dev.kudu4j.client.scan.PartitionPruner} says which stretches of partition keys can hold a row
 * that matches, {@link dev.kudu4j.client.scan.ScanQuery} what is asked, {@link
 * dev.kudu4j.client.scan.BatchDecoder} makes rows out of answers.
 *
 * <p>This package knows cells, batches and tablets. It does not know the classes of users, who find
 * all of it behind {@code KuduScanner}. Public here means public to the client, not to users.
 */
package dev.kudu4j.client.scan;
