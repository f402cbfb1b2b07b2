package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.LAYOUT;
import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowOperations;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.memory.MemoryBudget;
import dev.kudu4j.server.memory.ServerMemory;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.server.replica.write.WriteSize;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every log entry is applied, however little memory there is; the memory of applied rows is
 * bounded.
 */
class ApplyMemoryTest {
  private static final Schema SCHEMA =
      new Schema(
              List.of(
                  ColumnSchema.builder("key", DataType.INT64).key(true).build(),
                  ColumnSchema.builder("text", DataType.STRING).nullable(true).build()))
          .withFreshIds();
  private static final int CELL_BYTES = 64 << 10;

  /** Rows that share one cell: they expand to more than the memory of the server. */
  private static final int ROWS = 2000;

  @TempDir Path directory;
  private final MemoryBudget budget = MemoryBudget.of(100L << 20, 40L << 20);
  private final ServerMemory memory = new ServerMemory(budget);
  private final BufferAllocator rows = memory.data().newChildAllocator("tablet", 0, Long.MAX_VALUE);
  private ReplicaHarness process;
  private Tablet tablet;
  private TabletReplica replica;
  private volatile RuntimeException failure;

  /** Admits all writes, like a leader whose group has members with less memory. */
  private volatile boolean admitsAll;

  private final WriteAdmission admission =
      new WriteAdmission(
          budget.writesBytes(),
          () -> admitsAll ? 0 : rows.getAllocatedMemory(),
          budget.rowsSoftBytes(),
          budget.rowsBytes(),
          () -> 0.5);

  @BeforeEach
  void start() throws Exception {
    process = new ReplicaHarness(directory.resolve("wals"), admission, memory.applying());
    tablet =
        Tablet.create(
            environment(),
            new TabletDescriptor(
                TABLET, "ab".repeat(16), "table", SCHEMA, 0, Map.<String, byte[]>of()));
    replica = process.create(new FailingState(ReplicaState.of(tablet)));
  }

  @AfterEach
  void stop() {
    replica.close();
    process.close();
    rows.close();
    memory.close();
  }

  private TabletEnvironment environment() {
    return new TabletEnvironment(
        new LocalFileStore(),
        directory.resolve("data"),
        rows,
        rows,
        memory.pages(),
        CrashPoints.NONE,
        new Random(1),
        System::nanoTime,
        TabletOptions.DEFAULT,
        memory.requestCache());
  }

  private void restart() throws Exception {
    replica.close();
    tablet = Tablet.open(environment());
    replica = process.open(new FailingState(ReplicaState.of(tablet)));
  }

  /** Rows that all refer to the same bytes, with their known size. */
  private static WriteSubmission sharing(int count, WriteSize size) {
    RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
    for (int key = 0; key < count; key++) {
      writer.begin(OperationType.INSERT).setLong(0, key).setString(1, "").end();
    }
    int rowBytes = writer.rowsLength() / count;
    byte[] packed = writer.rowsArray();
    for (int row = 0; row < count; row++) {
      LittleEndian.putLong(packed, (row + 1) * rowBytes - 16, 0);
      LittleEndian.putLong(packed, (row + 1) * rowBytes - 8, CELL_BYTES);
    }
    return new WriteSubmission(
        new RequestId("client", 1, 1),
        WriteRequest.NO_TRANSACTION,
        0,
        new int[] {0, 1},
        RowOperations.of(LAYOUT, writer.rows(), new byte[CELL_BYTES]),
        WriteSubmission.NO_DEADLINE,
        WriteSubmission.ANY_TERM,
        size);
  }

  /** An entry as written by an older server that did not count shared cells in full. */
  private static WriteSubmission uncut(int count) {
    return sharing(count, new WriteSize(0, 0));
  }

  private RequestResult write(WriteSubmission submission) throws Exception {
    return replica.write(submission).get(60, TimeUnit.SECONDS);
  }

  private void assertServes(long liveRows) throws Exception {
    assertThat(replica.lifeCycleState()).isEqualTo(TabletReplica.State.RUNNING);
    assertThat(tablet.statistics().liveRows()).isEqualTo(liveRows);
    assertThat(write(insert(null, liveRows + ROWS)).errors()).isEmpty();
  }

  @Test
  void anEntryLargerThanTheMemoryIsAppliedAndItsMemoryReleasedByAFlush() throws Exception {
    assertThat(write(uncut(ROWS)).errors()).isEmpty();
    assertThat(memory.applying().overdrafts()).isEqualTo(1);
    assertThat(memory.data().getAllocatedMemory()).isGreaterThan(budget.dataBytes());
    assertThatThrownBy(() -> write(insert(null, -1)))
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
    replica.flush();
    assertServes(ROWS);
    assertThat(memory.data().getLimit()).isEqualTo(budget.dataBytes());
    assertThat(memory.data().getAllocatedMemory()).isLessThan(budget.dataBytes());
  }

