package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random batches over three tablets of two tables, with crashes at each named point of a checkpoint
 * and between the steps of a commit. At random snapshots the tablets read like a model, in which a
 * batch takes effect in all tablets at its commit timestamp.
 */
class BatchesOverTabletsTest {
  private static final Logger LOG = LoggerFactory.getLogger(BatchesOverTabletsTest.class);
  private static final int STEPS = 1_500;
  private static final int KEYS = 40;
  private static final long FIRST_TIMESTAMP = 1_000;

  private static Schema schema(String value) {
    return new Schema(
        List.of(
            ColumnSchema.builder("key", DataType.INT32).key(true).id(0).build(),
            ColumnSchema.builder(value, DataType.INT32).id(1).build()));
  }

  /** A tablet, and what it should contain. */
  private static final class Subject {
    private final TabletHarness harness;

    /** By key: the value at each timestamp, null if the row was deleted. */
    private final Map<Integer, TreeMap<Long, Integer>> versions = new TreeMap<>();

    /** Keys of transactions that have not ended. */
    private final Set<Integer> held = new HashSet<>();

    Subject(Schema schema) throws IOException {
      this.harness = new TabletHarness(schema, TabletOptions.DEFAULT);
    }

    void changed(long timestamp, Map<Integer, Integer> changes) {
      changes.forEach(
          (key, value) ->
              versions.computeIfAbsent(key, k -> new TreeMap<>()).put(timestamp, value));
    }

    Map<Integer, Integer> expected(long snapshot) {
      Map<Integer, Integer> rows = new TreeMap<>();
      versions.forEach(
          (key, values) -> {
            Map.Entry<Long, Integer> last = values.lowerEntry(snapshot);
            if (last != null && last.getValue() != null) {
              rows.put(key, last.getValue());
            }
          });
      return rows;
    }

    Map<Integer, Integer> read(long snapshot) throws IOException {
      Schema schema = harness.tablet().schema();
      Map<Integer, Integer> rows = new TreeMap<>();
      try (TabletScanner scanner = harness.tablet().scan(TabletScanText.spec(schema, snapshot));
          ColumnBatch batch = new ColumnBatch(harness.environment().allocator(), schema)) {
        boolean more = true;
        while (more) {
          batch.clear();
          more = scanner.next(batch, 1 << 10);
          for (int row = 0; row < batch.rowCount(); row++) {
            rows.put(
                Memory.getInt(batch.column(0).cellAddress(row)),
                Memory.getInt(batch.column(1).cellAddress(row)));
          }
        }
      }
      return rows;
    }
  }

  /** A transaction that has not ended. */
  private static final class Open {
    private final long id;
    private final Map<Subject, Map<Integer, Integer>> changes;
    private final Set<Subject> prepared = new HashSet<>();
    private long commitTimestamp;

    Open(long id, Map<Subject, Map<Integer, Integer>> changes) {
      this.id = id;
      this.changes = changes;
    }
  }

  private final long seed = Long.getLong("tablet.batches.seed", new Random().nextLong());
  private final Random random = new Random(seed);
  private final List<Subject> subjects = new ArrayList<>();
  private final List<Open> open = new ArrayList<>();
  private final Set<String> crashed = new HashSet<>();
  private long lastId;
  private int committed;
  private int aborted;
  private int value;

  @Test
  void batchesAreSeenWholeAtEverySnapshot() throws IOException {
    LOG.info("-Dtablet.batches.seed={}", seed);
    Schema first = schema("count");
    for (Schema schema : List.of(first, first, schema("amount"))) {
      subjects.add(new Subject(schema));
    }
    for (int step = 0; step < STEPS; step++) {
      step();
    }
    while (!open.isEmpty()) {
      end();
    }
    compare(latest());
    subjects.forEach(subject -> subject.harness.close());
    assertThat(committed).isGreaterThan(STEPS / 20);
    assertThat(aborted).isPositive();
    List<String> points = new ArrayList<>(CheckpointCrashPoints.OF_CHANGE);
    points.remove(CheckpointCrashPoints.BEFORE_INDEX_SYNC); // the tables have no index
    assertThat(crashed).as("seed %d", seed).containsAll(points);
  }

