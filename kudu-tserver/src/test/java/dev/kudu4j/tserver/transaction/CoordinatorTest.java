package dev.kudu4j.tserver.transaction;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.server.leaders.RefusedException;
import dev.kudu4j.server.leaders.TabletGoneException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A coordinator whose store and participants fail, with or without effect, and which is replaced by
 * another one at any time.
 */
class CoordinatorTest {
  private static final String USER = "alice";
  private static final List<String> TABLETS = List.of("a", "b", "c");
  private static final int TRANSACTIONS = 60;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(2);
  private final HybridClock clock = new HybridClock(TimeSource.system(1000), 10_000_000);
  private final TransactionMeters meters = new TransactionMeters();
  private final World world = new World();
  private Coordinator coordinator;

  /** By transaction: the tablets that may take rows of it. */
  private final Map<Long, Set<String>> registrations = new HashMap<>();

  private record Prepared(long timestamp, long term) {}

  /** What outlives a coordinator: the stored rows, and the tablets. */
  private final class World implements Participants {
    private final Map<Long, TxnStatusEntryPB> entries = new TreeMap<>();
    private final Map<Long, Set<String>> participants = new HashMap<>();

    /** By tablet and transaction. */
    private final Map<String, Map<Long, Prepared>> prepared = new HashMap<>();

    private final Map<String, Map<Long, Long>> committed = new HashMap<>();
    private final Map<String, Set<Long>> aborted = new HashMap<>();
    private final Set<String> dropped = new HashSet<>();
    private final List<String> findings = new ArrayList<>();
    private Random trouble; // null in calm times
    private long term;

    /** Does the work, unless it fails without effect; the caller may not learn that it is done. */
    private synchronized CompletableFuture<Void> answer(StatusCode failure, Runnable work) {
      int luck = trouble == null ? 9 : trouble.nextInt(10);
      if (luck > 0) {
        try {
          work.run();
        } catch (KuduException refusal) {
          return CompletableFuture.failedFuture(refusal);
        }
      }
      return luck < 2
          ? CompletableFuture.failedFuture(new KuduException(failure, "no answer"))
          : CompletableFuture.supplyAsync(() -> null, timer);
    }

    private CompletableFuture<Void> step(String tablet, Runnable work) {
      if (dropped.contains(tablet)) {
        return CompletableFuture.failedFuture(new TabletGoneException(tablet));
      }
      return answer(StatusCode.TIMED_OUT, work);
    }

    /** As tablets, refuses what comes too late. */
    @Override
    public synchronized CompletableFuture<Void> prepare(
        String tablet, long id, long timestamp, long ofTerm) {
      Prepared before = prepared.computeIfAbsent(tablet, t -> new HashMap<>()).get(id);
      if (hasEnded(tablet, id)) {
        return step(
            tablet,
            () -> {
              clock.update(committed.getOrDefault(tablet, Map.of()).getOrDefault(id, 0L));
              throw new RefusedException(KuduException.illegalState("it has ended"));
            });
      }
      boolean late =
          before != null
              && (ofTerm < before.term || (ofTerm == before.term && timestamp < before.timestamp));
      return late
          ? CompletableFuture.failedFuture(KuduException.serviceUnavailable("too late"))
          : step(tablet, () -> prepared.get(tablet).put(id, new Prepared(timestamp, ofTerm)));
    }

    private boolean hasEnded(String tablet, long id) {
      return committed.getOrDefault(tablet, Map.of()).containsKey(id)
          || aborted.getOrDefault(tablet, Set.of()).contains(id);
    }

    /** The COMMIT of a single participant is the decision. */
    private boolean mayDecide(long id) {
      return participants.get(id).size() == 1
          && entries.get(id).getState() == TxnStatePB.COMMIT_IN_PROGRESS;
    }

    @Override
    public CompletableFuture<Void> commit(String tablet, long id, long timestamp) {
      return step(
          tablet,
          () -> {
            if (hasEnded(tablet, id)) {
              return;
            }
            Prepared here = prepared.getOrDefault(tablet, Map.of()).get(id);
            if (here == null || here.timestamp != timestamp) {
              if (!mayDecide(id)) {
                findings.add(id + " is not prepared to commit in " + tablet);
              }
              throw KuduException.illegalState("another coordinator has prepared it again");
            }
            if (!mayDecide(id) && entries.get(id).getCommitTimestamp() != timestamp) {
              findings.add(id + " commits, and that is not stored");
            }
            committed.computeIfAbsent(tablet, t -> new HashMap<>()).put(id, timestamp);
          });
    }

