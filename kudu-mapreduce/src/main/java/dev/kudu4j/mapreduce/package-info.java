/**
 * Hadoop MapReduce with tables: a job reads the rows of one table, and writes the operations of its
 * tasks to another one.
 *
 * <pre>
 *   submitter   KuduTableInputFormat.getSplits    one snapshot for the job; a split for each piece of a tablet
 *   map task    KuduRecordReader                  the rows of a split, read near a replica
 *   task        KuduRecordWriter                  operations, in batches; a refused row fails the task
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
