/** TPC-H: its eight tables in the catalog, its 22 queries, the answers equal to Parquet's. */
package dev.kudu4j.spark.tpch;
