/**
 * Hadoop MapReduce over tables: a job reads the rows of one table, and writes the operations that
 * its tasks make to another.
 *
 * <pre>
 *   submitter   KuduTableInputFormat.getSplits    one snapshot for the job; a split for each piece of a tablet
 *   map task    KuduRecordReader                  the rows of a split, read near a replica
 *   task        KuduRecordWriter                  operations, in batches; a refused row fails the task
 * </pre>
 *
 * <p>Start with {@link dev.kudu4j.mapreduce.KuduTableMapReduceUtil}, which configures jobs. The
 * names of classes, methods and configuration keys are those that users of Apache Kudu's {@code
 * kudu-mapreduce} know. A whole job: docs/mapreduce.md.
 *
 * <p>Each task has one client, which lives as long as its reader or writer. This package knows
 * Hadoop and the client's public face; it does not know servers.
 */
package dev.kudu4j.mapreduce;