  @Test
  void aReplayedEntryLargerThanTheMemoryIsApplied() throws Exception {
    write(uncut(ROWS));
    restart();
    await().until(() -> tablet.statistics().liveRows() == ROWS);
    assertThat(memory.applying().overdrafts()).isEqualTo(2);
    replica.flush();
    assertServes(ROWS);
    restart();
    assertServes(ROWS + 1);
  }

  @Test
  void rowsThatShareBytesAreSplitByTheirDecodedSize() throws Exception {
    int count = 200;
    long text = (long) count * CELL_BYTES;
    assertThat(write(sharing(count, new WriteSize(text, text))).errors()).isEmpty();
    assertThat(replica.entriesSubmitted()).isGreaterThan(text >> 20);
    assertThat(memory.applying().overdrafts()).isZero();
    assertThat(replica.appliedLogBytes()).isLessThan(2 * text);
    assertServes(count);
  }

  @Test
  void aRequestTooLargeToApplyIsRejectedBeforeTheLog() {
    long text = (long) ROWS * CELL_BYTES;
    assertThatThrownBy(() -> write(sharing(ROWS, new WriteSize(text, text))))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT))
        .hasMessageContaining("send fewer rows at a time");
    assertThat(replica.entriesSubmitted()).isZero();
    assertThat(admission.expectedBytes()).isZero();
  }

  @Test
  void anEntryWaitsForMemoryAndTheTabletIsFlushedMeanwhile() throws Exception {
    write(insert(null, 1, 2, 3));
    admitsAll = true;
    ArrowBuf held = rows.buffer(budget.rowsBytes());
    CompletableFuture<?> waiting = replica.write(insert(null, 4));
    await().until(() -> memory.applying().waiting() == 1);
    assertThat(memory.isDataShort()).isTrue();
    replica.flush();
    assertThat(tablet.checkpoint()).isEqualTo(tablet.applied());
    assertThat(waiting).isNotDone();
    held.close();
    waiting.get(30, TimeUnit.SECONDS);
    assertThat(memory.applying().waits()).isEqualTo(1);
    assertServes(4);
  }

  @Test
  void aReplicaWhoseEntryWaitsCanBeClosed() throws Exception {
    admitsAll = true;
    try (ArrowBuf held = rows.buffer(budget.rowsBytes())) {
      CompletableFuture<?> waiting = replica.write(insert(null, 1));
      await().until(() -> memory.applying().waiting() == 1);
      replica.close();
      assertThat(waiting).failsWithin(10, TimeUnit.SECONDS);
      assertThat(memory.applying().waiting()).isZero();
      assertThat(held.capacity()).isPositive();
    }
    restart();
    assertServes(1);
  }

  @Test
  void aFailedReplicaHoldsNoMemory() throws Exception {
    write(insert(null, 1, 2, 3));
    assertThat(rows.getAllocatedMemory()).isPositive();
    failure = new IllegalStateException("on purpose");
    assertThatThrownBy(() -> write(insert(new RequestId("client", 1, 1), 4)));
    assertThat(replica.lifeCycleState()).isEqualTo(TabletReplica.State.FAILED);
    await().until(() -> rows.getAllocatedMemory() == 0);
    await().until(() -> admission.usedBytes() == 0);
    assertThat(admission.expectedBytes()).isZero();
    assertThat(memory.requestCache().usedBytes()).isZero();
  }

  /** The tablet's state, which fails to apply when the test requests it. */
  private final class FailingState implements ReplicaState {
    private final ReplicaState state;

    FailingState(ReplicaState state) {
      this.state = state;
    }

    @Override
    public LogPosition checkpoint() {
      return state.checkpoint();
    }

    @Override
    public long maxTimestamp() {
      return state.maxTimestamp();
    }

    @Override
    public List<RequestResult> apply(LogPosition position, LogEntry entry) {
      if (failure != null) {
        throw failure;
      }
      return state.apply(position, entry);
    }

    @Override
    public void applyNothing(LogPosition position) {
      state.applyNothing(position);
    }

    @Override
    public RequestResult remembered(RequestId id) {
      return state.remembered(id);
    }

    @Override
    public byte[] attribute(String name) {
      return state.attribute(name);
    }

    @Override
    public LogPosition flush() throws IOException {
      return state.flush();
    }

    @Override
    public void close() {
      state.close();
    }
  }
}
