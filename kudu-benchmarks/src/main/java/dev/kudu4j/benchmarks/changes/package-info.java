/**
 * Changes of a large table by SQL on Spark: INSERT, UPDATE, DELETE and MERGE, with the table in
 * Kudu4j and in Delta Lake.
 *
 * <pre>
 *   ChangesCommand -- ChangesRun -- WorkerProcess  ~~ ChangesOrders ~~  ChangesWorker (kudu-benchmarks-spark)
 *                       rounds, figures                                   one Spark session, Statements
 * </pre>
 */
package dev.kudu4j.benchmarks.changes;
