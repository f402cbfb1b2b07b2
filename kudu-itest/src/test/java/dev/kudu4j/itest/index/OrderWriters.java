package dev.kudu4j.itest.index;

import static org.awaitility.Awaitility.await;

import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.itest.workload.Findings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Threads that insert, update and delete orders in batches, each its own ones, so that all rows are
 * known. Every change must succeed: the client waits longer than a server needs to come back.
 */
final class OrderWriters implements AutoCloseable {
  /** Longer than servers need to come back on a slow machine. */
  static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final int WRITERS = 3;
  private static final int ROWS_OF_WRITER = 12_000;
  private static final int MAX_BATCH = 250;
  private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(60);
  private static final Duration LOOK = Duration.ofMillis(5); // kills are to come at any row

  private final KuduClient client;
  private final KuduTable table;
  private final Findings findings;
  private final List<Thread> threads = new ArrayList<>();
  private final List<Map<Long, Order>> rows = new ArrayList<>(); // of each writer
  private final ReentrantReadWriteLock batches = new ReentrantReadWriteLock(true);
  private final AtomicLong changes = new AtomicLong();
  private volatile boolean ended;

  /**
   * The rows of a snapshot.
   *
   * @param timestamp hybrid time of the snapshot
   */
  record Moment(long timestamp, List<Order> rows) {}

  OrderWriters(KuduClient client, KuduTable table, Findings findings, Random random) {
    this.client = client;
    this.table = table;
    this.findings = findings;
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(i, new Random(random.nextLong()));
      rows.add(writer.orders);
      threads.add(new Thread(writer, "writer-" + i));
    }
  }

  void start() {
    threads.forEach(Thread::start);
  }

  /** The number of acknowledged changes. */
  long changes() {
    return changes.get();
  }

  /** Waits until further changes are acknowledged, or something is found to be wrong. */
  void awaitChanges(int count) {
    long enough = changes() + count;
    await(count + " changes are acknowledged")
        .atMost(PATIENCE)
        .pollInterval(LOOK)
        .pollDelay(Duration.ZERO)
        .until(() -> ended || changes() >= enough || !findings.isEmpty());
  }

  /** The rows now, between batches. */
  Moment moment() {
    batches.writeLock().lock();
    try {
      List<Order> all = new ArrayList<>();
      rows.forEach(orders -> all.addAll(orders.values()));
      return new Moment(client.getLastPropagatedTimestamp() + 1, all);
    } finally {
      batches.writeLock().unlock();
    }
  }

  /** Ends the threads after their current batches. */
  @Override
  public void close() {
    ended = true;
    try {
      for (Thread thread : threads) {
        thread.join(PATIENCE.toMillis());
        if (thread.isAlive()) {
          findings.add("%s hangs at %s", thread.getName(), List.of(thread.getStackTrace()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Writer implements Runnable {
    private final Random random;
    private final Map<Long, Order> orders = new HashMap<>();
    private final List<Long> ids = new ArrayList<>(); // of the orders, in any order
    private final List<Long> deleted = new ArrayList<>();
    private long nextId;

    Writer(int number, Random random) {
      this.random = random;
      this.nextId = number;
    }

    @Override
    public void run() {
      try {
        KuduSession session = client.newSession();
        session.setFlushMode(FlushMode.MANUAL_FLUSH);
        session.setMutationBufferSpace(MAX_BATCH, 16 << 20);
        while (!ended) {
          writeBatch(session);
          LockSupport.parkNanos(REST_NANOS);
        }
        session.close();
      } catch (KuduException | RuntimeException | AssertionError e) {
        findings.add("%s ended with %s", Thread.currentThread().getName(), e);
      }
    }

    private void writeBatch(KuduSession session) throws KuduException {
      batches.readLock().lock();
      try {
        int size = 1 + random.nextInt(MAX_BATCH);
        for (int i = 0; i < size; i++) {
          session.apply(next());
        }
        for (OperationResponse response : session.flush()) {
          if (response.hasRowError()) {
            findings.add("a change failed: %s", response.getRowError());
          }
        }
        changes.addAndGet(size);
      } finally {
        batches.readLock().unlock();
      }
    }

    /** More inserts than deletes up to the intended number of rows, then as many. */
    private Operation next() {
      boolean grows = ids.size() < ROWS_OF_WRITER;
      int kind = random.nextInt(10);
      if (ids.isEmpty() || kind < (grows ? 6 : 3)) {
        return insert();
      }
      int place = random.nextInt(ids.size());
      return kind < (grows ? 9 : 7) ? update(ids.get(place)) : delete(place);
    }

    /** Of a new order, or of one that was deleted. */
    private Operation insert() {
      Order order = Order.random(idToInsert(), random);
      ids.add(order.id());
      orders.put(order.id(), order);
      return OrderTable.filled(table.newInsert(), order);
    }

    private long idToInsert() {
      if (!deleted.isEmpty() && random.nextInt(3) == 0) {
        return deleted.remove(deleted.size() - 1);
      }
      long id = nextId;
      nextId += WRITERS;
      return id;
    }

    private Operation update(long id) {
      Order before = orders.get(id);
      Order other = Order.random(id, random);
      Order after =
          switch (random.nextInt(3)) {
            case 0 -> before.withCustomer(other.customer());
            case 1 -> before.withPrice(other.price());
            default -> before.withStatus(other.status());
          };
      orders.put(id, after);
      return OrderTable.changed(table.newUpdate(), before, after);
    }

    private Operation delete(int place) {
      long id = ids.get(place);
      ids.set(place, ids.get(ids.size() - 1));
      ids.remove(ids.size() - 1);
      orders.remove(id);
      deleted.add(id);
      Operation delete = table.newDelete();
      delete.getRow().addLong("id", id);
      return delete;
    }
  }
}
