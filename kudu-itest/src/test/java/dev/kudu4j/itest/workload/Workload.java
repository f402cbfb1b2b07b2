package dev.kudu4j.itest.workload;

import java.util.List;

/** Clients with the same kind of work on their own table, and its invariant. */
public interface Workload {
  String name();

  /** Creates the table, and the rows that must be in it before the workers begin. */
  void prepare(Store store) throws Unavailable;

  /** Clients, each for its own thread and store. */
  List<Worker> workers();

  /** Checks that are possible only after all workers have ended. */
  void verify(Store store) throws Unavailable;

  /** A summary of the work, in a few words. */
  String summary();
}
