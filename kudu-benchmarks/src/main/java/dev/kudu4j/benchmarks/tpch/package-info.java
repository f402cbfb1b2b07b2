/**
 * TPC-H on Spark, with the tables in Kudu4j and as Parquet.
 *
 * <pre>
 *   TpchCommand -- TpchComparison -- WorkerProcess  ~~ Orders ~~  TpchWorker (kudu-benchmarks-spark)
 *                    rounds, figures                               one Spark session
 *                        |                                             |
 *                    Cluster: a master, a tablet server  ~~ RPC ~~~~~~~+
 * </pre>
 *
 * <p>Spark has a process and a class path of its own. {@link dev.kudu4j.benchmarks.tpch.Order},
 * {@link dev.kudu4j.benchmarks.tpch.Storage} and {@link dev.kudu4j.benchmarks.tpch.WorkerSettings}
 * are on both class paths and need only the JDK.
 */
package dev.kudu4j.benchmarks.tpch;
