package dev.kudu4j.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.checkpoint.CheckpointCrashPoints;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.derived.DerivedLayout;
import dev.kudu4j.tablet.derived.DerivedRows;
import dev.kudu4j.tablet.derived.FeedMerge;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.feed.ChangeBatch;
import dev.kudu4j.tablet.feed.FeedRequest;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A derived tablet that is fed with the changes of two base tablets. */
class DerivedTabletTest {
  private static final int KEYS = 40;
  private static final Schema BASE =
      new Schema(
              List.of(
                  ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                  ColumnSchema.builder("part", DataType.STRING).key(true).build(),
                  ColumnSchema.builder("city", DataType.STRING).nullable(true).build(),
                  ColumnSchema.builder("age", DataType.INT32).build(),
                  ColumnSchema.builder("note", DataType.STRING).nullable(true).build(),
                  ColumnSchema.builder("other", DataType.INT64).nullable(true).build()))
          .withFreshIds();
  private static final int CITY = 2;
  private static final int AGE = 3;
  private static final int NOTE = 4;

  /** An index on (city, age) with the column note. */
  private static final DerivedLayout LAYOUT = DerivedLayout.of(BASE, ids(CITY, AGE), ids(NOTE));

  /** The key is city, terminated by two bytes, age, id and part. */
  private static final int MAX_KEY_BYTES = 30;

  private static final int LONGEST_CITY = MAX_KEY_BYTES - 2 - 4 - 4 - 2;
  private static final String TOO_LONG = "c".repeat(LONGEST_CITY + 1);

  private static List<Integer> ids(int... columns) {
    return Arrays.stream(columns).mapToObj(i -> BASE.column(i).id()).toList();
  }

  @Test
  void theKeyIsTheIndexedColumnsAndTheRestOfTheKey() {
    assertThat(LAYOUT.schema().columns())
        .extracting(ColumnSchema::name)
        .containsExactly("city", "age", "id", "part", "note");
    assertThat(LAYOUT.schema().keyColumnCount()).isEqualTo(4);
    assertThat(LAYOUT.schema().column(0).isNullable()).isFalse();
    assertThat(LAYOUT.schema().column(4).isNullable()).isTrue();
    assertThat(LAYOUT.schema().column(1).id()).isEqualTo(BASE.column(AGE).id());
    Schema part = DerivedLayout.of(BASE, ids(1, 0), List.of()).schema();
    assertThat(part.columns()).extracting(ColumnSchema::name).containsExactly("part", "id");
  }

  @Test
  void columnsThatKeysCannotContainAreRefused() {
    Schema base =
        new Schema(
                List.of(
                    ColumnSchema.builder("id", DataType.INT32).key(true).build(),
                    ColumnSchema.builder("weight", DataType.DOUBLE).build()))
            .withFreshIds();
    int weight = base.column(1).id();
    assertThatThrownBy(() -> DerivedLayout.of(base, List.of(weight), List.of()))
        .hasMessageContaining("weight");
    assertThat(DerivedLayout.of(base, List.of(base.column(0).id()), List.of(weight)).schema())
        .satisfies(schema -> assertThat(schema.columnCount()).isEqualTo(2));
  }