    @Override
    public CompletableFuture<Void> abort(String tablet, long id) {
      return step(
          tablet,
          () -> {
            if (committed.getOrDefault(tablet, Map.of()).containsKey(id)) {
              findings.add(id + " is aborted after its commit in " + tablet);
            }
            aborted.computeIfAbsent(tablet, t -> new HashSet<>()).add(id);
          });
    }

    synchronized void calm() {
      trouble = null;
    }

    /** UNKNOWN if the transaction was lost with its coordinator. */
    synchronized TxnStatePB state(long id) {
      return entries.getOrDefault(id, TxnStatusEntryPB.getDefaultInstance()).getState();
    }
  }

  /** The store of one term. */
  private final class Store implements StatusStore {
    private final long term;

    Store(long term) {
      this.term = term;
    }

    @Override
    public long term() {
      return term;
    }

    private CompletableFuture<Void> put(Runnable write) {
      synchronized (world) {
        return term == world.term
            ? world.answer(StatusCode.SERVICE_UNAVAILABLE, write)
            : CompletableFuture.failedFuture(KuduException.illegalState("another term"));
      }
    }

    @Override
    public CompletableFuture<Void> putTransaction(long id, TxnStatusEntryPB entry) {
      return put(() -> world.entries.put(id, entry));
    }

    @Override
    public CompletableFuture<Void> putParticipant(long id, String tablet) {
      return put(() -> world.participants.computeIfAbsent(id, i -> new HashSet<>()).add(tablet));
    }

    @Override
    public CompletableFuture<Void> remove(Map<Long, List<String>> old) {
      return put(
          () -> {
            world.entries.keySet().removeAll(old.keySet());
            old.forEach((id, tablets) -> world.participants.get(id).removeAll(tablets));
          });
    }

    @Override
    public CompletableFuture<Void> putNothing() {
      return put(() -> {});
    }

    @Override
    public void read(Visitor visitor) {
      synchronized (world) {
        List.copyOf(world.entries.keySet()).forEach(id -> read(id, visitor));
      }
    }

    @Override
    public void read(long id, Visitor visitor) {
      synchronized (world) {
        TxnStatusEntryPB entry = world.entries.get(id);
        if (entry != null) {
          visitor.transaction(id, entry);
          world
              .participants
              .getOrDefault(id, Set.of())
              .forEach(tablet -> visitor.participant(id, tablet));
        }
      }
    }
  }

  @AfterEach
  void stop() {
    coordinator.close();
    timer.shutdownNow();
  }

  /** Another server leads now. The old coordinator does not know it. */
  private void replace() {
    long term;
    synchronized (world) {
      term = ++world.term;
    }
    Coordinator old = coordinator;
    coordinator = coordinator(term, 30_000, 0);
    coordinator.load();
    await("another coordinator").until(coordinator::isLoaded);
    if (old != null) {
      old.close();
    }
  }

