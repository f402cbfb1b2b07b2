/**
 * {@code lineitem} on one thread, in the manner of table 3 of Kudu's paper: Kudu4j, which
 * aggregates in its servers, compared with DuckDB, Parquet and Apache Kudu.
 *
 * <pre>
 *   Table3Command -- Table3Run -- OurQueries                 ~~ RPC ~~  Kudu4j
 *                                 TableQueries (published)   ~~ RPC ~~  Apache Kudu
 *                                 DuckDbQueries              its own file, or Parquet
 * </pre>
 */
package dev.kudu4j.benchmarks.table3;
