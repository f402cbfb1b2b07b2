package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.FeedMark;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A derived tablet with one replica: its log and its safe time. */
class DerivedFeedTest {
  private static final Schema SCHEMA =
      new Schema(List.of(ColumnSchema.builder("key", DataType.INT64).key(true).build()))
          .withFreshIds();
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(30);

  @TempDir Path directory;
  private final BufferAllocator allocator = Allocators.root(1L << 30);
  private ReplicaHarness process;
  private Tablet tablet;
  private TabletReplica replica;

  @BeforeEach
  void start() throws Exception {
    process = new ReplicaHarness(directory.resolve("wals"));
    tablet =
        Tablet.create(
            environment(),
            new TabletDescriptor(
                TABLET,
                "ab".repeat(16),
                "table",
                SCHEMA,
                0,
                Map.of(TabletDescriptor.DERIVED, FeedMark.NOTHING.toBytes())));
    replica = process.create(ReplicaState.of(tablet));
  }

  @AfterEach
  void stop() {
    process.close();
    replica.close();
    allocator.close();
  }

  private TabletEnvironment environment() {
    return TestTablets.environment(directory.resolve("data"), allocator);
  }

  private FeedMark add(FeedMark from, FeedMark to, long timestamp, long... keys) throws Exception {
    RowOperationsWriter rows = new RowOperationsWriter(RowLayout.of(SCHEMA));
    for (long key : keys) {
      rows.begin(OperationType.UPSERT).setLong(0, key).end();
    }
    WriteRequest request =
        new WriteRequest(null, 0, new int[] {SCHEMA.column(0).id()}, rows.copy());
    return replica
        .feed()
        .add(
            new FedRows(from, to, List.of(new FedRows.Group(timestamp, request))),
            WriteSubmission.ANY_TERM)
        .get(30, TimeUnit.SECONDS);
  }

  private static FeedMark mark(long complete, int... place) {
    byte[] bytes = new byte[place.length];
    for (int i = 0; i < place.length; i++) {
      bytes[i] = (byte) place[i];
    }
    return new FeedMark(complete, bytes);
  }

  private long rowsAt(long snapshot) throws IOException {
    return TestTablets.rowsAt(tablet, allocator, snapshot);
  }

  @Test
  void readersWaitUntilTheFeedIsCompleteAtTheirSnapshot() throws Exception {
    CompletableFuture<Void> early = replica.safeTime().whenReadable(1_000, TIMEOUT_NANOS);
    assertThat(add(FeedMark.NOTHING, mark(500, 7), 500, 1, 2)).isEqualTo(mark(500, 7));
    assertThat(replica.safeTime().now()).isEqualTo(500);
    assertThat(early).isNotDone();
    replica.alterSchema(SCHEMA, 1, "renamed").get(30, TimeUnit.SECONDS);
    assertThat(replica.safeTime().now()).as("an alteration moves no time").isEqualTo(500);
    assertThat(add(mark(500, 7), mark(1_000), 500, 3)).isEqualTo(mark(1_000));
    early.get(30, TimeUnit.SECONDS);
    assertThat(rowsAt(500)).isZero();
    assertThat(rowsAt(501)).isEqualTo(3);
    assertThat(tablet.latestSnapshot()).isEqualTo(1_000);
  }

  /** Of two leaders that continue from the same mark, one wins. */
  @Test
  void rowsThatDoNotContinueTheMarkArePassedOver() throws Exception {
    add(FeedMark.NOTHING, mark(1_000), 900, 1);
    assertThat(add(FeedMark.NOTHING, mark(2_000), 900, 1, 2, 3)).isEqualTo(mark(1_000));
    assertThat(add(mark(1_000), mark(2_000), 1_500, 4)).isEqualTo(mark(2_000));
    assertThat(rowsAt(2_000)).isEqualTo(2);
  }

  @Test
  void theFeedGoesOnAfterARestart() throws Exception {
    add(FeedMark.NOTHING, mark(1_000), 900, 1);
    replica.flush();
    add(mark(1_000), mark(1_200, 1), 1_200, 2);
    replica.close();
    tablet = Tablet.open(environment());
    replica = process.open(ReplicaState.of(tablet));
    replica.safeTime().whenReadable(1_200, TIMEOUT_NANOS).get(30, TimeUnit.SECONDS);
    assertThat(replica.feed().mark()).isEqualTo(mark(1_200, 1));
    assertThat(add(mark(1_200, 1), mark(1_300), 1_200, 3)).isEqualTo(mark(1_300));
    assertThat(rowsAt(1_200)).isEqualTo(1);
    assertThat(rowsAt(1_300)).isEqualTo(3);
  }

  @Test
  void rowsAreAdmittedByTheMemoryThatTheyWillTake() throws Exception {
    process.close();
    replica.close();
    AtomicLong used = new AtomicLong();
    WriteAdmission admission = new WriteAdmission(1 << 20, used::get, 1_000, 1_000, () -> 1);
    process = new ReplicaHarness(directory.resolve("wals"), admission, ApplyGate.open());
    tablet = Tablet.open(environment());
    replica = process.open(ReplicaState.of(tablet));
    long[] many = LongStream.range(0, 20).toArray(); // 20 keys take more than 1,000 bytes
    assertThatThrownBy(() -> add(FeedMark.NOTHING, mark(500), 400, many))
        .hasMessageContaining("send fewer rows");
    used.set(1_000);
    assertThatThrownBy(() -> add(FeedMark.NOTHING, mark(500), 400, 1))
        .hasMessageContaining("nearly full");
    used.set(0);
    assertThat(add(FeedMark.NOTHING, mark(500), 400, 1)).isEqualTo(mark(500));
    assertThat(admission.expectedBytes()).isZero();
  }

  @Test
  void otherTabletsHaveNoFeed() throws Exception {
    try (ReplicaHarness other = new ReplicaHarness(directory.resolve("others"))) {
      TabletReplica plain = other.create(new CountingState(LogPosition.NONE));
      assertThatThrownBy(() -> plain.feed().mark()).hasMessageContaining("not a derived tablet");
      plain.close();
    }
  }
}