  private void step() throws IOException {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> stage();
      case 3, 4 -> plainWrite(any());
      case 5, 6 -> {
        if (!open.isEmpty()) {
          end();
        }
      }
      case 7 -> crashWhileFilesAreWritten(any());
      case 8 -> any().harness.tablet().flush();
      default -> compare(FIRST_TIMESTAMP + random.nextLong(latest() - FIRST_TIMESTAMP + 1));
    }
  }

  private Subject any() {
    return subjects.get(random.nextInt(subjects.size()));
  }

  /** Changes of some keys that no transaction holds. */
  private Map<Integer, Integer> changes(Subject subject) {
    Map<Integer, Integer> changes = new TreeMap<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int key = random.nextInt(KEYS);
      if (!subject.held.contains(key)) {
        changes.put(key, random.nextInt(4) == 0 ? null : ++value);
      }
    }
    return changes;
  }

  private static byte[] cell(int number) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static void write(Subject subject, long transaction, Map<Integer, Integer> changes) {
    List<RowOp> rows = new ArrayList<>();
    changes.forEach(
        (key, value) ->
            rows.add(
                value == null
                    ? new RowOp(OperationType.DELETE_IGNORE, Map.of(0, cell(key)))
                    : new RowOp(OperationType.UPSERT, Map.of(0, cell(key), 1, cell(value)))));
    Schema schema = subject.harness.tablet().schema();
    List<RequestResult> results =
        subject.harness.write(List.of(RowOp.request(null, transaction, 0, 1, schema, rows)));
    assertThat(results.get(0).errors()).isEmpty();
  }

  private void plainWrite(Subject subject) {
    long timestamp = subject.harness.nextTimestamp();
    Map<Integer, Integer> changes = changes(subject);
    if (changes.isEmpty() || timestamp >= lowestReserved(subject)) {
      return; // a leader lets such a write wait
    }
    write(subject, WriteRequest.NO_TRANSACTION, changes);
    subject.changed(timestamp, changes);
  }

  private long lowestReserved(Subject subject) {
    return open.stream()
        .filter(each -> each.prepared.contains(subject))
        .mapToLong(each -> each.commitTimestamp)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /** Begins a transaction in some tablets. */
  private void stage() {
    Map<Subject, Map<Integer, Integer>> changes = new LinkedHashMap<>();
    for (Subject subject : subjects) {
      if (random.nextInt(3) > 0 && subject.harness.nextTimestamp() < lowestReserved(subject)) {
        Map<Integer, Integer> own = changes(subject);
        if (!own.isEmpty()) {
          changes.put(subject, own);
        }
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    Open transaction = new Open(++lastId, changes);
    changes.forEach(
        (subject, own) -> {
          write(subject, transaction.id, own);
          subject.held.addAll(own.keySet());
        });
    open.add(transaction);
  }

  /** Takes the next step of a transaction; prepared ones end in the order of their timestamps. */
  private void end() throws IOException {
    Open first =
        open.stream()
            .filter(each -> !each.prepared.isEmpty())
            .min(Comparator.comparingLong(each -> each.commitTimestamp))
            .orElse(null);
    if (first == null || (random.nextBoolean() && prepareAnother())) {
      if (first == null) {
        prepareAnother();
      }
      return;
    }
    boolean commits = first.prepared.size() == first.changes.size() && random.nextInt(6) > 0;
    finish(first, commits);
  }

  /** Prepares a transaction in some or all of its tablets, at a timestamp that is still to come. */
  private boolean prepareAnother() throws IOException {
    Open next = open.stream().filter(each -> each.prepared.isEmpty()).findAny().orElse(null);
    if (next == null
        || next.changes.keySet().stream()
            .anyMatch(subject -> subject.harness.nextTimestamp() + 1 >= lowestReserved(subject))) {
      return false;
    }
    long highest =
        open.stream().mapToLong(each -> each.commitTimestamp).max().orElse(FIRST_TIMESTAMP);
    for (Subject subject : next.changes.keySet()) {
      highest = Math.max(highest, subject.harness.nextTimestamp());
    }
    next.commitTimestamp = highest + 20 + random.nextInt(100);
    List<Subject> order = new ArrayList<>(next.changes.keySet());
    Collections.shuffle(order, random);
    int reached = random.nextInt(5) == 0 ? random.nextInt(order.size()) + 1 : order.size();
    for (Subject subject : order.subList(0, reached)) {
      crashSometimes();
      assertThat(subject.harness.prepare(next.id, next.commitTimestamp).get(0).errors()).isEmpty();
      next.prepared.add(subject);
    }
    return true;
  }

  private void finish(Open transaction, boolean commits) throws IOException {
    List<Subject> order = new ArrayList<>(transaction.changes.keySet());
    Collections.shuffle(order, random);
    for (Subject subject : order) {
      crashSometimes();
      if (commits) {
        subject.harness.commit(transaction.id, transaction.commitTimestamp);
      } else {
        boolean reserved = transaction.prepared.contains(subject);
        subject.harness.abort(transaction.id, reserved ? transaction.commitTimestamp : 0);
      }
    }
    open.remove(transaction);
    transaction.changes.forEach(
        (subject, own) -> {
          subject.held.removeAll(own.keySet());
          if (commits) {
            subject.changed(transaction.commitTimestamp, own);
          }
        });
    committed += commits ? 1 : 0;
    aborted += commits ? 0 : 1;
    compare(latest());
  }

  private void crashSometimes() throws IOException {
    if (random.nextInt(6) == 0) {
      any().harness.crash(random.nextBoolean() ? random : null);
    }
  }

  private void crashWhileFilesAreWritten(Subject subject) throws IOException {
    List<String> points = CheckpointCrashPoints.OF_CHANGE;
    String where = points.get(random.nextInt(points.size()));
    subject.harness.atCrashPoint(
        point -> {
          if (point.equals(where)) {
            crashed.add(point);
            throw new SimulatedCrash(point);
          }
        });
    try {
      subject.harness.tablet().flush();
      subject.harness.tablet().maintenance().compactFully(0);
    } catch (SimulatedCrash expected) {
      // the process is dead
    }
    subject.harness.crash(random.nextBoolean() ? random : null);
  }

  /** The latest snapshot that all tablets can read: above it, entries may still come. */
  private long latest() {
    long latest = Long.MAX_VALUE;
    for (Subject subject : subjects) {
      latest = Math.min(latest, subject.harness.nextTimestamp());
      latest = Math.min(latest, lowestReserved(subject));
    }
    return latest;
  }

  private void compare(long snapshot) throws IOException {
    for (Subject subject : subjects) {
      assertThat(subject.read(snapshot))
          .as("seed %d, tablet %d at %d", seed, subjects.indexOf(subject), snapshot)
          .isEqualTo(subject.expected(snapshot));
    }
  }
}
