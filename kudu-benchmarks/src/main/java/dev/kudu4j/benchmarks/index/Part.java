package dev.kudu4j.benchmarks.index;

/** The parts of the command, in the order of the report. */
enum Part {
  /** Queries of orders by four selectivities, with each plan. */
  QUERIES,
  /** Random predicates on orders: the chosen plan compared with the best one. */
  CHOICE,
  /** Inserts into tables with and without indexes. */
  INSERTS,
  /** Rows by an indexed value, from many clients. */
  CLIENTS,
  /** Rows by an indexed value of a table of many tablets, by a global index and by a local one. */
  SPREAD,
  /** How far global indexes are behind a writer, and reads of the latest rows by them. */
  LAG
}
