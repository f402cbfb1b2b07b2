package dev.kudu4j.itest.workload;

import java.util.List;

/** Clients that do the same kind of work on a table of their own, and a rule for it. */
public interface Workload {
  String name();

  /** Makes the table, and what must be in it before the workers begin. */
  void prepare(Store store) throws Unavailable;

  /** Clients, each for a thread and a store of its own. */
  List<Worker> workers();

  /** What can be said only when all workers have ended. */
  void verify(Store store) throws Unavailable;

  /** What was done, in a few words. */
  String summary();
}
