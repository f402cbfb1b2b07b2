package dev.kudu4j.tablet.derived;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.feed.FeedPosition;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class FeedMergeTest {
  private static final RowLayout LAYOUT =
      new RowLayout(List.of(DataType.INT64), new boolean[] {false});

  /** A row of a source: its number says which one it is. */
  private record Row(long timestamp, byte key, long number) {}

  private static FedRows.Group group(long timestamp, List<Row> rows) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    rows.forEach(row -> writer.begin(OperationType.UPSERT).setLong(0, row.number).end());
    return new FedRows.Group(timestamp, new WriteRequest(null, 1, new int[] {0}, writer.copy()));
  }

  /** Any rows, read in pieces of any size, by leaders that come and go: each is added once. */
  @Property(tries = 500)
  void addsEachRowOnceAndInOrder(@ForAll long seed) {
    Random random = new Random(seed);
    Map<String, List<Row>> sources = new TreeMap<>();
    long number = 0;
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      List<Row> rows = new ArrayList<>();
      long timestamp = 1;
      for (int t = random.nextInt(8); t > 0; t--) {
        timestamp += 1 + random.nextInt(3);
        for (byte key = (byte) random.nextInt(4); key >= 0; key--) {
          rows.add(new Row(timestamp, (byte) (10 - key), number++));
        }
      }
      sources.put("tablet " + i, rows);
    }
    List<Row> added = new ArrayList<>();
    FeedMark mark = FeedMark.NOTHING;
    FeedMerge merge = new FeedMerge(List.copyOf(sources.keySet()), mark);
    long end = 40;
    for (int step = 0; mark.complete() < end; step++) {
      assertThat(step).isLessThan(10_000);
      String id = List.copyOf(sources.keySet()).get(random.nextInt(sources.size()));
      read(merge, id, sources.get(id), random, end);
      FedRows entry = merge.next(1 + random.nextInt(40));
      while (entry != null && random.nextInt(6) > 0) {
        mark = apply(entry, mark, sources, added);
        entry = merge.next(1 + random.nextInt(40));
      }
      if (entry != null || random.nextInt(10) == 0) { // another leader, and the entry is lost
        merge = new FeedMerge(List.copyOf(sources.keySet()), mark);
      }
    }
    List<Row> expected = new ArrayList<>();
    sources.values().forEach(expected::addAll);
    assertThat(added).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(added).extracting(Row::timestamp).isSorted();
  }

  /** Reads some rows behind the position of a source. */
  private static void read(FeedMerge merge, String id, List<Row> rows, Random random, long end) {
    FeedPosition position = merge.position(id);
    List<Row> rest =
        rows.stream()
            .filter(
                row ->
                    row.timestamp > position.timestamp()
                        || (row.timestamp == position.timestamp()
                            && (position.afterKey() == null || row.key > position.afterKey()[0])))
            .toList();
    int count = random.nextInt(5);
    List<Row> read = rest.subList(0, Math.min(count, rest.size()));
    FeedPosition next = position;
    if (read.size() == rest.size()) {
      next = FeedPosition.at(end);
    } else if (!read.isEmpty()) {
      next = behind(read.get(read.size() - 1));
    }
    List<FeedMerge.Part> parts = new ArrayList<>();
    for (int i = 0; i < read.size(); ) {
      int from = i;
      long timestamp = read.get(from).timestamp;
      do {
        i++;
      } while (i < read.size() && read.get(i).timestamp == timestamp && random.nextInt(3) > 0);
      FeedPosition behind = FeedPosition.at(timestamp + 1);
      if (i < read.size() && read.get(i).timestamp == timestamp) {
        behind = behind(read.get(i - 1));
      } else if (next.timestamp() == timestamp) {
        behind = next;
      }
      parts.add(new FeedMerge.Part(group(timestamp, read.subList(from, i)), behind));
    }
    merge.received(id, parts, next);
  }

  private static FeedPosition behind(Row row) {
    return new FeedPosition(row.timestamp, new byte[] {row.key});
  }

  private static FeedMark apply(
      FedRows entry, FeedMark mark, Map<String, List<Row>> sources, List<Row> added) {
    assertThat(entry.from()).isEqualTo(mark);
    byte[] bytes = LogEntry.encodeFeed(entry);
    FedRows logged = LogEntry.decode(bytes, 0, bytes.length).fedRows();
    for (FedRows.Group group : logged.groups()) {
      RowOperationsReader reader = group.rows().rows().reader();
      while (reader.next()) {
        long number = LittleEndian.getLong(reader.cell(0), 0);
        Row row =
            sources.values().stream()
                .flatMap(List::stream)
                .filter(each -> each.number == number)
                .findFirst()
                .orElseThrow();
        assertThat(group.timestamp()).isEqualTo(row.timestamp);
        added.add(row);
      }
    }
    FeedMark next = logged.to();
    assertThat(next.complete()).isGreaterThanOrEqualTo(mark.complete());
    sources.values().stream()
        .flatMap(List::stream)
        .filter(row -> row.timestamp < next.complete())
        .forEach(row -> assertThat(added).contains(row));
    return next;
  }

  @Test
  void aSourceThatIsNotKnownHoldsTheOthersBack() {
    FeedMerge merge = new FeedMerge(List.of("a", "b"), FeedMark.NOTHING);
    FedRows.Group rows = group(500, List.of(new Row(500, (byte) 1, 1)));
    merge.received(
        "a", List.of(new FeedMerge.Part(rows, FeedPosition.at(501))), FeedPosition.at(600));
    assertThat(merge.next(1_000)).isNull();
    merge.received("b", List.of(), FeedPosition.at(550));
    FedRows entry = merge.next(1_000);
    assertThat(entry).isNotNull();
    assertThat(entry.to().complete()).isEqualTo(550);
    assertThat(entry.groups()).hasSize(1);
    assertThat(merge.next(1_000)).isNull();
  }

  @Test
  void aMarkOfAnotherKindIsRefused() {
    FeedMark mark = new FeedMark(5, new byte[] {0, 40, 1});
    assertThatThrownBy(() -> new FeedMerge(List.of("a"), mark))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("damaged");
  }
}
