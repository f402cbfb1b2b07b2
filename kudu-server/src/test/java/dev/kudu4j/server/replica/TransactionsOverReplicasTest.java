package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.memory.Memory;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.raft.RaftOptions;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.memory.Allocators;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.apache.arrow.memory.BufferAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transfers between accounts in two tablets of three replicas, while leaders change and servers
 * restart. The sum of all accounts is the same at every snapshot, on every replica. The test takes
 * the part of the coordinator, which knows what was decided and repeats its steps.
 */
class TransactionsOverReplicasTest {
  private static final Schema SCHEMA =
      new Schema(
              List.of(
                  ColumnSchema.builder("account", DataType.INT64).key(true).build(),
                  ColumnSchema.builder("balance", DataType.INT64).build()))
          .withFreshIds();
  private static final RowLayout LAYOUT = RowLayout.of(SCHEMA);
  private static final int SERVERS = 3;
  private static final int TABLETS = 2;
  private static final int WORKERS = 3;
  private static final int ACCOUNTS_OF_WORKER = 6;
  private static final long FIRST_BALANCE = 1000;
  private static final long TOTAL = WORKERS * ACCOUNTS_OF_WORKER * FIRST_BALANCE;
  private static final int WANTED_TRANSFERS = Integer.getInteger("transactions.transfers", 60);
  private static final int ANSWER_MILLIS = 2_000;

  private static final Logger LOG = LoggerFactory.getLogger(TransactionsOverReplicasTest.class);

  @TempDir Path directory;
  private final List<Server> servers = new ArrayList<>();
  private final AtomicLong nextTransaction = new AtomicLong();
  private final AtomicLong committed = new AtomicLong();
  private final AtomicLong aborted = new AtomicLong();
  private final AtomicLong read = new AtomicLong();
  private final AtomicLong disturbed = new AtomicLong();
  private volatile boolean over;

  /** One server; its process is null while it is down. */
  private final class Server implements LocalExchange.Member {
    private final int number;
    private final int port;
    private final Map<String, TabletReplica> replicas = new ConcurrentHashMap<>();
    private final Map<String, Tablet> tablets = new ConcurrentHashMap<>();
    private volatile ReplicaHarness process;
    private BufferAllocator allocator;

    Server(int number) throws IOException {
      this.number = number;
      this.port = ReplicaHarness.freePort();
    }

    @Override
    public ReplicaHarness process() {
      return process;
    }

    @Override
    public TabletReplica replica(String tabletId) {
      return replicas.get(tabletId);
    }

    void startProcess() throws IOException {
      allocator = Allocators.root(1L << 30);
      process =
          new ReplicaHarness(
              directory.resolve("s" + number),
              Integer.toHexString(10 + number).repeat(32),
              port,
              RaftOptions.DEFAULT,
              ReplicaOptions.DEFAULT);
      process.raft.introducedBy(uuid -> Optional.of("127.0.0.1"));
      ReplicaHarness started = process;
      started
          .environment
          .requests()
          .setSender(
              replica ->
                  started.executor.execute(() -> LocalExchange.carry(this, replica, servers)));
    }

    private TabletEnvironment environment(String tabletId) {
      return TestTablets.environment(directory.resolve("s" + number + "-" + tabletId), allocator);
    }

    void create(String tabletId, List<RaftHost.Peer> members) throws IOException {
      Tablet tablet =
          Tablet.create(
              environment(tabletId),
              new TabletDescriptor(tabletId, "ab".repeat(16), "t", SCHEMA, 0, Map.of()));
      tablets.put(tabletId, tablet);
      replicas.put(
          tabletId,
          TabletReplica.create(tabletId, process.environment, ReplicaState.of(tablet), members));
    }

    synchronized void restart() throws IOException {
      stop();
      startProcess();
      for (int i = 0; i < TABLETS; i++) {
        Tablet tablet = Tablet.open(environment(tabletId(i)));
        tablets.put(tabletId(i), tablet);
        replicas.put(
            tabletId(i),
            TabletReplica.open(tabletId(i), process.environment, ReplicaState.of(tablet)));
      }
    }

    synchronized void stop() {
      List<TabletReplica> open = List.copyOf(replicas.values());
      replicas.clear();
      tablets.clear();
      ReplicaHarness stopping = process;
      process = null;
      stopping.close();
      open.forEach(TabletReplica::close);
      allocator.close();
    }

    /**
     * The sum of the balances in a tablet at a snapshot; empty if this server was stopped since the
     * replica said that the snapshot can be read.
     */
    synchronized Optional<Long> sum(String tabletId, TabletReplica replica, long snapshot)
        throws IOException {
      Tablet tablet = tablets.get(tabletId);
      if (tablet == null || replicas.get(tabletId) != replica) {
        return Optional.empty();
      }
      Schema balances = new Schema(List.of(SCHEMA.column(1)));
      long sum = 0;
      try (TabletScanner scanner = tablet.scan(ScanSpec.of(balances, snapshot));
          ColumnBatch batch = new ColumnBatch(allocator, balances)) {
        boolean more = true;
        while (more) {
          batch.clear();
          more = scanner.next(batch, 1 << 16);
          for (int row = 0; row < batch.rowCount(); row++) {
            sum += Memory.getLong(batch.column(0).cellAddress(row));
          }
        }
      }
      return Optional.of(sum);
    }
  }

