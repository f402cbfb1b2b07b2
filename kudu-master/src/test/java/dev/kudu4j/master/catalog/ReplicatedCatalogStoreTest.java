package dev.kudu4j.master.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.masters.CopyCatalogRequestPB;
import dev.kudu4j.common.proto.masters.CopyCatalogResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.master.catalog.CatalogStore.Change;
import dev.kudu4j.server.fs.ServerFiles;
import dev.kudu4j.server.raft.FreePort;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.replica.ReplicaEnvironment;
import dev.kudu4j.server.replica.ReplicaOptions;
import dev.kudu4j.server.replica.write.WriteAdmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.env.CrashPoints;
import dev.kudu4j.tablet.env.LocalFileStore;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.env.TabletOptions;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.memory.Allocators;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real tablet of the catalog: written records are read again, flushed or not. */
class ReplicatedCatalogStoreTest {
  @TempDir Path directory;

  /** One run of a master's catalog tablet. */
  private final class Run implements AutoCloseable {
    final BufferAllocator memory = Allocators.root(256 << 20);
    final ExecutorService executor = Executors.newFixedThreadPool(2);
    final ServerFiles files;
    final RaftHost raft;
    final CatalogTablet tablet;

    Run() throws Exception {
      InetAddress loopback = InetAddress.getLoopbackAddress();
      files =
          ServerFiles.open(
              "kudu-master", directory, List.of(), new Random(), () -> freePort(loopback));
      raft =
          RaftHost.start(
              RaftOptions.DEFAULT,
              files.instance().uuid(),
              files.raftDirectory(),
              new InetSocketAddress(loopback, files.instance().raftPort()),
              loopback.getHostAddress(),
              Optional.empty());
      ReplicaEnvironment replicas =
          new ReplicaEnvironment(
              raft,
              new HybridClock(TimeSource.system(1000), 10_000_000),
              new WriteAdmission(64 << 20),
              executor,
              System::nanoTime,
              ReplicaOptions.DEFAULT);
      Optional<CatalogTablet> existing =
          CatalogTablet.open(files, this::environment, replicas, replica -> {});
      tablet =
          existing.isPresent()
              ? existing.get()
              : CatalogTablet.create(
                  files, this::environment, replicas, List.of(raft.self()), replica -> {});
      tablet.replica().whenLeader().get(30, TimeUnit.SECONDS);
    }

    private TabletEnvironment environment(Path tabletDirectory) {
      return new TabletEnvironment(
          new LocalFileStore(),
          tabletDirectory,
          memory,
          CrashPoints.NONE,
          new Random(),
          System::nanoTime,
          TabletOptions.DEFAULT);
    }

    Map<String, ByteString> load(CatalogStore store) {
      Map<String, ByteString> entries = new HashMap<>();
      store.load((kind, id, record) -> entries.put(kind + " " + id, record));
      return entries;
    }

    @Override
    public void close() {
      tablet.close();
      raft.close();
      executor.shutdownNow();
      memory.close();
      files.close();
    }
  }

