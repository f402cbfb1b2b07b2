package dev.kudu4j.itest.workload;

import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows are inserted, updated, deleted and inserted again, each by one client only. So that client
 * knows the current state of each of its rows, and the state at the time of each change: a strict
 * read, and a snapshot at any replica, must return exactly this. No change misses an existing row,
 * or finds a deleted one.
 *
 * <p>A client follows the changes of the table, and has in the end the rows that a read returns.
 *
 * <p>A change without a response may take effect later. So its row is not used again; at the end it
 * has the state before or after the change.
 */
public final class Lives implements Workload {
  private static final String TABLE = "lives";
  private static final int TABLETS = 2;
  private static final int ROWS_OF_WORKER = 10;
  private static final int REMEMBERED = 40;

  /** Stands for a row that does not exist. */
  private static final Row NONE = new Row(Long.MIN_VALUE, 0, 0);

  private final Findings findings;
  private final int workerCount;
  private final Map<Long, Set<Row>> possible = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong followed = new AtomicLong();
  private final Follower follower = new Follower();

  /** The state of a row at a time. */
  private record Moment(long timestamp, long key, Row row) {}

  public Lives(Findings findings, int workerCount) {
    this.findings = findings;
    this.workerCount = workerCount;
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
    List<Worker> workers = new ArrayList<>();
    IntStream.range(0, workerCount).forEach(i -> workers.add(new Owner(i)));
    workers.add(follower);
    return workers;
  }

  /**
   * Follows the changes of the table, with a client that is often replaced by another one. Each
   * change continues what is known of its row, so none is missing, repeated or out of order.
   */
  private final class Follower implements Worker {
    private final Map<Long, Row> rows = new HashMap<>();
    private String position = "";

    @Override
    public boolean step(Store store, Random random) throws Unavailable {
      follow(store, false);
      return true;
    }

    void follow(Store store, boolean toNow) throws Unavailable {
      Store.Changes next = store.follow(TABLE, position, toNow);
      for (Store.Change change : next.changes()) {
        apply(change.before(), change.after());
      }
      followed.addAndGet(next.changes().size());
      position = next.position();
    }

    private void apply(@Nullable Row before, @Nullable Row after) {
      Row one = after != null ? after : before;
      if (one == null || Objects.equals(before, after)) {
        findings.add("lives: a change of nothing: %s -> %s", before, after);
        return;
      }
      Row known = after == null ? rows.remove(one.key()) : rows.put(one.key(), after);
      if (!Objects.equals(known, before)) {
        findings.add("lives: %s changes to %s, but before it was %s", before, after, known);
      }
    }

    @Override
    public long restMillis() {
      return 100;
    }

    @Override
    public boolean wantsNewClient(Random random) {
      return random.nextInt(20) == 0;
    }
  }

  private final class Owner implements Worker {
    private final List<Long> keys = new ArrayList<>();
    private final Map<Long, Row> rows = new HashMap<>();
    private final List<Moment> moments = new ArrayList<>();
    private long nextKey;
    private long nextValue;

    Owner(int number) {
      nextKey = (long) number << 40;
      for (int i = 0; i < ROWS_OF_WORKER; i++) {
        keys.add(nextKey++);
      }
    }

    @Override
    public boolean step(Store store, Random random) throws Unavailable {
      int place = random.nextInt(ROWS_OF_WORKER);
      long key = keys.get(place);
      switch (random.nextInt(4)) {
        case 0 -> look(store, key);
        case 1 -> lookBack(store, random);
        default -> {
          return change(store, random, place);
        }
      }
      return true;
    }

    private void look(Store store, long key) throws Unavailable {
      Row found = only(key, store.read(Reading.strict(TABLE, key)));
      Row expected = rows.getOrDefault(key, NONE);
      if (!found.equals(expected)) {
        findings.add("lives: row %d is %s and should be %s", key, text(found), text(expected));
      }
    }

    private void lookBack(Store store, Random random) throws Unavailable {
      if (moments.isEmpty()) {
        return;
      }
      Moment then = moments.get(random.nextInt(moments.size()));
      Row found =
          only(then.key(), store.read(Reading.snapshot(TABLE, then.key(), then.timestamp())));
      if (!found.equals(then.row())) {
        findings.add(
            "lives: at %d row %d is read as %s and was %s",
            then.timestamp(), then.key(), text(found), text(then.row()));
      }
    }