  private static String tabletId(int number) {
    return "%032x".formatted(number + 1);
  }

  private static String tabletOf(long account) {
    return tabletId((int) (account % TABLETS));
  }

  private TabletReplica leader(String tabletId) {
    for (Server server : servers) {
      TabletReplica replica = server.replica(tabletId);
      if (replica != null && replica.isLeader()) {
        return replica;
      }
    }
    return null;
  }

  /**
   * Asks the leaders of tablets, all at once, until each has succeeded or a time is over.
   *
   * @return whether all succeeded
   */
  private boolean ask(
      List<String> tabletIds, Duration time, Function<TabletReplica, CompletableFuture<?>> step)
      throws InterruptedException {
    long deadline = System.nanoTime() + time.toNanos();
    List<String> left = new ArrayList<>(tabletIds);
    while (true) {
      Map<String, CompletableFuture<?>> asked = new HashMap<>();
      for (String tabletId : left) {
        TabletReplica leader = leader(tabletId);
        if (leader != null) {
          asked.put(tabletId, step.apply(leader));
        }
      }
      for (Map.Entry<String, CompletableFuture<?>> each : asked.entrySet()) {
        try {
          each.getValue().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
          left.remove(each.getKey());
        } catch (ExecutionException | TimeoutException e) {
          // another attempt, perhaps at another leader
        }
      }
      if (left.isEmpty() || System.nanoTime() > deadline) {
        return left.isEmpty();
      }
      await().until(() -> left.stream().allMatch(tabletId -> leader(tabletId) != null));
    }
  }

  private void insist(List<String> tabletIds, Function<TabletReplica, CompletableFuture<?>> step)
      throws InterruptedException {
    assertThat(ask(tabletIds, Duration.ofMinutes(1), step)).isTrue();
  }

  /** Moves money between accounts that no other worker touches. */
  private final class Worker {
    private final int number;
    private final Random random;
    private final long[] balances = new long[ACCOUNTS_OF_WORKER];
    private long sequence;

    Worker(int number) {
      this.number = number;
      this.random = new Random(number);
      Arrays.fill(balances, FIRST_BALANCE);
    }

    private long account(int own) {
      return (long) number * ACCOUNTS_OF_WORKER + own;
    }

    private WriteSubmission row(OperationType type, long transaction, int own, long balance) {
      RowOperationsWriter writer = new RowOperationsWriter(LAYOUT);
      writer.begin(type).setLong(0, account(own)).setLong(1, balance).end();
      sequence++;
      return new WriteSubmission(
              new RequestId("worker " + number, sequence, sequence),
              0,
              new int[] {0, 1},
              writer.packed(),
              WriteSubmission.NO_DEADLINE,
              WriteSubmission.ANY_TERM)
          .inTransaction(transaction);
    }

    void open() throws InterruptedException {
      for (int own = 0; own < ACCOUNTS_OF_WORKER; own++) {
        WriteSubmission row =
            row(OperationType.INSERT, WriteRequest.NO_TRANSACTION, own, FIRST_BALANCE);
        insist(List.of(tabletOf(account(own))), leader -> leader.write(row));
      }
    }

    Void run() throws Exception {
      while (!over) {
        transfer();
      }
      return null;
    }

    private void transfer() throws InterruptedException {
      long transaction = nextTransaction.getAndIncrement();
      int from = random.nextInt(ACCOUNTS_OF_WORKER);
      int to = (from + 1 + random.nextInt(ACCOUNTS_OF_WORKER - 1)) % ACCOUNTS_OF_WORKER;
      long amount = random.nextInt(100);
      stage(transaction, from, balances[from] - amount);
      stage(transaction, to, balances[to] + amount);
      List<String> tablets =
          List.of(tabletOf(account(from)), tabletOf(account(to))).stream().distinct().toList();
      long timestamp = prepare(transaction, tablets);
      if (timestamp == 0 || random.nextInt(5) == 0) {
        insist(tablets, leader -> leader.transactions().abort(transaction));
        aborted.incrementAndGet();
        return;
      }
      insist(tablets, leader -> leader.transactions().commit(transaction, timestamp));
      balances[from] -= amount;
      balances[to] += amount;
      committed.incrementAndGet();
    }

    private void stage(long transaction, int own, long balance) throws InterruptedException {
      WriteSubmission row = row(OperationType.UPDATE, transaction, own, balance);
      insist(
          List.of(tabletOf(account(own))),
          leader -> leader.write(row).thenAccept(result -> assertThat(result.errors()).isEmpty()));
    }

