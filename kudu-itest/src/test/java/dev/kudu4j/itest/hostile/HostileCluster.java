package dev.kudu4j.itest.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.kudu4j.ColumnSchema;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.CreateTableOptions;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.LocatedTablet;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.SessionConfiguration;
import dev.kudu4j.common.proto.common.ColumnSchemaPB;
import dev.kudu4j.common.proto.common.DataType;
import dev.kudu4j.common.proto.tserver.ChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.ChecksumResponsePB;
import dev.kudu4j.common.proto.tserver.ContinueChecksumRequestPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.itest.support.LocalCluster;
import dev.kudu4j.itest.support.Site;
import dev.kudu4j.tools.Kudu;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A master and three tablet servers with small heaps, two tables that must survive, and the checks
 * after an attack.
 *
 * <ul>
 *   <li>Table {@link #STILL} is never written again: the checksums of its replicas stay the same.
 *   <li>Table {@link #BUSY} is the {@link Bystander}'s.
 * </ul>
 */
final class HostileCluster implements AutoCloseable {
  static final String OPERATOR = System.getProperty("user.name");
  static final String STRANGER = "mallory";
  static final String STILL = "still";
  static final String BUSY = "busy";
  static final int TABLET_SERVERS = 3;
  static final String TABLET_SERVICE = "kudu.tserver.TabletServerService";

  /**
   * Small, and returned to the system after a collection, so that the kernel's figures are
   * meaningful.
   */
  private static final List<String> JVM =
      Stream.concat(
              LocalCluster.SMALL_JVM.stream(),
              Stream.of("-XX:MinHeapFreeRatio=10", "-XX:MaxHeapFreeRatio=30"))
          .toList();

  /** Scanners and sessions of tablet copies that attacks leave behind end soon. */
  private static final List<String> SHORT_LIVES =
      List.of(
          "--scanner_ttl_ms=10000",
          "--tablet_copy_idle_timeout_sec=10",
          "--heartbeat_interval_ms=200");

  private static final String NO_SECRET = "--cluster_secret_file=";

  private static final int STILL_ROWS = 2_000;
  private static final long MEMORY_LIMIT_BYTES = 600L << 20;
  private static final Duration SETTLING = Duration.ofMinutes(2);

  /**
   * A server that was registered and never existed may have become a member of a group. The group
   * evicts it when it has been silent for {@code --follower_unavailable_considered_failed_sec}.
   */
  private static final Duration HEALING = Duration.ofMinutes(7);

  // Resources that a server may still hold after an attack.
  private static final int MORE_THREADS = 60;
  private static final int MORE_DESCRIPTORS = 60;
  private static final long MORE_RESIDENT_BYTES = 250L << 20;
  private static final long MORE_HEAP_BYTES = 40L << 20;
  private static final long MORE_HEAP_BYTES_DURING_ATTACK = 100L << 20;
  private static final long MORE_LOG_BYTES = 1L << 20;

  private final Sentinel sentinel;
  private final LocalCluster servers;
  private final List<Target> targets = new ArrayList<>();
  private final Map<String, Vitals> before = new TreeMap<>();
  private final Map<String, Long> heapBefore = new TreeMap<>();
  private KuduClient client;
  private Bystander bystander;
  private Map<String, Long> checksums;

  private HostileCluster(Path root, UnaryOperator<Site> site, String... flags) throws IOException {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--txn_manager_enabled");
    all.add("--memory_limit_hard_bytes=" + MEMORY_LIMIT_BYTES);
    all.addAll(SHORT_LIVES);
    servers =
        new LocalCluster(
            root.resolve("cluster"),
            1,
            TABLET_SERVERS,
            name -> JVM,
            name -> site.apply(Site.LOOPBACK),
            all.toArray(String[]::new));
    sentinel = Sentinel.plant(root);
  }

  /**
   * Starts a cluster without a secret, so any client may claim to be a server. Removes the files of
   * an earlier cluster of the same name.
   */
  static HostileCluster start(String name) throws IOException {
    return start(name, site -> site, NO_SECRET);
  }

  /** Starts a cluster whose servers prove a shared secret. */
  static HostileCluster startWithSecret(String name) throws IOException {
    return start(name, site -> site);
  }

  /**
   * Starts a cluster without a secret.
   *
   * @param site changes the site of a server, to limit its process
   */
  static HostileCluster start(String name, UnaryOperator<Site> site) throws IOException {
    return start(name, site, NO_SECRET);
  }

  private static HostileCluster start(String name, UnaryOperator<Site> site, String... flags)
      throws IOException {
    Path root = Path.of("target", "hostile", name).toAbsolutePath();
    deleteTree(root);
    HostileCluster cluster = new HostileCluster(root, site, flags);
    try {
      cluster.prepare();
      return cluster;
    } catch (IOException | RuntimeException | Error e) {
      cluster.discard();
      throw e;
    }
  }

  private static void deleteTree(Path root) throws IOException {
    if (Files.exists(root)) {
      try (Stream<Path> paths = Files.walk(root)) {
        for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
          Files.delete(path);
        }
      }
    }
  }

  private void prepare() throws IOException {
    servers.start();
    targets.add(Target.of(servers.master()));
    servers.tabletServers().forEach(daemon -> targets.add(Target.of(daemon)));
    client = new KuduClient.KuduClientBuilder(servers.masters()).build();
    createTable(STILL, TABLET_SERVERS, 2);
    createTable(BUSY, TABLET_SERVERS, 1);
    fill();
    servers.flush();
    checksums =
        await("all replicas hold all rows")
            .atMost(SETTLING)
            .until(this::checksums, HostileCluster::agree);
    bystander = new Bystander(servers.masters(), BUSY);
    bystander.awaitProgress();
    for (Target target : targets) {
      heapBefore.put(target.name(), Vitals.liveHeapBytes(target.daemon()));
      before.put(target.name(), Vitals.of(target.daemon()));
    }
  }

  /** A table of a number and a string. */
  KuduTable createTable(String name, int replicas, int tablets) throws KuduException {
    Schema schema =
        new Schema(
            List.of(
                new ColumnSchema.ColumnSchemaBuilder("id", Type.INT64).key(true).build(),
                new ColumnSchema.ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()));
    return createTable(name, schema, replicas, tablets);
  }

  KuduTable createTable(String name, Schema schema, int replicas, int tablets)
      throws KuduException {
    CreateTableOptions options = new CreateTableOptions().setNumReplicas(replicas);
    String key = schema.getColumnByIndex(0).getName();
    return client.createTable(
        name,
        schema,
        tablets == 1
            ? options.setRangePartitionColumns(List.of())
            : options.addHashPartitions(List.of(key), tablets));
  }

  private void fill() throws KuduException {
    load(STILL, STILL_ROWS, "still");
  }

  /** Inserts rows into an empty table. */
  void load(String name, int rows, String text) throws KuduException {
    KuduTable table = client.openTable(name);
    KuduSession session = client.newSession();
    session.setFlushMode(SessionConfiguration.FlushMode.AUTO_FLUSH_BACKGROUND);
    for (long i = 0; i < rows; i++) {
      Operation insert = table.newInsert();
      insert.getRow().addLong(0, i);
      insert.getRow().addString(1, text + " " + i);
      session.apply(insert);
    }
    session.close();
    assertThat(session.countPendingErrors()).isZero();
  }

  KuduClient client() {
    return client;
  }

  LocalCluster servers() {
    return servers;
  }

  Target master() {
    return targets.get(0);
  }

  List<Target> tabletServers() {
    return targets.subList(1, targets.size());
  }

  List<Target> all() {
    return targets;
  }

  /** The directory tree that no server may touch. */
  Path victim() {
    return sentinel.victim();
  }

  List<String> tabletIds(String table) {
    try {
      return client.openTable(table).getTabletsLocations(60_000).stream()
          .map(tablet -> new String(tablet.getTabletId(), StandardCharsets.UTF_8))
          .toList();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** The server that leads a tablet, according to the master. */
  Target leader(String table, int tablet) {
    try {
      List<LocatedTablet> tablets = client.openTable(table).getTabletsLocations(60_000);
      int port = tablets.get(tablet).getLeaderReplica().getRpcPort();
      return targets.stream()
          .filter(target -> target.rpc().getPort() == port)
          .findAny()
          .orElseThrow();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  void dropTable(String name) throws KuduException {
    client.deleteTable(name);
  }

  // ---- the checks

  /** Checks that are cheap enough to run after each attack. */
  void assertUnharmed() {
    assertProcessesLive();
    assertThat(sentinel.changes()).as("files outside the data directories").isEmpty();
    bystander.awaitProgress();
    assertThat(bystander.failures()).as("failed operations of a normal client").isEmpty();
    assertThat(checksums()).as("checksums of replicas").isEqualTo(checksums);
    awaitHeartbeats();
    for (Target target : targets) {
      awaitThreadsAndDescriptors(target);
      assertLogIsShort(target);
    }
  }

  /** Waits until the master gets heartbeats from every tablet server again. */
  void awaitHeartbeats() {
    long began = System.nanoTime();
    await("every tablet server reports to the master")
        .atMost(Duration.ofSeconds(30))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              long millis = (System.nanoTime() - began) / 1_000_000;
              return reportedWithin(millis) == TABLET_SERVERS;
            });
  }

  private long reportedWithin(long millis) throws IOException {
    List<ByteString> known = tabletServers().stream().map(Target::uuidBytes).toList();
    try (RawRpc connection = RawRpc.operator(master().rpc())) {
      return RegistrationAttacks.tabletServers(connection).stream()
          .filter(server -> known.contains(server.getInstanceId().getPermanentUuid()))
          .filter(server -> server.getMillisSinceHeartbeat() < millis)
          .count();
    }
  }

  /** Asserts that a normal client is served during an attack. */
  void assertServes() {
    assertProcessesLive();
    bystander.awaitProgress();
    assertThat(bystander.failures()).as("failed operations of a normal client").isEmpty();
  }

  /** Asserts that the current connections use little memory. */
  void assertHeapIsBounded(Target target) {
    assertServes();
    assertThat(Vitals.liveHeapBytes(target.daemon()) - heapBefore.get(target.name()))
        .as("growth of the live heap of %s during the attack", target.name())
        .isLessThan(MORE_HEAP_BYTES_DURING_ATTACK);
  }

  /** All checks. */
  void assertAsBefore() {
    assertUnharmed();
    await("ksck finds all replicas healthy and the same")
        .atMost(HEALING)
        .untilAsserted(this::assertKsckIsContent);
    for (Target target : targets) {
      assertMemoryIsFlat(target);
    }
    assertProcessesLive();
    System.out.println("hostile: " + vitals());
    System.out.println("hostile: a normal client: " + bystander.summary());
  }

  private void assertProcessesLive() {
    for (Target target : targets) {
      assertThat(target.daemon().isAlive()).as("%s lives", target.name()).isTrue();
      assertThat(target.daemon().output())
          .as("log of %s", target.name())
          .doesNotContain("OutOfMemoryError", "OutOfDirectMemory", "StackOverflowError");
    }
  }

  private void awaitThreadsAndDescriptors(Target target) {
    Vitals old = before.get(target.name());
    await("threads and descriptors of " + target.name() + " are as before: " + old)
        .atMost(SETTLING)
        .untilAsserted(
            () -> {
              Vitals now = Vitals.of(target.daemon());
              assertThat(now.threads()).as("threads").isLessThan(old.threads() + MORE_THREADS);
              assertThat(now.descriptors())
                  .as("descriptors")
                  .isLessThan(old.descriptors() + MORE_DESCRIPTORS);
            });
  }

  private void assertLogIsShort(Target target) {
    long bytes = target.daemon().logBytes() - before.get(target.name()).logBytes();
    assertThat(bytes).as("growth of the log of %s", target.name()).isLessThan(MORE_LOG_BYTES);
  }

  private void assertMemoryIsFlat(Target target) {
    assertThat(Vitals.liveHeapBytes(target.daemon()) - heapBefore.get(target.name()))
        .as("growth of the live heap of %s", target.name())
        .isLessThan(MORE_HEAP_BYTES);
    assertThat(
            Vitals.of(target.daemon()).residentBytes() - before.get(target.name()).residentBytes())
        .as("growth of the resident memory of %s", target.name())
        .isLessThan(MORE_RESIDENT_BYTES);
  }

  private void assertKsckIsContent() {
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output, true);
    int verdict =
        Kudu.commandLine()
            .setOut(writer)
            .setErr(writer)
            .execute("cluster", "ksck", servers.masters(), "--checksum_scan");
    assertThat(verdict).as("%s", output).isZero();
  }

  /** The checksum of every replica of the table that is not written to. */
  private Map<String, Long> checksums() {
    Map<String, Long> sums = new TreeMap<>();
    for (String tablet : tabletIds(STILL)) {
      for (Target target : tabletServers()) {
        sums.put(tablet + " on " + target.name(), checksum(target, tablet));
      }
    }
    return sums;
  }

  /** Whether the replicas of each tablet, whose checksums are adjacent, have equal checksums. */
  private static boolean agree(Map<String, Long> checksums) {
    List<Long> sums = List.copyOf(checksums.values());
    for (int i = 0; i < sums.size(); i++) {
      if (sums.get(i) == 0 || !sums.get(i).equals(sums.get(i / TABLET_SERVERS * TABLET_SERVERS))) {
        return false;
      }
    }
    return true;
  }

  private static long checksum(Target target, String tablet) {
    try (RawRpc connection = RawRpc.operator(target.rpc())) {
      ChecksumResponsePB answer =
          checksum(
              connection,
              ChecksumRequestPB.newBuilder()
                  .setNewRequest(
                      NewScanRequestPB.newBuilder()
                          .setTabletId(ByteString.copyFromUtf8(tablet))
                          .addProjectedColumns(column("id", DataType.INT64, true))
                          .addProjectedColumns(column("text", DataType.STRING, false)))
                  .setCallSeqId(0));
      for (int call = 1; answer.getHasMoreResults(); call++) {
        answer =
            checksum(
                connection,
                ChecksumRequestPB.newBuilder()
                    .setContinueRequest(
                        ContinueChecksumRequestPB.newBuilder()
                            .setScannerId(answer.getScannerId())
                            .setPreviousChecksum(answer.getChecksum()))
                    .setCallSeqId(call));
      }
      return answer.getChecksum();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ChecksumResponsePB checksum(RawRpc connection, ChecksumRequestPB.Builder request) {
    ChecksumResponsePB answer =
        connection.ask(TABLET_SERVICE, "Checksum", request.build(), ChecksumResponsePB.parser());
    assertThat(answer.hasError()).as("%s", answer.getError()).isFalse();
    return answer;
  }

  static ColumnSchemaPB.Builder column(String name, DataType type, boolean key) {
    return ColumnSchemaPB.newBuilder()
        .setName(name)
        .setType(type)
        .setIsKey(key)
        .setIsNullable(!key);
  }

  /** Current and previous resources of the processes. */
  String vitals() {
    StringBuilder text = new StringBuilder();
    for (Target target : targets) {
      text.append(target.name()).append(": ").append(before.get(target.name())).append(" -> ");
      text.append(target.daemon().isAlive() ? Vitals.of(target.daemon()) : "dead").append("; ");
    }
    return text.toString();
  }

  // ---- the end

  /** Ends the cluster without checking its files: an attack has succeeded. */
  void discard() {
    servers.expectBrokenFiles();
    close();
  }

  @Override
  public void close() {
    try {
      if (bystander != null) {
        bystander.close();
      }
      if (client != null) {
        client.close();
      }
    } catch (KuduException e) {
      throw new AssertionError(e);
    } finally {
      servers.close();
    }
  }
}
