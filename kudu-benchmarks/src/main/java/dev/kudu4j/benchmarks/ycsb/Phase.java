package dev.kudu4j.benchmarks.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * One run of YCSB's {@code CoreWorkload} with several threads. Each thread sends its next operation
 * when it has the response to the previous one.
 */
final class Phase {
  /** The two phases of YCSB. */
  enum Kind {
    LOAD,
    TRANSACTIONS
  }

  /**
   * @param operations number of executed operations; a read-modify-write counts once
   * @param nanos time from the start of the first operation to the end of the last, including the
   *     last batch of writes
   */
  record Outcome(long operations, long nanos, Latencies latencies) {}

  private final Kind kind;
  private final Supplier<DB> databases;
  private final Properties properties;
  private final int threads;
  private final int operations;

  /**
   * @param databases creates the database of a thread
   * @param properties properties of YCSB and of the binding
   * @param operations number of operations of all threads together
   */
  Phase(Kind kind, Supplier<DB> databases, Properties properties, int threads, int operations) {
    this.kind = kind;
    this.databases = databases;
    this.properties = properties;
    this.threads = threads;
    this.operations = operations;
  }

  Outcome run() throws Exception {
    Measurements.setProperties(properties); // init reads these properties
    Workload workload = new CoreWorkload();
    workload.init(properties);
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    List<TimedDb> opened = new ArrayList<>();
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        TimedDb db = open();
        opened.add(db);
        int share = operations / threads + (thread < operations % threads ? 1 : 0);
        Object state = workload.initThread(properties, thread, threads);
        running.add(executor.submit(() -> work(workload, db, state, share, start)));
      }
      long startNanos = System.nanoTime();
      start.countDown();
      await(running);
      long nanos = System.nanoTime() - startNanos;
      Latencies all = new Latencies();
      opened.forEach(db -> all.add(db.latencies()));
      return new Outcome(operations, nanos, all);
    } finally {
      executor.shutdownNow();
      workload.cleanup();
    }
  }

  private static void await(List<Future<?>> running) throws Exception {
    for (Future<?> one : running) {
      try {
        one.get();
      } catch (ExecutionException e) {
        throw e.getCause() instanceof Exception cause ? cause : e;
      }
    }
  }

  private TimedDb open() throws DBException {
    TimedDb db = new TimedDb(databases.get());
    db.setProperties(properties);
    db.init();
    return db;
  }

  private Void work(Workload workload, TimedDb db, Object state, int share, CountDownLatch start)
      throws InterruptedException, DBException, WorkloadException {
    start.await();
    for (int i = 0; i < share; i++) {
      if (kind == Kind.LOAD) {
        workload.doInsert(db, state);
      } else {
        transact(workload, db, state);
      }
    }
    db.cleanup();
    return null;
  }

  private static void transact(Workload workload, TimedDb db, Object state) {
    int callsBefore = db.calls();
    long startNanos = System.nanoTime();
    workload.doTransaction(db, state);
    if (db.calls() > callsBefore + 1) {
      db.latencies().add(OperationKind.READ_MODIFY_WRITE, System.nanoTime() - startNanos);
    }
  }
}
