/**
 * Hadoop MapReduce with tables: a job reads the rows of one table, and writes the operations of its
 * tasks to another one.
 *
 * <pre>
 *   submitter   KuduTableInputFormat.getSplits    one snapshot per job, one split per piece
 *   map task    KuduRecordReader                  the rows of a split, read near a replica
 *   task        KuduRecordWriter                  writes in batches; fails on a rejected row
 * </pre>
 *
 * <p>Start with {@link dev.kudu4j.mapreduce.KuduTableMapReduceUtil}, which configures jobs.
 * Classes, methods and configuration keys have the names of Apache Kudu's {@code kudu-mapreduce}.
 * docs/mapreduce.md contains a complete job.
 *
 * <p>Each task has one client, which is closed with its reader or writer. This package depends on
 * Hadoop and the client's public API, not on servers.
 */
package dev.kudu4j.mapreduce;