  private Coordinator coordinator(long term, long keepaliveMillis, long stalenessMillis) {
    return new Coordinator(
        "status",
        new Store(term),
        0,
        1_000,
        new Coordinator.Environment(
            world,
            clock,
            new CommitLead(),
            meters,
            () -> keepaliveMillis,
            stalenessMillis,
            0,
            true,
            timer,
            timer));
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  private static boolean succeeds(CompletableFuture<?> future) throws Exception {
    try {
      get(future);
      return true;
    } catch (ExecutionException e) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void everyTransactionEndsInOneWay(long seed) throws Exception {
    Random random = new Random(seed);
    replace();
    world.trouble = new Random(seed);
    Set<Long> aborts = new HashSet<>();
    List<Long> begun = new ArrayList<>();
    for (int i = 0; i < TRANSACTIONS; i++) {
      if (random.nextInt(10) == 0) {
        replace();
      }
      CompletableFuture<Long> begin = coordinator.begin(USER);
      if (!succeeds(begin)) {
        continue;
      }
      long id = begin.get();
      begun.add(id);
      boolean registered = true;
      for (String tablet : TABLETS.subList(0, 1 + random.nextInt(3))) {
        boolean acknowledged = succeeds(call(() -> coordinator.register(id, tablet, USER)));
        registered &= acknowledged;
        if (acknowledged) {
          registrations.computeIfAbsent(id, unknown -> new HashSet<>()).add(tablet);
        }
      }
      if (random.nextInt(15) == 0) {
        replace();
      }
      boolean commits = registered && random.nextInt(4) > 0;
      if (commits) {
        call(() -> coordinator.commit(id, USER));
      }
      if ((!commits || random.nextInt(8) == 0)
          && succeeds(call(() -> coordinator.abort(id, USER)))) {
        aborts.add(id);
      }
    }
    world.calm();
    replace();
    await("transactions that are not open have ended")
        .until(() -> coordinator.open().stream().allMatch(each -> each.state() == TxnStatePB.OPEN));
    assertThat(world.findings).isEmpty();
    assertThat(begun).hasSizeGreaterThan(TRANSACTIONS / 2).doesNotHaveDuplicates();
    assertThat(begun.stream().filter(id -> world.state(id) == TxnStatePB.COMMITTED).count())
        .isGreaterThan(TRANSACTIONS / 12);
    for (long id : begun) {
      verify(id, aborts.contains(id));
    }
    world.prepared.forEach(
        (tablet, transactions) ->
            assertThat(transactions.keySet())
                .as("prepared in %s, and not ended", tablet)
                .allMatch(id -> world.hasEnded(tablet, id) || world.state(id) == TxnStatePB.OPEN));
  }

  private static CompletableFuture<Void> call(
      java.util.function.Supplier<CompletableFuture<Void>> operation) {
    try {
      return operation.get();
    } catch (KuduException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void verify(long id, boolean abortWasAnswered) {
    TxnStatePB state = world.state(id);
    if (abortWasAnswered) {
      assertThat(state).as("transaction %d", id).isEqualTo(TxnStatePB.ABORTED);
    }
    for (String tablet : registrations.getOrDefault(id, Set.of())) {
      Long commit = world.committed.getOrDefault(tablet, Map.of()).get(id);
      if (state == TxnStatePB.COMMITTED) {
        long told = world.entries.get(id).getCommitTimestamp();
        if (world.participants.get(id).size() == 1) { // it decided alone, perhaps unheard
          assertThat(commit).isNotNull().isLessThanOrEqualTo(told);
        } else {
          assertThat(commit).isEqualTo(told);
        }
      } else {
        assertThat(commit).as("transaction %d, %s", id, state).isNull();
      }
      if (state == TxnStatePB.ABORTED) {
        assertThat(world.aborted.get(tablet)).contains(id);
      }
    }
  }

  @Test
  void aTabletThatWasDroppedMakesACommitFailAndAnAbortSucceed() throws Exception {
    replace();
    long id = get(coordinator.begin(USER));
    get(coordinator.register(id, "a", USER));
    get(coordinator.register(id, "b", USER));
    world.dropped.add("b");
    get(coordinator.commit(id, USER));
    await("it is aborted").until(() -> world.state(id) == TxnStatePB.ABORTED);
    assertThat(world.committed).isEmpty();
    assertThat(world.aborted.get("a")).containsExactly(id);
  }

  @Test
  void silentTransactionsAreAborted() throws Exception {
    coordinator = coordinator(0, 50, 5);
    coordinator.load();
    await("it is loaded").until(coordinator::isLoaded);
    long id = get(coordinator.begin(USER));
    get(coordinator.register(id, "a", USER));
    await("it is aborted").until(() -> world.state(id) == TxnStatePB.ABORTED);
    assertThat(world.aborted.get("a")).containsExactly(id);
  }

  @Test
  void aSingleParticipantThatCommittedDecides() throws Exception {
    replace();
    long id = get(coordinator.begin(USER));
    get(coordinator.register(id, "a", USER));
    synchronized (world) { // as a coordinator that died after COMMIT left it
      TxnStatusEntryPB open = world.entries.get(id);
      world.entries.put(id, open.toBuilder().setState(TxnStatePB.COMMIT_IN_PROGRESS).build());
      world.committed.computeIfAbsent("a", t -> new HashMap<>()).put(id, 1L);
    }
    coordinator.close();
    world.trouble = new Random(3);
    replace();
    assertThatThrownBy(() -> get(call(() -> coordinator.abort(id, USER))))
        .hasMessageContaining("cannot be aborted: state: COMMITTED");
    world.calm();
    await("it is committed").until(() -> world.state(id) == TxnStatePB.COMMITTED);
    assertThat(world.findings).isEmpty();
  }

  @Test
  void transactionsThatEndedLongAgoAreRemoved() throws Exception {
    replace();
    for (int i = 0; i < 1_100; i++) { // more than are removed with one write
      TxnStatusEntryPB.Builder entry =
          TxnStatusEntryPB.newBuilder()
              .setState(i % 2 == 0 ? TxnStatePB.COMMITTED : TxnStatePB.ABORTED)
              .setLastTransitionTimestamp(100);
      synchronized (world) {
        world.entries.put((long) i, entry.build());
        world.participants.put((long) i, new HashSet<>(Set.of("a", "b")));
      }
    }
    synchronized (world) {
      TxnStatusEntryPB ended = world.entries.get(7L);
      world.entries.put(7L, ended.toBuilder().setState(TxnStatePB.OPEN).build());
      world.entries.put(8L, ended.toBuilder().setLastTransitionTimestamp(500).build());
    }
    EndedTransactions old = new EndedTransactions("status", new Store(world.term));
    get(old.removeUntil(100));
    assertThat(world.entries).hasSize(1_100);
    get(old.removeUntil(101));
    assertThat(world.entries).containsOnlyKeys(7L, 8L, 1_099L);
    assertThat(world.participants.get(9L)).isEmpty();
    assertThat(world.participants.get(8L)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void aTransactionThatWasLostWithItsCoordinatorBeginsAtTheNext() throws Exception {
    replace();
    get(coordinator.begin(USER)); // the first one waits for its row
    synchronized (world) {
      world.term++; // nothing is stored any more
    }
    long lost = get(coordinator.begin(USER));
    replace();
    assertThat(world.state(lost)).isEqualTo(TxnStatePB.UNKNOWN);
    get(coordinator.register(lost, "a", USER));
    assertThatThrownBy(() -> coordinator.register(lost, "a", "bob"))
        .hasMessageContaining("not owned by");
    TxnStatusEntryPB end = get(coordinator.commitAndWait(lost, USER, 30_000));
    assertThat(end.getState()).isEqualTo(TxnStatePB.COMMITTED);
    assertThat(coordinator.status(lost, USER).getState()).isEqualTo(TxnStatePB.COMMITTED);
    assertThatThrownBy(() -> coordinator.commit(lost + 500, USER))
        .hasMessageContaining("not found");
    long next = get(coordinator.begin(USER));
    assertThat(next).isGreaterThan(lost);
  }

  @Test
  void aParticipantMayRegisterAgain() throws Exception {
    replace();
    long id = get(coordinator.begin(USER));
    get(coordinator.register(id, "a", USER));
    world.trouble =
        new Random() {
          @Override
          public int nextInt(int bound) {
            return 0; // nothing takes effect
          }
        };
    call(() -> coordinator.commit(id, USER));
    get(coordinator.register(id, "a", null));
    assertThatThrownBy(() -> coordinator.register(id, "b", null))
        .hasMessageContaining("not open: COMMIT_IN_PROGRESS");
  }

  @Test
  void aCommitWaitsForTheEnd() throws Exception {
    replace();
    long id = get(coordinator.begin(USER));
    get(coordinator.register(id, "a", USER));
    get(coordinator.register(id, "b", USER));
    TxnStatusEntryPB end = get(coordinator.commitAndWait(id, USER, 30_000));
    assertThat(end.getState()).isEqualTo(TxnStatePB.COMMITTED);
    assertThat(world.committed.get("b")).containsEntry(id, end.getCommitTimestamp());
  }

  @Test
  void onlyTheOwnerUsesATransaction() throws Exception {
    replace();
    long id = get(coordinator.begin(USER));
    assertThatThrownBy(() -> coordinator.commit(id, "bob")).hasMessageContaining("not owned by");
    assertThatThrownBy(() -> coordinator.register(id, "a", "bob"))
        .hasMessageContaining("not owned by");
    assertThatThrownBy(() -> coordinator.status(id, "bob")).hasMessageContaining("not owned by");
  }

  @Test
  void aTabletRunsOutOfIds() throws Exception {
    replace();
    for (long id = 0; id < 999; id = get(coordinator.begin(USER))) {
      assertThat(id).isLessThan(1_000);
    }
    assertThatThrownBy(() -> get(coordinator.begin(USER)))
        .satisfies(e -> assertThat(Failures.codeOf(e)).isEqualTo(StatusCode.END_OF_FILE));
  }
}
