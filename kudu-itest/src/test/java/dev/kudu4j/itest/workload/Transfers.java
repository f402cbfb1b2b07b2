package dev.kudu4j.itest.workload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.itest.workload.Store.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Transactions over two tables of several tablets. A pair is an account in each table; a
 * transaction sets both accounts of some pairs, to numbers with a fixed sum and to its own mark. So
 * at each snapshot, on any replica, both accounts of a pair have this sum and the same mark, and
 * nobody ever sees the mark of a transaction that was rolled back.
 *
 * <p>All writers use the first pairs. Each of the others belongs to one writer: its mark is that of
 * the writer's last committed transaction, or of a later one with an unknown outcome.
 */
public final class Transfers implements Workload {
  private static final String FIRST = "transfers-a";
  private static final String SECOND = "transfers-b";
  private static final int MIN_SHARED_PAIRS = 6;
  private static final long MONEY = 1_000;

  private final Findings findings;
  private final int writers;
  private final int sharedPairs;
  private final int pairs;
  private final AtomicLong marks = new AtomicLong();
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong unknown = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();

  @GuardedBy("this")
  private final Set<Long> refusedMarks = new HashSet<>();

  /** By pair with one writer: the mark of its last committed transaction. */
  @GuardedBy("this")
  private final Map<Long, Long> committedMarks = new HashMap<>();

  public Transfers(Findings findings, int writers) {
    this.findings = findings;
    this.writers = writers;
    this.sharedPairs = Math.max(MIN_SHARED_PAIRS, writers);
    this.pairs = sharedPairs + writers;
  }

  @Override
  public String name() {
    return "transfers";
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(FIRST, 2);
    store.create(SECOND, 1);
    for (long pair = 0; pair < pairs; pair++) {
      open(store, FIRST, new Row(pair, MONEY, 0));
      open(store, SECOND, new Row(pair, 0, 0));
    }
  }

  private static void open(Store store, String table, Row account) {
    Outcome opened = Outcome.UNKNOWN;
    while (opened != Outcome.DONE) {
      opened = store.upsert(table, List.of(account));
    }
  }

  @Override
  public List<Worker> workers() {
    List<Worker> workers = new ArrayList<>();
    IntStream.range(0, writers)
        .forEach(writer -> workers.add((store, random) -> move(store, random, writer)));
    workers.add(this::look);
    workers.add(this::look);
    return workers;
  }

  private boolean move(Store store, Random random, int writer) {
    long mark = marks.incrementAndGet();
    long own = sharedPairs + writer;
    Set<Long> moved = new HashSet<>(List.of(own));
    for (int i = random.nextInt(3); i > 0; i--) {
      moved.add((long) random.nextInt(sharedPairs));
    }
    Map<String, List<Row>> changes = new TreeMap<>();
    for (long pair : moved) {
      long balance = random.nextInt(2 * (int) MONEY) - MONEY;
      changes.computeIfAbsent(FIRST, t -> new ArrayList<>()).add(new Row(pair, balance, mark));
      changes
          .computeIfAbsent(SECOND, t -> new ArrayList<>())
          .add(new Row(pair, MONEY - balance, mark));
    }
    Outcome outcome = store.transact(changes);
    note(own, mark, outcome);
    return outcome == Outcome.DONE;
  }

  private synchronized void note(long pair, long mark, Outcome outcome) {
    switch (outcome) {
      case DONE -> {
        committed.incrementAndGet();
        committedMarks.put(pair, mark);
      }
      case REFUSED -> {
        refused.incrementAndGet();
        refusedMarks.add(mark);
      }
      default -> unknown.incrementAndGet();
    }
  }

  private synchronized Map<Long, Long> committedMarks() {
    return Map.copyOf(committedMarks);
  }

  private boolean look(Store store, Random random) throws Unavailable {
    long timestamp = store.lastTimestamp();
    if (timestamp == 0) {
      store.read(Reading.strict(FIRST, Reading.ALL)); // gets the time
      return true;
    }
    check(
        timestamp,
        store.read(Reading.snapshot(FIRST, anywhere(random), timestamp)),
        store.read(Reading.snapshot(SECOND, anywhere(random), timestamp)));
    reads.incrementAndGet();
    return true;
  }

  private static Reading.Where anywhere(Random random) {
    return random.nextBoolean() ? Reading.Where.ANY : Reading.Where.LEADER;
  }

  private void check(long timestamp, List<Row> first, List<Row> second) {
    Map<Long, Row> others = new HashMap<>();
    second.forEach(row -> others.put(row.key(), row));
    if (first.size() != pairs || second.size() != pairs) {
      findings.add("transfers: at %d there are %s and %s", timestamp, first, second);
      return;
    }
    for (Row row : first) {
      Row other = others.get(row.key());
      if (row.value() + other.value() != MONEY || row.mark() != other.mark()) {
        findings.add("transfers: at %d pair %d is torn: %s, %s", timestamp, row.key(), row, other);
      }
      synchronized (this) {
        if (refusedMarks.contains(row.mark())) {
          findings.add("transfers: at %d %s was rolled back", timestamp, row);
        }
      }
    }
  }

  @Override
  public void verify(Store store) throws Unavailable {
    Map<Long, Long> last = committedMarks();
    List<Row> first = store.read(Reading.strict(FIRST, Reading.ALL));
    check(Reading.NOW, first, store.read(Reading.strict(SECOND, Reading.ALL)));
    for (Row row : first) {
      if (row.mark() < last.getOrDefault(row.key(), 0L)) {
        findings.add(
            "transfers: %s, and transaction %d was committed later", row, last.get(row.key()));
      }
    }
  }

  @Override
  public String summary() {
    return "%s transactions committed, %s rolled back, %s unknown, %s snapshots read"
        .formatted(committed, refused, unknown, reads);
  }
}