    /** The commit timestamp that all tablets have reserved; 0 if they have not soon. */
    private long prepare(long transaction, List<String> tablets) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
      while (System.nanoTime() < deadline) {
        long timestamp = now() + HybridTime.ofMicros(20_000) + transaction % 4096;
        if (ask(
            tablets,
            Duration.ofMillis(30),
            leader -> leader.transactions().prepare(transaction, timestamp, 1))) {
          return timestamp;
        }
      }
      return 0;
    }
  }

  private long now() {
    return servers.stream()
        .map(Server::process)
        .filter(process -> process != null)
        .mapToLong(process -> process.clock.now())
        .max()
        .orElseThrow();
  }

  /** Reads both tablets at one snapshot, each on any replica. */
  private Void read(long opened) throws Exception {
    Random random = new Random(99);
    long last = opened;
    while (!over) {
      TabletReplica first = servers.get(random.nextInt(SERVERS)).replica(tabletId(0));
      if (first == null) {
        continue; // another server
      }
      long snapshot = Math.max(last, first.safeTime().now());
      long sum = 0;
      boolean all = true;
      for (int i = 0; i < TABLETS; i++) {
        Optional<Long> part = sumAt(servers.get(random.nextInt(SERVERS)), tabletId(i), snapshot);
        all &= part.isPresent();
        sum += part.orElse(0L);
      }
      if (all) {
        assertThat(sum).as("the sum at %d", snapshot).isEqualTo(TOTAL);
        last = snapshot;
        read.incrementAndGet();
        long seen = committed.get();
        await().until(() -> over || committed.get() > seen); // the next sum is another
      }
    }
    return null;
  }

  private Optional<Long> sumAt(Server server, String tabletId, long snapshot) throws Exception {
    TabletReplica replica = server.replica(tabletId);
    if (replica == null) {
      return Optional.empty();
    }
    try {
      replica
          .safeTime()
          .whenReadable(snapshot, TimeUnit.SECONDS.toNanos(5))
          .get(10, TimeUnit.SECONDS);
      return server.sum(tabletId, replica, snapshot);
    } catch (ExecutionException | TimeoutException e) {
      return Optional.empty(); // the replica has ended, or has no leader yet
    }
  }

  /** Restarts servers, moves leaderships and flushes tablets. */
  private Void disturb() throws Exception {
    Random random = new Random(7);
    while (!over) {
      Server server = servers.get(random.nextInt(SERVERS));
      String tabletId = tabletId(random.nextInt(TABLETS));
      TabletReplica replica = server.replica(tabletId);
      try {
        switch (random.nextInt(4)) {
          case 0 -> server.restart();
          case 1 -> replica.runElection();
          case 2 -> replica.stepDown().get(10, TimeUnit.SECONDS);
          default -> replica.flush();
        }
      } catch (ExecutionException | TimeoutException e) {
        // it does not lead
      }
      disturbed.incrementAndGet();
      LOG.info(
          "{} committed, {} aborted, {} sums read, {} disturbances",
          committed,
          aborted,
          read,
          disturbed);
      await().until(() -> leader(tabletId(0)) != null && leader(tabletId(1)) != null);
      long before = committed.get();
      await().until(() -> over || committed.get() >= before + 3);
    }
    return null;
  }

  @Test
  void theSumOfAllAccountsNeverChanges() throws Exception {
    for (int i = 0; i < SERVERS; i++) {
      Server server = new Server(i);
      server.startProcess();
      servers.add(server);
    }
    List<RaftHost.Peer> members = servers.stream().map(s -> s.process.raft.self()).toList();
    for (int i = 0; i < TABLETS; i++) {
      for (Server server : servers) {
        server.create(tabletId(i), members);
      }
    }
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      workers.add(new Worker(i));
      workers.get(i).open();
    }
    long opened = now();
    for (Server server : servers) {
      for (int i = 0; i < TABLETS; i++) {
        String tabletId = tabletId(i);
        await().until(() -> sumAt(server, tabletId, opened).isPresent());
      }
    }
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      List<Future<Void>> running = new ArrayList<>();
      workers.forEach(worker -> running.add(threads.submit(worker::run)));
      running.add(threads.submit(() -> read(opened)));
      running.add(threads.submit(this::disturb));
      await()
          .until(
              () ->
                  running.stream().anyMatch(Future::isDone)
                      || (committed.get() >= WANTED_TRANSFERS
                          && disturbed.get() >= WANTED_TRANSFERS / 10
                          && read.get() >= WANTED_TRANSFERS));
      over = true;
      for (Future<Void> each : running) {
        each.get(2, TimeUnit.MINUTES);
      }
      long end = now();
      for (Server server : servers) {
        long sum = 0;
        for (int i = 0; i < TABLETS; i++) {
          String tabletId = tabletId(i);
          await().until(() -> sumAt(server, tabletId, end).isPresent());
          sum += sumAt(server, tabletId, end).orElseThrow();
          assertThat(server.replica(tabletId).transactions().open()).isEmpty();
        }
        assertThat(sum).isEqualTo(TOTAL);
      }
    } finally {
      over = true;
      threads.shutdownNow();
      servers.forEach(Server::stop);
    }
    assertThat(aborted).hasPositiveValue();
  }
}