    /**
     * Inserts a row that does not exist; updates or deletes one that does.
     *
     * @param place of its key
     */
    private boolean change(Store store, Random random, int place) {
      long key = keys.get(place);
      Row before = rows.getOrDefault(key, NONE);
      boolean dies = !before.equals(NONE) && random.nextInt(4) == 0;
      Row after =
          dies ? NONE : new Row(key, ++nextValue, before.equals(NONE) ? nextValue : before.mark());
      possible.put(key, Set.of(before, after));
      changes.incrementAndGet();
      Outcome outcome = send(store, key, before, after);
      note(store, random, place, outcome, after);
      return outcome == Outcome.DONE;
    }

    private Outcome send(Store store, long key, Row before, Row after) {
      if (before.equals(NONE)) {
        return store.insert(TABLE, List.of(after)).get(0);
      }
      return after.equals(NONE)
          ? store.delete(TABLE, key)
          : store.update(TABLE, key, after.value());
    }

    private void note(Store store, Random random, int place, Outcome outcome, Row after) {
      long key = keys.get(place);
      switch (outcome) {
        case DONE -> {
          rows.put(key, after);
          possible.put(key, Set.of(after));
          remember(new Moment(store.lastTimestamp() + 1, key, after), random);
        }
        case UNKNOWN -> {} // not used again
        case PRESENT -> findings.add("lives: row %d was there before its insert", key);
        case ABSENT -> findings.add("lives: row %d is gone and was to be %s", key, text(after));
      }
      if (outcome != Outcome.DONE) {
        keys.set(place, nextKey++);
      }
    }

    private void remember(Moment moment, Random random) {
      if (moments.size() < REMEMBERED) {
        moments.add(moment);
      } else {
        moments.set(random.nextInt(REMEMBERED), moment);
      }
    }

    private Row only(long key, List<Row> found) {
      reads.incrementAndGet();
      if (found.size() > 1) {
        findings.add("lives: row %d is there more than once: %s", key, found);
      }
      return found.isEmpty() ? NONE : found.get(0);
    }
  }

  private static String text(Row row) {
    return row.equals(NONE) ? "gone" : row.toString();
  }

  @Override
  public void verify(Store store) throws Unavailable {
    Map<Long, Row> found = new HashMap<>();
    for (Row row : store.read(Reading.strict(TABLE, Reading.ALL))) {
      if (found.put(row.key(), row) != null) {
        findings.add("lives: %s is there twice", row);
      } else if (!possible.containsKey(row.key())) {
        findings.add("lives: %s, which nobody inserted", row);
      }
    }
    verifyFollower(store, found);
    possible.forEach(
        (key, states) -> {
          Row row = found.getOrDefault(key, NONE);
          if (!states.contains(row)) {
            findings.add(
                "lives: in the end row %d is %s, not %s",
                key, text(row), states.stream().map(Lives::text).toList());
          }
        });
  }

  /** Changes without a response may take effect meanwhile; what both have read must agree. */
  private void verifyFollower(Store store, Map<Long, Row> found) throws Unavailable {
    follower.follow(store, true);
    found.forEach(
        (key, row) -> {
          Set<Row> states = possible.getOrDefault(key, Set.of());
          Row followedRow = follower.rows.getOrDefault(key, NONE);
          if (!followedRow.equals(row) && states.size() < 2) {
            findings.add("lives: row %d is %s, and by its changes %s", key, row, text(followedRow));
          }
        });
    for (long key : follower.rows.keySet()) {
      if (!found.containsKey(key) && possible.getOrDefault(key, Set.of()).size() < 2) {
        findings.add("lives: row %d is gone, and by its changes it is not", key);
      }
    }
  }

  @Override
  public String summary() {
    long doubtful = possible.values().stream().filter(states -> states.size() > 1).count();
    return String.format(
        "%s changes, %s reads, %s changes followed; %d rows in doubt",
        changes, reads, followed, doubtful);
  }
}
