/**
 * {@code kudu bench index}: secondary indexes, in the manner of the experiments of the paper on
 * secondary indexes of HBase (CCIndex, Phoenix, RDMA-HBase).
 *
 * <pre>
 *   queries   Q1 to Q4 on TPC-H's orders, each plan in turn, beside Apache Kudu   OrdersPart
 *   choice    random predicates: is the servers' choice the best plan?            ChoiceRun
 *   inserts   large records, and lineitem, with two indexes and without           InsertsPart
 *   clients   c = x from many clients, under each thread model of the server      PointTable
 *   spread    c = x of a table of many tablets, global and local index            SpreadPart
 *   lag       of global indexes behind a writer, and reads of the latest rows     LagPart
 * </pre>
 */
package dev.kudu4j.benchmarks.index;
