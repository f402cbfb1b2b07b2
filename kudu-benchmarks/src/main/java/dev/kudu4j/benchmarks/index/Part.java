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
  CLIENTS
}
