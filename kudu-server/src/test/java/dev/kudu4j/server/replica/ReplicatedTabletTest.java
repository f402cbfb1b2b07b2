package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.TABLET;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.Epochs;
import dev.kudu4j.server.maintenance.AncientHistory;
import dev.kudu4j.server.maintenance.ReplicaMaintenance;
import dev.kudu4j.server.maintenance.TableMaintenanceConfig;
import dev.kudu4j.server.replica.members.ConsensusView;
import dev.kudu4j.server.replica.members.MemberChange;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.FileStore;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.memory.Allocators;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raft's log and a tablet's files together. */
class ReplicatedTabletTest {
  private static final Schema SCHEMA =
      new Schema(
              List.of(
                  ColumnSchema.builder("key", DataType.INT64).key(true).build(),
                  ColumnSchema.builder("text", DataType.STRING).nullable(true).build()))
          .withFreshIds();

  @TempDir Path directory;
  private volatile boolean noDescriptorLeft;
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
                TABLET, "ab".repeat(16), "table", SCHEMA, 0, Map.<String, byte[]>of()));
    replica = process.create(ReplicaState.of(tablet));
  }

  @AfterEach
  void stop() {
    process.close();
    replica.close();
    allocator.close();
  }

  private TabletEnvironment environment() {
    return new TabletEnvironment(
        files(),
        directory.resolve("data"),
        allocator,
        CrashPoints.NONE,
        new Random(1),
        System::nanoTime,
        TabletOptions.DEFAULT);
  }

  /** The file store of the operating system, unless no descriptor is left. */
  private FileStore files() {
    FileStore local = new LocalFileStore();
    return (FileStore)
        Proxy.newProxyInstance(
            FileStore.class.getClassLoader(),
            new Class<?>[] {FileStore.class},
            (proxy, method, arguments) -> {
              if (noDescriptorLeft && !method.getName().equals("exists")) {
                throw new FileSystemException(
                    String.valueOf(arguments[0]), null, "Too many open files");
              }
              try {
                return method.invoke(local, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void restart() throws Exception {
    replica.close();
    tablet = Tablet.open(environment());
    replica = process.open(ReplicaState.of(tablet));
  }

  private RequestResult write(RequestId id, long... keys) throws Exception {
    return replica.write(insert(id, keys)).get(30, TimeUnit.SECONDS);
  }

  private static RequestId id(long sequence) {
    return new RequestId("client", sequence, 1);
  }

  @Test
  void rowsAndCachedResultsSurviveFlushAndRestart() throws Exception {
    RequestResult first = write(id(1), 1, 2, 3);
    assertThat(first.errors()).isEmpty();
    RequestResult second = write(id(2), 3, 4);
    assertThat(second.errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.row()).isZero();
              assertThat(error.code()).isEqualTo(StatusCode.ALREADY_PRESENT);
            });
    restart();
    assertThat(tablet.statistics().liveRows()).isEqualTo(4);
    assertThat(write(id(1), 1, 2, 3)).isEqualTo(first);
    replica.flush();
    assertThat(write(id(2), 3, 4)).isEqualTo(second);
    restart();
    assertThat(write(id(1), 1, 2, 3)).isEqualTo(first);
    assertThat(write(id(2), 3, 4)).isEqualTo(second);
    assertThat(write(id(3), 5).errors()).isEmpty();
    assertThat(tablet.statistics().liveRows()).isEqualTo(5);
  }

  @Test
  void flushAndCompactionWithoutDescriptorsAreRepeatedAndFailNoReplica() throws Exception {
    ReplicaMaintenance maintenance =
        new ReplicaMaintenance(
            tablet, replica, new AncientHistory(null, -1), () -> TableMaintenanceConfig.NONE);
    write(id(1), 1, 2, 3);
    replica.flush();
    write(id(2), 4);
    noDescriptorLeft = true;
    assertThatThrownBy(maintenance::flush).hasMessageContaining("Too many open files");
    assertThatThrownBy(maintenance::compactFully).hasMessageContaining("Too many open files");
    assertThat(replica.lifeCycleState()).isEqualTo(TabletReplica.State.RUNNING);
    assertThat(write(id(3), 5).errors()).isEmpty();
    assertThat(tablet.statistics().liveRows()).isEqualTo(5);
    noDescriptorLeft = false;
    maintenance.flush();
    maintenance.compactFully();
    restart();
    assertThat(tablet.statistics().liveRows()).isEqualTo(5);
  }

  @Test
  void theFlushOfAnEpochCountsTheLogAfterTheBoundary() throws Exception {
    byte[] epochs = new Epochs(1).toBytes();
    replica
        .alterSchema(SCHEMA, 1, "table", Map.of(TabletDescriptor.EPOCHS, epochs))
        .get(30, TimeUnit.SECONDS);
    write(id(1), 1, 2, 3);
    long first = tablet.applied().index();
    write(id(2), 4, 5, 6);
    long all = replica.unflushedLogBytes();
    replica.flushEpoch();
    assertThat(tablet.checkpoint().index()).isEqualTo(first);
    assertThat(replica.unflushedLogBytes()).isBetween(1L, all - 1);
    replica.flushEpoch();
    assertThat(tablet.checkpoint()).isEqualTo(tablet.applied());
    assertThat(replica.unflushedLogBytes()).isZero();
    restart();
    assertThat(tablet.statistics().liveRows()).isEqualTo(6);
  }

  /** The data comes from the log, and from the tablet's superblock if the log was deleted. */
  @Test
  void notesOnMembersSurviveFlushAndRestart() throws Exception {
    String newcomer = "b".repeat(32);
    MemberChange change = new MemberChange.Add(newcomer, "host:7050", true, false);
    replica.changeMembers(List.of(change), OptionalLong.empty()).get(30, TimeUnit.SECONDS);
    for (boolean flushed : new boolean[] {false, true}) {
      restart();
      ConsensusView.Member member = replica.consensus().member(newcomer).orElseThrow();
      assertThat(member.voter()).isFalse();
      assertThat(member.promote()).isTrue();
      assertThat(member.rpcAddress()).isEqualTo("host:7050");
      write(id(flushed ? 2 : 1), flushed ? 2 : 1);
      replica.flush();
    }
    assertThat(tablet.statistics().liveRows()).isEqualTo(2);
  }

  @Test
  void errorsOfALargeRequestNameItsRows() throws Exception {
    write(id(1), 4990);
    long[] keys = LongStream.range(0, 5000).toArray();
    for (RequestId request : new RequestId[] {id(2), null}) {
      RequestResult result =
          replica.write(insert(request, "z".repeat(800), keys)).get(30, TimeUnit.SECONDS);
      assertThat(result.errors())
          .last()
          .satisfies(e -> assertThat(e.row()).isEqualTo(request == null ? 4999 : 4990));
      assertThat(result.errors()).hasSize(request == null ? 5000 : 1);
    }
    assertThat(tablet.statistics().liveRows()).isEqualTo(5000);
  }

  @Test
  void schemaChangesAreAppliedInLogOrder() throws Exception {
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      all.add(replica.write(insert(id(i), i)));
    }
    List<ColumnSchema> columns = new ArrayList<>(SCHEMA.columns());
    columns.add(ColumnSchema.builder("more", DataType.INT32).nullable(true).id(2).build());
    all.add(replica.alterSchema(new Schema(columns), 1, "renamed"));
    for (int i = 50; i < 100; i++) {
      all.add(replica.write(insert(id(i), i)));
    }
    for (CompletableFuture<?> one : all) {
      one.get(30, TimeUnit.SECONDS);
    }
    assertThat(tablet.descriptor().tableName()).isEqualTo("renamed");
    assertThat(tablet.descriptor().schemaVersion()).isEqualTo(1);
    restart();
    assertThat(tablet.schema().columnCount()).isEqualTo(3);
    assertThat(tablet.statistics().liveRows()).isEqualTo(100);
  }
}
