/** TPC-H: its eight tables in the catalog, its 22 queries, and the comparison with Parquet. */
package dev.kudu4j.spark.tpch;
