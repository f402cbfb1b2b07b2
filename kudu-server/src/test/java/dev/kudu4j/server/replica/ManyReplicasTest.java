package dev.kudu4j.server.replica;

import static dev.kudu4j.common.Patience.await;
import static dev.kudu4j.server.replica.ReplicaHarness.insert;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.tablet.log.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cost of each replica on a server with many, and the time until they serve after a restart.
 */
class ManyReplicasTest {
  private static final int OPENING_THREADS = 8;
  private static final int BUSY_LOOPS = 4;
  private static final int STARTED_GROUPS = Integer.getInteger("started.groups", 500);

  @TempDir Path directory;
  private ReplicaHarness process;
  private final List<TabletReplica> replicas = new ArrayList<>();
  private final List<CountingState> states = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    process.close();
  }

  /** If this fails, a new version of Ratis has other fields: see {@code GroupTuning}. */
  @Test
  void anIdleReplicaHasNoThreadsAndLittleMemory() throws Exception {
    process = new ReplicaHarness(directory);
    create(2); // and the shared resources
    Set<Thread> threads = threads();
    long direct = directBytes();
    create(20);
    for (TabletReplica replica : replicas) {
      replica.write(insert(null, 1)).get(30, TimeUnit.SECONDS);
    }
    await().until(() -> directBytes() - direct < (1 << 20));
    await().untilAsserted(() -> assertThat(threadsOfGroups(threads)).isEmpty());
  }

  @Test
  void replicasRestartConcurrently() throws Exception {
    comeBack(60);
  }

  /** Goal: less than a minute in a real server, which has more work for each. */
  @Tag("nightly")
  @Test
  void thousandReplicasRestart() throws Exception {
    assertThat(comeBack(1_000)).isLessThan(60_000);
  }

  /** A group may elect itself and apply its first entry before its start has returned. */
  @Test
  void groupsOfOneMemberAreReadyForAnyThreadTiming() throws Exception {
    process = new ReplicaHarness(directory);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger next = new AtomicInteger();
    ExecutorService executor = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < BUSY_LOOPS; i++) {
        executor.execute(
            () -> {
              while (!done.get()) {
                Thread.onSpinWait();
              }
            });
      }
      List<Future<Void>> creators = new ArrayList<>();
      for (int i = 0; i < OPENING_THREADS; i++) {
        creators.add(executor.submit(() -> createUntil(next, STARTED_GROUPS)));
      }
      for (Future<Void> creator : creators) {
        creator.get();
      }
    } finally {
      done.set(true);
      executor.shutdown();
    }
  }

  private Void createUntil(AtomicInteger next, int count) throws Exception {
    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
      TabletReplica replica =
          process.create(TabletCluster.tabletId(i), new CountingState(LogPosition.NONE));
      replica.whenLeader().get(Patience.SECONDS, TimeUnit.SECONDS);
      replica.close();
    }
    return null;
  }

  private long comeBack(int count) throws Exception {
    process = new ReplicaHarness(directory);
    create(count);
    for (TabletReplica replica : replicas) {
      replica.write(insert(null, 1)).get(30, TimeUnit.SECONDS);
    }
    process.close();
    replicas.clear();
    process = new ReplicaHarness(directory);
    long start = System.nanoTime();
    open(count);
    for (TabletReplica replica : replicas) {
      replica.whenLeader().get(30, TimeUnit.SECONDS);
    }
    long millis = (System.nanoTime() - start) / 1_000_000;
    System.out.println(count + " replicas came back in " + millis + " ms");
    assertThat(states).hasSize(count).allMatch(state -> state.entries() == 1);
    return millis;
  }

  private void create(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      replicas.add(
          process.create(
              TabletCluster.tabletId(replicas.size()), new CountingState(LogPosition.NONE)));
    }
  }

  private void open(int count) {
    ExecutorService opening = Executors.newFixedThreadPool(OPENING_THREADS);
    List<CompletableFuture<TabletReplica>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String tablet = TabletCluster.tabletId(i);
      all.add(CompletableFuture.supplyAsync(() -> open(tablet), opening));
    }
    all.forEach(replica -> replicas.add(replica.join()));
    opening.shutdown();
  }

  private TabletReplica open(String tablet) {
    CountingState state = new CountingState(LogPosition.NONE);
    states.add(state);
    try {
      return TabletReplica.open(tablet, process.environment, state);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Thread> threadsOfGroups(Set<Thread> before) {
    Set<Thread> more = threads();
    more.removeAll(before);
    return more.stream().filter(thread -> thread.getName().contains("@group")).toList();
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream().collect(Collectors.toSet());
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