  private static int freePort(InetAddress address) {
    try {
      return FreePort.find(address, new Random());
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static ByteString record(int bytes, int seed) {
    byte[] record = new byte[bytes];
    new Random(seed).nextBytes(record);
    return ByteString.copyFrom(record);
  }

  @Test
  void entriesOfAnySizeSurviveARestart() throws Exception {
    Map<String, ByteString> expected;
    try (Run run = new Run()) {
      CatalogStore store = run.tablet.store();
      assertThat(run.load(store)).isEmpty();
      List<Change> many = new ArrayList<>();
      for (int i = 0; i < 3_000; i++) {
        many.add(Change.put(EntryKind.TABLET, String.format("%032x", i), record(500, i)));
      }
      many.add(Change.put(EntryKind.TABLE, "t", record(300_000, 7)));
      store.write(many);
      expected = run.load(store);
      assertThat(expected).hasSize(3_001);
      assertThat(expected.get("TABLE t")).isEqualTo(record(300_000, 7));
    }
    try (Run run = new Run()) {
      CatalogStore store = run.tablet.store();
      assertThat(run.load(store)).isEqualTo(expected);
      run.tablet.replica().flush();
      store.write(
          List.of(
              Change.put(EntryKind.TABLE, "t", record(10, 8)),
              Change.put(EntryKind.TABLE, "empty", ByteString.EMPTY),
              Change.remove(EntryKind.TABLET, String.format("%032x", 5))));
      expected = run.load(store);
      assertThat(expected).hasSize(3_001);
      assertThat(expected.get("TABLE t")).isEqualTo(record(10, 8));
    }
    try (Run run = new Run()) {
      assertThat(run.load(run.tablet.store())).isEqualTo(expected);
    }
  }

  @Test
  void aStoreOfAnotherTermWritesNothing() throws Exception {
    try (Run run = new Run()) {
      CatalogStore store = run.tablet.store();
      run.load(store);
      store.write(List.of(Change.put(EntryKind.TABLE, "t", record(10, 1))));
      Map<String, ByteString> expected = run.load(store);
      for (long away : new long[] {-1, 1}) {
        CatalogStore other = run.tablet.store(run.tablet.replica().consensus().term() + away);
        assertThatThrownBy(() -> run.load(other)).hasMessageContaining("belongs to another");
        assertThatThrownBy(
                () -> other.write(List.of(Change.put(EntryKind.TABLE, "u", record(10, 2)))))
            .isInstanceOf(KuduException.class)
            .hasMessageContaining("belongs to another");
      }
      assertThat(run.load(store)).isEqualTo(expected);
    }
  }

  @Test
  void dataWithoutALogIsNotTreatedAsAnUnfinishedCreation() throws Exception {
    Path log;
    try (Run run = new Run()) {
      CatalogStore store = run.tablet.store();
      run.load(store);
      store.write(List.of(Change.put(EntryKind.TABLE, "t", record(10, 1))));
      run.tablet.replica().flush();
      log = run.files.raftDirectory();
    }
    new LocalFileStore().deleteTree(log);
    assertThatThrownBy(Run::new)
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("restore the log");
    assertThat(directory.resolve("data").resolve(CatalogTablet.ID).resolve("superblock")).exists();
  }

  @Test
  void interruptedCreationIsRepeated() throws Exception {
    Path log;
    try (Run run = new Run()) {
      try (Stream<Path> logs = Files.list(run.files.raftDirectory())) {
        log = logs.filter(path -> !path.endsWith("none")).findFirst().orElseThrow();
      }
    }
    new LocalFileStore().deleteTree(log);
    Files.createDirectories(log.resolve("current"));
    try (Run run = new Run()) {
      assertThat(run.load(run.tablet.store())).isEmpty();
    }
  }

  @Test
  void aCopyContainsAllWrites() throws Exception {
    try (Run run = new Run();
        BufferAllocator memory = Allocators.root(64 << 20)) {
      CatalogStore store = run.tablet.store();
      store.load((kind, id, record) -> {});
      store.write(
          List.of(
              Change.put(EntryKind.CLUSTER, "c", record(10, 1)),
              Change.put(EntryKind.TABLE, "large", record(300_000, 2)),
              Change.put(EntryKind.TABLE, "gone", record(20, 3))));
      store.write(List.of(Change.remove(EntryKind.TABLE, "gone")));
      CopyCatalogResponsePB copy = copy(run, Long.MAX_VALUE);
      assertThat(copy.getMembersList()).hasSize(1);
      for (long max : List.of(1L, 11L, 300_000L, 300_010L)) {
        assertThat(copy(run, max).getEntriesList()).isEqualTo(copy.getEntriesList());
      }
      Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
      TabletDescriptor descriptor =
          new TabletDescriptor(
              CatalogTablet.ID,
              CatalogTablet.ID,
              "copy",
              CatalogRows.SCHEMA,
              0,
              CatalogCopy.attributes(copy));
      try (Tablet tablet = Tablet.create(run.environment(elsewhere), descriptor)) {
        CatalogCopy.install(copy, tablet);
        assertThat(tablet.flush()).isEqualTo(new LogPosition(copy.getTerm(), copy.getIndex()));
        Map<String, ByteString> entries = new HashMap<>();
        new ReplicatedCatalogStore(tablet, null, memory, 0)
            .scan((kind, id, record) -> entries.put(kind + " " + id, record));
        assertThat(entries).isEqualTo(run.load(run.tablet.store()));
      }
    }
  }

  /** Copies part after part, as a master does. */
  private static CopyCatalogResponsePB copy(Run run, long maxBytes) {
    CopyCatalogRequestPB.Builder request = CopyCatalogRequestPB.newBuilder();
    CopyCatalogResponsePB.Builder copy = CopyCatalogResponsePB.newBuilder();
    CopyCatalogResponsePB part;
    do {
      part = run.tablet.copy(request.build(), List.of(run.raft.self()), maxBytes);
      List<CopyCatalogResponsePB.EntryPB> earlier = List.copyOf(copy.getEntriesList());
      copy = part.toBuilder().clearEntries().addAllEntries(earlier);
      copy.addAllEntries(part.getEntriesList());
      CopyCatalogResponsePB.EntryPB last = part.getEntries(part.getEntriesCount() - 1);
      request.setIndex(part.getIndex()).setAfterKind(last.getKind()).setAfterId(last.getId());
    } while (part.getMore());
    return copy.build();
  }
}
