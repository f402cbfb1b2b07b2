package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.history.Linearizability;
import dev.kudu4j.itest.history.RegisterCall;
import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Independent clients read and write one key; after some calls all of them continue with the next
 * key. Half of them remember the leader, the others look it up repeatedly. No value is written
 * twice. Each key's history must be linearizable.
 *
 * <p>A client whose write got no response continues as a new client, because its write may be
 * pending forever.
 */
public final class Registers implements Workload {
  private static final String TABLE = "registers";
  private static final int TABLETS = 2;
  private static final int CALLS_OF_KEY = 150;
  private static final int STEPS_OF_CLIENT = 6;
  private static final int BUDGET = 3_000_000;
  private static final long ABSENT = 0;

  private final Findings findings;
  private final int workerCount;
  private final long start = System.nanoTime();
  private final AtomicLong lastNow = new AtomicLong();
  private final AtomicLong values = new AtomicLong();
  private final AtomicInteger clients = new AtomicInteger();
  private final List<List<RegisterCall>> histories =
      Collections.synchronizedList(new ArrayList<>());

  public Registers(Findings findings, int workerCount) {
    this.findings = findings;
    this.workerCount = workerCount;
    histories.add(newHistory());
  }

  private static List<RegisterCall> newHistory() {
    return Collections.synchronizedList(new ArrayList<>());
  }

  @Override
  public String name() {
    return TABLE;
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(TABLE, TABLETS);
  }

  @Override
  public List<Worker> workers() {
    return IntStream.range(0, workerCount).mapToObj(i -> worker(i % 2 == 1)).toList();
  }

  /**
   * @param forgets whether it repeatedly becomes a new client
   */
  private Worker worker(boolean forgets) {
    return new Worker() {
      private int client = clients.incrementAndGet();

      @Override
      public boolean step(Store store, Random random) throws Unavailable {
        int key = currentKey();
        if (random.nextInt(5) < 3) {
          read(store, key);
          return true;
        }
        boolean done = write(store, key);
        if (!done) {
          client = clients.incrementAndGet();
        }
        return done;
      }

      @Override
      public boolean wantsNewClient(Random random) {
        return forgets && random.nextInt(STEPS_OF_CLIENT) == 0;
      }

      private void read(Store store, int key) throws Unavailable {
        long invoked = now();
        List<Row> rows = store.read(Reading.strict(TABLE, key));
        if (rows.size() > 1) {
          findings.add("registers: key %d is there more than once: %s", key, rows);
        }
        long value = rows.isEmpty() ? ABSENT : rows.get(0).value();
        histories.get(key).add(RegisterCall.read(client, value, invoked, now()));
      }

      private boolean write(Store store, int key) {
        long value = values.incrementAndGet();
        long invoked = now();
        boolean done = store.upsert(TABLE, List.of(new Row(key, value, client))) == Outcome.DONE;
        histories
            .get(key)
            .add(
                done
                    ? RegisterCall.write(client, value, invoked, now())
                    : RegisterCall.unansweredWrite(client, value, invoked));
        return done;
      }
    };
  }

  private int currentKey() {
    synchronized (histories) {
      if (histories.get(histories.size() - 1).size() >= CALLS_OF_KEY) {
        histories.add(newHistory());
      }
      return histories.size() - 1;
    }
  }

  /** Later than all earlier results, also if the resolution of the clock is too low. */
  private long now() {
    return lastNow.updateAndGet(last -> Math.max(last + 1, System.nanoTime() - start));
  }

  @Override
  public void verify(Store store) {
    histories().forEach(this::judge);
  }

  private void judge(long key, List<RegisterCall> calls) {
    Linearizability.Verdict verdict = Linearizability.judge(calls, ABSENT, BUDGET);
    if (!verdict.isLinearizable()) {
      List<RegisterCall> order = verdict.order();
      findings.add(
          "registers: key %d, %d calls: %s; after %s none of %s fits",
          key,
          calls.size(),
          verdict.kind(),
          order.subList(Math.max(0, order.size() - 5), order.size()),
          verdict.stuck());
    }
  }

  /** All calls, by key. To be called after the workers have ended. */
  public Map<Long, List<RegisterCall>> histories() {
    Map<Long, List<RegisterCall>> byKey = new TreeMap<>();
    for (int key = 0; key < histories.size(); key++) {
      byKey.put((long) key, List.copyOf(histories.get(key)));
    }
    return byKey;
  }

  @Override
  public String summary() {
    return histories.stream().mapToInt(List::size).sum()
        + " calls on "
        + histories.size()
        + " keys";
  }
}
