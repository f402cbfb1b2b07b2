package dev.kudu4j.tablet.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogEntryTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              ColumnSchema.builder("k", DataType.INT32).id(3).key(true).build(),
              ColumnSchema.builder("v", DataType.STRING)
                  .id(8)
                  .nullable(true)
                  .writeDefault(new byte[] {1})
                  .comment("text")
                  .build()));

  private static WriteRequest request(@Nullable RequestId id, int key, String text) {
    RowOperationsWriter writer = new RowOperationsWriter(RowLayout.of(SCHEMA));
    writer.begin(OperationType.UPSERT).setInt(0, key).setString(1, text).end();
    return new WriteRequest(id, 1, 3, 7, new int[] {3, 8}, writer.packed());
  }

  @Test
  void requestsAreDecodedAsEncoded() {
    RequestId id = new RequestId("client é", 5, 3);
    byte[] entry = LogEntry.encodeWrite(List.of(request(id, 42, "abc"), request(null, 43, "")));
    assertThat(LogEntry.timestampCount(entry)).isEqualTo(2);
    LogEntry.patchTimestamp(entry, 1L << 60);
    byte[] shifted = new byte[entry.length + 20];
    System.arraycopy(entry, 0, shifted, 13, entry.length);

    LogEntry decoded = LogEntry.decode(shifted, 13, entry.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.WRITE);
    assertThat(decoded.baseTimestamp()).isEqualTo(1L << 60);
    assertThat(decoded.requests()).hasSize(2);
    WriteRequest first = decoded.requests().get(0);
    assertThat(first.id()).isEqualTo(id);
    assertThat(first.piece()).isEqualTo(1);
    assertThat(first.pieces()).isEqualTo(3);
    assertThat(first.schemaVersion()).isEqualTo(7);
    assertThat(first.columnIds()).containsExactly(3, 8);
    assertThat(first.rows().rows()).isSameAs(shifted);
    RowOperationsReader rows = first.rows().reader();
    assertThat(rows.next()).isTrue();
    assertThat(rows.type()).isEqualTo(OperationType.UPSERT);
    assertThat(rows.cell(0)).containsExactly(42, 0, 0, 0);
    assertThat(rows.cell(1)).containsExactly('a', 'b', 'c');
    assertThat(rows.next()).isFalse();
    assertThat(decoded.requests().get(1).id()).isNull();
  }

  @Test
  void rowsOfATransactionAreDecodedAsEncoded() {
    WriteRequest plain = request(new RequestId("c", 1, 1), 42, "abc");
    WriteRequest request =
        new WriteRequest(plain.id(), 77, 1, 3, 7, plain.columnIds(), plain.rows());
    byte[] entry = LogEntry.encodeWrite(List.of(request, plain));
    List<WriteRequest> decoded = LogEntry.decode(entry, 0, entry.length).requests();
    assertThat(decoded.get(0).transaction()).isEqualTo(77);
    assertThat(decoded.get(0).id()).isEqualTo(plain.id());
    assertThat(decoded.get(0).piece()).isEqualTo(1);
    assertThat(decoded.get(1).isInTransaction()).isFalse();
  }

  @Test
  void stepsOfTransactionsAreDecodedAsEncoded() {
    byte[] prepare = LogEntry.encodePrepare(5, 1L << 40, 3);
    LogEntry.patchTimestamp(prepare, 1000);
    LogEntry decoded = LogEntry.decode(prepare, 0, prepare.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.PREPARE);
    assertThat(decoded.baseTimestamp()).isEqualTo(1000);
    assertThat(decoded.transaction()).isEqualTo(5);
    assertThat(decoded.commitTimestamp()).isEqualTo(1L << 40);

    byte[] commit = LogEntry.encodeCommit(5, 1L << 40);
    decoded = LogEntry.decode(commit, 0, commit.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.COMMIT);
    assertThat(decoded.baseTimestamp()).isEqualTo(1L << 40);
    assertThat(decoded.transaction()).isEqualTo(5);

    byte[] abort = LogEntry.encodeAbort(0);
    decoded = LogEntry.decode(abort, 0, abort.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.ABORT);
    assertThat(decoded.transaction()).isZero();
    assertThat(LogEntry.timestampCount(abort)).isEqualTo(1);
  }

  @Test
  void schemaChangesAreDecodedAsEncoded() {
    byte[] entry = LogEntry.encodeAlterSchema(SCHEMA, 9, "täble");
    assertThat(LogEntry.timestampCount(entry)).isEqualTo(1);
    LogEntry decoded = LogEntry.decode(entry, 0, entry.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.ALTER_SCHEMA);
    assertThat(decoded.schema()).isEqualTo(SCHEMA);
    assertThat(decoded.schemaVersion()).isEqualTo(9);
    assertThat(decoded.tableName()).isEqualTo("täble");
    assertThat(decoded.attributes()).isEmpty();
  }

  @Test
  void changedAttributesAreDecodedAsEncoded() {
    byte[] entry =
        LogEntry.encodeAlterSchema(
            SCHEMA, 9, "t", Map.of("a", new byte[] {1, 2}, "empty", new byte[0]));
    LogEntry decoded = LogEntry.decode(entry, 0, entry.length);
    assertThat(decoded.schema()).isEqualTo(SCHEMA);
    assertThat(decoded.attributes()).containsOnlyKeys("a", "empty");
    assertThat(decoded.attributes().get("a")).containsExactly(1, 2);
    assertThat(decoded.attributes().get("empty")).isEmpty();
  }

  @Test
  void attributesAloneAreDecodedAsEncoded() {
    byte[] entry = LogEntry.encodeAttributes(Map.of("a", new byte[] {1, 2}, "b", new byte[0]));
    assertThat(LogEntry.timestampCount(entry)).isEqualTo(1);
    LogEntry decoded = LogEntry.decode(entry, 0, entry.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.ATTRIBUTES);
    assertThat(decoded.attributes()).containsOnlyKeys("a", "b");
    assertThat(decoded.attributes().get("a")).containsExactly(1, 2);
  }

  @Test
  void fedRowsAreDecodedAsEncoded() {
    WriteRequest plain = request(null, 42, "abc");
    FeedMark from = new FeedMark(400, new byte[] {1, 2});
    FedRows rows =
        new FedRows(
            from,
            new FeedMark(501, new byte[0]),
            List.of(new FedRows.Group(500, plain), new FedRows.Group(501, plain)));
    byte[] entry = LogEntry.encodeFeed(rows);
    LogEntry decoded = LogEntry.decode(entry, 0, entry.length);
    assertThat(decoded.type()).isEqualTo(LogEntry.Type.FEED);
    assertThat(decoded.baseTimestamp()).isEqualTo(501);
    assertThat(decoded.fedRows().from()).isEqualTo(from);
    assertThat(decoded.fedRows().to()).isEqualTo(rows.to());
    assertThat(decoded.fedRows().groups())
        .extracting(FedRows.Group::timestamp)
        .containsExactly(500L, 501L);
    RowOperationsReader read = decoded.fedRows().groups().get(1).rows().rows().reader();
    assertThat(read.next()).isTrue();
    assertThat(read.cell(0)).containsExactly(42, 0, 0, 0);
  }

  @Test
  void fedRowsOutOfOrderOrWithAnIdAreRefused() {
    assertThatThrownBy(() -> new FedRows(new FeedMark(5, new byte[0]), FeedMark.NOTHING, List.of()))
        .hasMessageContaining("goes back from 5 to 0");
    WriteRequest plain = request(null, 42, "abc");
    FeedMark mark = FeedMark.NOTHING;
    WriteRequest named = request(new RequestId("c", 1, 1), 42, "abc");
    for (List<FedRows.Group> groups :
        List.of(
            List.of(new FedRows.Group(501, plain), new FedRows.Group(500, plain)),
            List.of(new FedRows.Group(501, named)))) {
      assertThatThrownBy(() -> new FedRows(mark, new FeedMark(600, new byte[0]), groups))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.CORRUPTION));
    }
  }

  @Test
  void newerVersionsTypesAndFlagsAreRefused() {
    for (int offset : new int[] {0, 1, 2}) {
      byte[] entry = LogEntry.encodeWrite(List.of(request(null, 1, "x")));
      entry[offset] = 99;
      assertThatThrownBy(() -> LogEntry.decode(entry, 0, entry.length))
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_SUPPORTED))
          .hasMessageContaining("run a newer server");
    }
  }

  @Test
  void brokenEntriesAreRefusedWithAStatus() {
    byte[] write = LogEntry.encodeWrite(List.of(request(new RequestId("c", 1, 1), 1, "x")));
    byte[] alter = LogEntry.encodeAlterSchema(SCHEMA, 9, "table", Map.of("a", new byte[] {1, 2}));
    byte[] prepare = LogEntry.encodePrepare(5, 1L << 40, 3);
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] entry = List.of(write, alter, prepare).get(random.nextInt(3)).clone();
      entry[random.nextInt(entry.length)] ^= (byte) (1 << random.nextInt(8));
      int length = random.nextInt(4) == 0 ? random.nextInt(entry.length) : entry.length;
      try {
        LogEntry.decode(Arrays.copyOf(entry, length), 0, length);
      } catch (KuduException e) {
        assertThat(e.code()).isIn(StatusCode.CORRUPTION, StatusCode.NOT_SUPPORTED);
      }
    }
  }

  @Test
  void theBytesHaveTheDocumentedFormat() {
    WriteRequest request = request(new RequestId("c", 5, 3), 42, "ab");
    byte[] entry = LogEntry.encodeWrite(List.of(request));
    LogEntry.patchTimestamp(entry, 0x0102030405060708L);
    assertThat(entry)
        .startsWith(1, 1, 0, 0, 1, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1)
        .containsSubsequence(1, 0, 1, 0, 'c', 5, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0);
    assertThat(entry).endsWith('a', 'b');
  }
}
