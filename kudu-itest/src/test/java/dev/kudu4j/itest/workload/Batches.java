package dev.kudu4j.itest.workload;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Producers that commit numbered batches. Batch n of a producer adds the row n to two tables and
 * sets the producer's head to n. So at each snapshot, on any replica, both tables have the rows 1
 * to n of a producer, for some n, which is its head; and n never falls.
 */
public final class Batches implements Workload {
  private static final String FIRST = "batches-a";
  private static final String SECOND = "batches-b";
  private static final int PRODUCERS = 2;

  /** Keys of a producer: its head is the first, its batches follow. */
  private static final long KEYS = 1L << 32;

  private final Findings findings;
  private final AtomicLongArray committed = new AtomicLongArray(PRODUCERS);
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();

  public Batches(Findings findings) {
    this.findings = findings;
  }

  @Override
  public String name() {
    return "batches";
  }

  @Override
  public void prepare(Store store) throws Unavailable {
    store.create(FIRST, 2);
    store.create(SECOND, 1);
  }

  @Override
  public List<Worker> workers() {
    List<Worker> workers = new ArrayList<>();
    IntStream.range(0, PRODUCERS)
        .forEach(producer -> workers.add((store, random) -> produce(store, producer)));
    long[] seen = new long[PRODUCERS];
    workers.add((store, random) -> look(store, random, seen));
    return workers;
  }

  private boolean produce(Store store, int producer) {
    try {
      long number = store.commitNext("producer-" + producer, n -> rows(producer, n));
      if (number <= committed.get(producer)) {
        findings.add("batches: batch %d of %d was committed twice", number, producer);
      }
      committed.set(producer, number);
      return true;
    } catch (Unavailable e) {
      failures.incrementAndGet();
      return false;
    }
  }

  private static Map<String, List<Row>> rows(int producer, long number) {
    Row head = new Row(producer * KEYS, number, producer);
    Row row = new Row(producer * KEYS + number, number, producer);
    return Map.of(FIRST, List.of(head, row), SECOND, List.of(row));
  }

  /**
   * @param seen the heads that this reader has seen; its snapshots are ever newer
   */
  private boolean look(Store store, Random random, long[] seen) throws Unavailable {
    long timestamp = store.lastTimestamp();
    if (timestamp == 0) {
      store.read(Reading.strict(SECOND, Reading.ALL)); // gets the time
      Arrays.fill(seen, 0); // another client, whose time may be earlier
      return true;
    }
    Reading.Where where = random.nextBoolean() ? Reading.Where.ANY : Reading.Where.LEADER;
    long[] heads =
        check(
            timestamp,
            store.read(Reading.snapshot(FIRST, where, timestamp)),
            store.read(Reading.snapshot(SECOND, Reading.Where.ANY, timestamp)));
    for (int producer = 0; producer < PRODUCERS; producer++) {
      if (heads[producer] < seen[producer]) {
        findings.add(
            "batches: at %d the head of producer %d falls from %d to %d",
            timestamp, producer, seen[producer], heads[producer]);
      }
      seen[producer] = heads[producer];
    }
    reads.incrementAndGet();
    return true;
  }

  /** Returns the heads of the producers. */
  private long[] check(long timestamp, List<Row> first, List<Row> second) {
    long[] heads = new long[PRODUCERS];
    for (int producer = 0; producer < PRODUCERS; producer++) {
      long head = head(first, producer);
      Set<Long> expected =
          LongStream.rangeClosed(1, head).boxed().collect(Collectors.toCollection(HashSet::new));
      if (!numbers(first, producer).equals(expected)
          || !numbers(second, producer).equals(expected)) {
        findings.add(
            "batches: at %d producer %d has the head %d, and the batches %s and %s",
            timestamp, producer, head, numbers(first, producer), numbers(second, producer));
      }
      heads[producer] = head;
    }
    return heads;
  }

  private static long head(List<Row> rows, long producer) {
    return rows.stream()
        .filter(row -> row.key() == producer * KEYS)
        .mapToLong(Row::value)
        .findAny()
        .orElse(0);
  }

  private static Set<Long> numbers(List<Row> rows, long producer) {
    return rows.stream()
        .filter(row -> row.key() / KEYS == producer && row.key() % KEYS != 0)
        .map(Row::value)
        .collect(Collectors.toSet());
  }

  @Override
  public void verify(Store store) throws Unavailable {
    List<Row> first = store.read(Reading.strict(FIRST, Reading.ALL));
    long[] heads = check(Reading.NOW, first, store.read(Reading.strict(SECOND, Reading.ALL)));
    for (int producer = 0; producer < PRODUCERS; producer++) {
      if (heads[producer] < committed.get(producer)) {
        findings.add(
            "batches: the head of producer %d is %d, and batch %d was committed",
            producer, heads[producer], committed.get(producer));
      }
    }
  }

  @Override
  public String summary() {
    return "batches %s committed, %s failed, %s snapshots read"
        .formatted(committed, failures, reads);
  }
}