  @Test
  void aTabletThatIsNotDerivedTakesNoFeed() throws IOException {
    try (TabletHarness plain = new TabletHarness(BASE, TabletOptions.DEFAULT)) {
      assertThatThrownBy(
              () -> plain.feed(new FedRows(FeedMark.NOTHING, FeedMark.NOTHING, List.of())))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION));
    }
  }

  @Test
  void writesAreRefused() throws IOException {
    try (TabletHarness derived = derived()) {
      RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(LAYOUT.schema()));
      rows.begin(OperationType.UPSERT).setString(0, "city").setInt(1, 1).setInt(2, 2);
      rows.setString(3, "p").end();
      int[] ids = LAYOUT.schema().columns().stream().mapToInt(ColumnSchema::id).toArray();
      assertThat(
              derived.write(List.of(new WriteRequest(null, 1, ids, rows.copy()))).get(0).errors())
          .singleElement()
          .satisfies(error -> assertThat(error.code()).isEqualTo(StatusCode.NOT_AUTHORIZED));
      assertThat(derived.tablet().latestSnapshot()).isZero();
    }
  }

  @Test
  void rowsWhoseKeyWouldBeTooLongAreLeftOut() throws IOException {
    String longest = "c".repeat(LONGEST_CITY);
    String escaped = "c".repeat(LONGEST_CITY - 4) + "\0\0"; // a zero takes two bytes in the key
    try (TabletHarness base = new TabletHarness(BASE, TabletOptions.DEFAULT);
        TabletHarness derived = derived()) {
      List<Integer> counts = new ArrayList<>();
      for (String city : List.of(TOO_LONG, longest, TOO_LONG, escaped, escaped + "c", longest)) {
        writeCity(base, city);
      }
      FeedMerge merge = new FeedMerge(List.of("0"), FeedMark.NOTHING);
      read(base, "0", base.nextTimestamp(), 100, merge);
      derived.feed(merge.next(1 << 20));
      for (long time = base.nextTimestamp() - 5; time <= base.nextTimestamp(); time++) {
        counts.add(rows(derived, LAYOUT.schema(), time).size());
      }
      assertThat(counts).containsExactly(0, 1, 0, 1, 0, 1);
    }
  }

  private static void writeCity(TabletHarness base, String city) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(BASE));
    rows.begin(OperationType.UPSERT).setInt(0, 1).setString(1, "p0").setString(CITY, city);
    rows.setInt(AGE, 1).end();
    write(base, rows);
  }

  private static TabletHarness derived() throws IOException {
    return new TabletHarness(
        LAYOUT.schema(),
        new TabletOptions(256 << 10, 32L << 20, 4096, 1 << 20, 64 << 10, MAX_KEY_BYTES),
        Map.of(TabletDescriptor.DERIVED, FeedMark.NOTHING.toBytes()));
  }

  /**
   * Any history of the base tablets, cut anywhere, with flushes, compactions and crashes at any
   * time, also while the tablet is fed: a scan of the derived tablet has at each time what the base
   * had.
   */
  @Property(tries = 150)
  void isTheBaseAtEachTime(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    try (TabletHarness one = new TabletHarness(BASE, TabletOptions.DEFAULT);
        TabletHarness other = new TabletHarness(BASE, TabletOptions.DEFAULT);
        TabletHarness derived = derived()) {
      List<TabletHarness> base = List.of(one, other);
      for (int step = 0; step < 80; step++) {
        int tablet = random.nextInt(2);
        switch (random.nextInt(10)) {
          case 0 -> base.get(tablet).tablet().flush();
          case 1, 2 -> changeStoreAndFeed(base, derived, random);
          case 3 -> alterOrCrash(derived, random);
          case 4, 5 -> feed(base, derived, random);
          default -> write(base.get(tablet), tablet * KEYS, random);
        }
        base.get(tablet).advanceClock(random.nextInt(3));
      }
      feed(base, derived, random);
      demandSame(base, derived, random);
      derived.tablet().maintenance().compactFully(0);
      demandSame(base, derived, random);
      derived.restart();
      demandSame(base, derived, random);
    }
  }

  private static void demandSame(List<TabletHarness> base, TabletHarness derived, Random random)
      throws IOException {
    long complete = derived.tablet().latestSnapshot();
    demandSameAt(complete, base, derived);
    for (int i = 0; i < 10; i++) {
      demandSameAt((long) (random.nextDouble() * complete), base, derived);
    }
  }

  private static void demandSameAt(long snapshot, List<TabletHarness> base, TabletHarness derived)
      throws IOException {
    assertThat(rows(derived, LAYOUT.schema(), snapshot))
        .as("at %d of %d", snapshot, derived.tablet().latestSnapshot())
        .containsExactlyElementsOf(expected(base, snapshot));
  }

  private static void alterOrCrash(TabletHarness derived, Random random) throws IOException {
    if (random.nextBoolean()) {
      derived.alter(LAYOUT.schema(), "name " + random.nextInt());
    } else {
      derived.crash(random.nextBoolean() ? random : null);
    }
  }

  /**
   * Flushes or compacts the tablet, and feeds it meanwhile. The entries are small, so changes of
   * one timestamp come before, during and after it. Sometimes the machine then loses power.
   */
  private static void changeStoreAndFeed(
      List<TabletHarness> base, TabletHarness derived, Random random) throws IOException {
    List<String> points = CheckpointCrashPoints.OF_CHANGE;
    String where = points.get(random.nextInt(points.size()));
    boolean crashes = random.nextInt(4) == 0;
    feedEntries(random.nextInt(4), base, derived, random);
    derived.atCrashPoint(
        point -> {
          if (point.equals(where)) {
            feedEntries(1 + random.nextInt(4), base, derived, random);
            if (crashes) {
              throw new SimulatedCrash(point);
            }
          }
        });
    try {
      changeStore(derived.tablet(), random);
    } catch (SimulatedCrash expected) {
      derived.crash(random);
    }
    derived.atCrashPoint(null);
  }

  private static void changeStore(Tablet derived, Random random) throws IOException {
    switch (random.nextInt(6)) {
      case 0, 1, 2 -> derived.flush();
      case 3, 4 -> derived.maintenance().compactRowSets(someRowSets(derived, random), 0);
      default -> derived.maintenance().compactFully(0);
    }
  }

  private static List<Long> someRowSets(Tablet tablet, Random random) {
    Components now = tablet.pinComponents();
    try {
      return now.rowSets().stream()
          .map(DiskRowSet::id)
          .filter(id -> random.nextInt(3) > 0)
          .toList();
    } finally {
      now.unpin();
    }
  }

  private static void write(TabletHarness base, int firstKey, Random random) {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(BASE));
    List<OperationType> types =
        List.of(OperationType.UPSERT, OperationType.UPSERT, OperationType.DELETE_IGNORE);
    for (int i = random.nextInt(random.nextInt(4) == 0 ? KEYS : 6); i >= 0; i--) {
      OperationType type = types.get(random.nextInt(types.size()));
      rows.begin(type)
          .setInt(0, firstKey + random.nextInt(KEYS))
          .setString(1, "p" + random.nextInt(2));
      if (type == OperationType.UPSERT) {
        setText(rows, CITY, random.nextInt(8) == 0 ? TOO_LONG : city(random), random);
        rows.setInt(AGE, random.nextInt(3));
        setText(rows, NOTE, "note" + random.nextInt(3), random);
        rows.setLong(5, random.nextLong());
      }
      rows.end();
    }
    write(base, rows);
  }

  private static void write(TabletHarness base, RowOperationsWriter rows) {
    int[] ids = BASE.columns().stream().mapToInt(ColumnSchema::id).toArray();
    base.write(List.of(new WriteRequest(null, 1, ids, rows.packed())));
  }

  private static String city(Random random) {
    return "city" + random.nextInt(4);
  }

  private static void setText(RowOperationsWriter rows, int column, String text, Random random) {
    if (random.nextInt(5) == 0) {
      rows.setNull(column);
    } else {
      rows.setString(column, text);
    }
  }

  /** Feeds the derived tablet up to a random time, in entries of random size. */
  private static void feed(List<TabletHarness> base, TabletHarness derived, Random random) {
    feedEntries(Integer.MAX_VALUE, base, derived, random);
  }

  private static void feedEntries(
      int maxEntries, List<TabletHarness> base, TabletHarness derived, Random random) {
    int entries = 0;
    FeedMark mark = derived.tablet().descriptor().feedMark();
    FeedMerge merge = new FeedMerge(List.of("0", "1"), mark);
    long latest = base.stream().mapToLong(TabletHarness::nextTimestamp).min().orElseThrow();
    if (mark.complete() >= latest) {
      return;
    }
    long end = mark.complete() + 1 + (long) (random.nextDouble() * (latest - mark.complete()));
    while (merge.mark().complete() < end && entries < maxEntries) {
      int tablet = random.nextInt(2);
      read(base.get(tablet), "" + tablet, end, 1 + random.nextInt(20), merge);
      for (FedRows rows = merge.next(1 + random.nextInt(200));
          rows != null;
          rows = merge.next(1 + random.nextInt(200))) {
        derived.feed(rows);
        if (random.nextInt(5) == 0) {
          derived.feed(rows); // by an earlier leader
        }
        if (++entries == maxEntries || random.nextInt(20) == 0) {
          return; // the next leader goes on
        }
      }
    }
  }

  private static void read(
      TabletHarness base, String id, long end, int maxChanges, FeedMerge merge) {
    Schema projection = LAYOUT.projectionOf(BASE);
    try (ChangeBatch changes = new ChangeBatch(base.environment().scans(), projection)) {
      base.tablet()
          .readChanges(
              new FeedRequest(projection, merge.position(id), end, maxChanges, 1 << 20), changes);
      DerivedRows.Limits limits = new DerivedRows.Limits(MAX_KEY_BYTES, 1 + maxChanges * 5);
      merge.received(id, new DerivedRows(LAYOUT, 1, limits).of(changes), changes.next());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> expected(List<TabletHarness> base, long snapshot) throws IOException {
    List<String> rows = new ArrayList<>();
    for (TabletHarness tablet : base) {
      rows.addAll(rows(tablet, LAYOUT.projectionOf(BASE), snapshot));
    }
    rows.removeIf(row -> row.startsWith(BASE.column(CITY).id() + "=null"));
    String tooLong = Arrays.toString(TOO_LONG.getBytes(StandardCharsets.UTF_8));
    rows.removeIf(row -> row.contains(tooLong));
    rows.sort(null);
    return rows;
  }

  /** The rows as text, in the order of the text. */
  private static List<String> rows(TabletHarness tablet, Schema projection, long snapshot)
      throws IOException {
    try (TabletScanner scanner = tablet.tablet().scan(TabletScanText.spec(projection, snapshot))) {
      List<String> rows = TabletScanText.drain(scanner, projection, tablet.environment().scans());
      rows.sort(null);
      return rows;
    }
  }
}
