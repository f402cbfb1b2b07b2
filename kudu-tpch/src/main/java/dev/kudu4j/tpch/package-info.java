/**
 * TPC-H on Spark: its eight tables, as Parquet and in a catalog of Kudu, and its 22 queries. Tests
 * and benchmarks share them.
 *
 * <p>Start with {@link dev.kudu4j.tpch.TpchTables}. This package knows the catalog only by its name
 * in SQL.
 */
package dev.kudu4j.tpch;
