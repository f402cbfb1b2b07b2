package dev.kudu4j.tserver.transaction;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.proto.transactions.TxnParticipantEntryPB;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.batch.ColumnVector;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one tablet of {@link StatusTable}, for its leader in one term. After the term another
 * leader may have written; so each write carries the term, and the log refuses it in any other.
 */
final class StatusRows implements StatusStore {
  private static final RowLayout LAYOUT = RowLayout.of(StatusTable.SCHEMA);
  private static final int[] COLUMN_IDS = {0, 1, 2, 3};
  private static final int SCHEMA_VERSION = 0;
  private static final long BATCH_BYTES = 1 << 20;

  private final Tablet tablet;
  private final TabletReplica replica;
  private final BufferAllocator allocator;
  private final long term;

  /**
   * @param allocator borrowed; no memory is held between calls
   */
  StatusRows(Tablet tablet, TabletReplica replica, BufferAllocator allocator, long term) {
    this.tablet = tablet;
    this.replica = replica;
    this.allocator = allocator;
    this.term = term;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public CompletableFuture<Void> putTransaction(long id, TxnStatusEntryPB entry) {
    return put(id, StatusTable.TRANSACTION, "", entry);
  }

  @Override
  public CompletableFuture<Void> putParticipant(long id, String tabletId) {
    TxnParticipantEntryPB open =
        TxnParticipantEntryPB.newBuilder().setState(TxnStatePB.OPEN).build();
    return put(id, StatusTable.PARTICIPANT, tabletId, open);
  }

  private CompletableFuture<Void> put(long id, byte type, String identifier, MessageLite metadata) {
    RowOperationsWriter row = new RowOperationsWriter(LAYOUT);
    key(row, OperationType.UPSERT, id, type, identifier)
        .setCell(StatusTable.METADATA, metadata.toByteArray())
        .end();
    return write(row);
  }

  @Override
  public CompletableFuture<Void> putNothing() {
    RowOperationsWriter row = new RowOperationsWriter(LAYOUT);
    key(row, OperationType.DELETE_IGNORE, -1, StatusTable.TRANSACTION, "").end();
    return write(row);
  }

  @Override
  public CompletableFuture<Void> remove(Map<Long, List<String>> participants) {
    RowOperationsWriter rows = new RowOperationsWriter(LAYOUT);
    participants.forEach(
        (id, tablets) -> {
          for (String tablet : tablets) {
            key(rows, OperationType.DELETE_IGNORE, id, StatusTable.PARTICIPANT, tablet).end();
          }
          key(rows, OperationType.DELETE_IGNORE, id, StatusTable.TRANSACTION, "").end();
        });
    return write(rows);
  }

  private static RowOperationsWriter key(
      RowOperationsWriter row, OperationType operation, long id, byte type, String identifier) {
    return row.begin(operation)
        .setLong(StatusTable.TXN_ID, id)
        .setByte(StatusTable.ENTRY_TYPE, type)
        .setString(StatusTable.IDENTIFIER, identifier);
  }

  private CompletableFuture<Void> write(RowOperationsWriter row) {
    WriteSubmission submission =
        new WriteSubmission(
            null, SCHEMA_VERSION, COLUMN_IDS, row.packed(), WriteSubmission.NO_DEADLINE, term);
    return replica
        .write(submission)
        .thenApply(
            result -> {
              if (!result.errors().isEmpty()) {
                throw KuduException.corruption(
                    "The tablet of transactions %s refused a row: %s",
                    replica.tabletId(), result.errors().get(0).message());
              }
              return null;
            });
  }

  @Override
  public void read(Visitor visitor) {
    read(null, null, visitor);
  }

  @Override
  public void read(long id, Visitor visitor) {
    read(
        StatusTable.partitionKey(id),
        id == Long.MAX_VALUE ? null : StatusTable.partitionKey(id + 1),
        visitor);
  }

  private void read(byte @Nullable [] lower, byte @Nullable [] upper, Visitor visitor) {
    ScanSpec inOrder =
        new ScanSpec(
            tablet.schema(),
            List.of(),
            tablet.latestSnapshot(),
            -1,
            lower,
            upper,
            null,
            true,
            false,
            Long.MAX_VALUE);
    try (TabletScanner scanner = tablet.scan(inOrder);
        ColumnBatch batch = new ColumnBatch(allocator, tablet.schema())) {
      boolean more = true;
      while (more) {
        batch.clear();
        more = scanner.next(batch, BATCH_BYTES);
        visit(batch, visitor);
      }
    } catch (IOException e) {
      throw KuduException.ioError(
          e,
          "The tablet of transactions %s cannot be read: %s",
          tablet.descriptor().tabletId(),
          String.valueOf(e.getMessage()));
    }
  }

  private void visit(ColumnBatch batch, Visitor visitor) {
    for (int row = 0; row < batch.rowCount(); row++) {
      long id = Memory.getLong(batch.column(StatusTable.TXN_ID).cellAddress(row));
      byte type = Memory.getByte(batch.column(StatusTable.ENTRY_TYPE).cellAddress(row));
      if (type == StatusTable.TRANSACTION) {
        visitor.transaction(id, entry(id, bytes(batch.column(StatusTable.METADATA), row)));
      } else if (type == StatusTable.PARTICIPANT) {
        byte[] tabletId = bytes(batch.column(StatusTable.IDENTIFIER), row);
        visitor.participant(id, new String(tabletId, StandardCharsets.UTF_8));
      }
    }
  }

  private static TxnStatusEntryPB entry(long id, byte[] metadata) {
    try {
      return TxnStatusEntryPB.parseFrom(metadata);
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "The row of transaction %d cannot be read: %s", id, String.valueOf(e.getMessage()));
    }
  }

  private static byte[] bytes(ColumnVector column, int row) {
    byte[] bytes = new byte[column.cellLength(row)];
    Memory.copy(column.cellAddress(row), bytes, 0, bytes.length);
    return bytes;
  }
}
