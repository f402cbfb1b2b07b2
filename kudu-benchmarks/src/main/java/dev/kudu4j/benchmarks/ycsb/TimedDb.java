package dev.kudu4j.benchmarks.ycsb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Wraps the database of one thread and times each call. */
final class TimedDb extends DB {
  private final DB db;
  private final Latencies latencies = new Latencies();
  private int calls;

  TimedDb(DB db) {
    this.db = db;
  }

  Latencies latencies() {
    return latencies;
  }

  /** Number of calls so far. */
  int calls() {
    return calls;
  }

  @Override
  public void init() throws DBException {
    db.setProperties(getProperties());
    db.init();
  }

  @Override
  public void cleanup() throws DBException {
    db.cleanup();
  }

  @Override
  public Status read(
      String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
    long startNanos = System.nanoTime();
    return record(OperationKind.READ, startNanos, db.read(table, key, fields, result));
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    long startNanos = System.nanoTime();
    return record(
        OperationKind.SCAN, startNanos, db.scan(table, startKey, recordCount, fields, result));
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    long startNanos = System.nanoTime();
    return record(OperationKind.UPDATE, startNanos, db.update(table, key, values));
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    long startNanos = System.nanoTime();
    return record(OperationKind.INSERT, startNanos, db.insert(table, key, values));
  }

  @Override
  public Status delete(String table, String key) {
    long startNanos = System.nanoTime();
    return record(OperationKind.DELETE, startNanos, db.delete(table, key));
  }

  private Status record(OperationKind kind, long startNanos, Status status) {
    calls++;
    latencies.add(kind, System.nanoTime() - startNanos, status);
    return status;
  }
}
