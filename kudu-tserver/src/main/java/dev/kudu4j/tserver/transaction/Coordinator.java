package dev.kudu4j.tserver.transaction;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnStatusEntryPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates the transactions of one tablet of the table of transactions, while this server leads
 * the tablet in one term: begins and ends them, keeps their states as rows, and aborts those whose
 * clients are silent. {@link CommitDriver} carries out what was begun. Transactions that have ended
 * are not kept in memory.
 *
 * <p>Thread-safe.
 */
final class Coordinator implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinator.class);
  private static final long LOAD_PAUSE_MILLIS = 200;

  private static final long MAX_UNSTORED_IDS = 100;
  private static final long REMOVAL_PAUSE_SECONDS = 600;

  /** A client may repeat a commit for minutes, and must learn its outcome. */
  private static final long MIN_RETENTION_SECONDS = 600;

  /**
   * What a coordinator needs of its server.
   *
   * @param meters counts transactions that have ended
   * @param keepaliveMillis present value of the flag
   * @param stalenessMillis interval of the search for silent transactions; 0 for none
   * @param retentionSeconds how long transactions that have ended are kept; 0 for ever
   * @param drives whether commits and aborts are carried out
   * @param executor reads rows
   */
  record Environment(
      Participants participants,
      HybridClock clock,
      CommitLead lead,
      TransactionMeters meters,
      LongSupplier keepaliveMillis,
      long stalenessMillis,
      long retentionSeconds,
      boolean drives,
      ScheduledExecutorService timer,
      Executor executor) {
    long nowSeconds() {
      return TimeUnit.MICROSECONDS.toSeconds(clock.source().nowMicros());
    }
  }

  private final String tabletId;
  private final StatusStore rows;
  private final long endId;

  /**
   * Clients get the id of a new transaction before its row is stored, but only if it is at most so
   * far above the highest id that is stored. The next coordinator leaves out as many ids, and so
   * never uses one again. At most a hundredth of the range.
   */
  private final long unstoredIds;

  private final Environment environment;
  private final CommitDriver driver;
  private final Map<Long, CoordinatedTransaction> open = new ConcurrentHashMap<>();
  private volatile boolean loaded;
  private volatile boolean closed;
  private volatile @Nullable ScheduledFuture<?> staleness;
  private volatile @Nullable ScheduledFuture<?> removal;

  @GuardedBy("this")
  private long nextId;

  @GuardedBy("this")
  private long highestStoredId;

  /** The ids that the coordinator before may have given away without storing them. */
  private volatile long firstLostId;

  private volatile long lastLostId = -1;

  /** Those that clients have used here. */
  @GuardedBy("adopted")
  private final Set<Long> adopted = new HashSet<>();

  /**
   * @param firstId first id of the tablet's range
   * @param endId end of the range, exclusive
   */
  Coordinator(
      String tabletId, StatusStore rows, long firstId, long endId, Environment environment) {
    this.tabletId = tabletId;
    this.rows = rows;
    this.highestStoredId = Math.max(0, firstId) - 1;
    this.nextId = highestStoredId + 1;
    this.unstoredIds = Math.min(MAX_UNSTORED_IDS, (endId - nextId) / 100);
    this.endId = endId;
    this.environment = environment;
    this.driver = new CommitDriver(rows, environment, this::ended, () -> closed);
  }

  long term() {
    return rows.term();
  }

  boolean isLoaded() {
    return loaded;
  }

  /**
   * Reads the rows, and continues what an earlier coordinator began. Repeated until it succeeds.
   */
  void load() {
    rows.putNothing()
        .thenRunAsync(this::readRows, environment.executor())
        .whenComplete(
            (done, failure) -> {
              if (failure == null) {
                begin();
              } else if (!closed) {
                LOG.warn("Tablet {}: transactions cannot be loaded; will retry", tabletId, failure);
                after(LOAD_PAUSE_MILLIS, this::load);
              }
            });
  }

  private void readRows() {
    long nowNanos = System.nanoTime();
    Map<Long, CoordinatedTransaction> found = new ConcurrentHashMap<>();
    rows.read(
        new StatusStore.Visitor() {
          @Override
          public void transaction(long id, TxnStatusEntryPB entry) {
            isStored(id);
            if (!isOver(entry.getState())) {
              found.put(id, new CoordinatedTransaction(id, entry, true, nowNanos));
            }
          }

          @Override
          public void participant(long id, String participant) {
            isStored(id);
            CoordinatedTransaction transaction = found.get(id);
            if (transaction != null) {
              transaction.hasParticipant(participant);
            }
          }
        });
    open.putAll(found);
    synchronized (this) {
      firstLostId = highestStoredId + 1;
      lastLostId = highestStoredId + unstoredIds;
      nextId = lastLostId + 1;
    }
  }

  private synchronized void isStored(long id) {
    highestStoredId = Math.max(highestStoredId, id);
  }

  private void begin() {
    if (closed) {
      return;
    }
    loaded = true;
    LOG.info(
        "Tablet {}: coordinating transactions in term {}; {} have not ended",
        tabletId,
        term(),
        open.size());
    open.values().stream()
        .filter(transaction -> transaction.state() != TxnStatePB.OPEN)
        .forEach(driver::drive);
    long interval = environment.stalenessMillis();
    if (interval > 0) {
      staleness =
          environment
              .timer()
              .scheduleWithFixedDelay(
                  this::searchSilent, interval, interval, TimeUnit.MILLISECONDS);
    }
    if (environment.retentionSeconds() > 0) {
      long retention = Math.max(environment.retentionSeconds(), MIN_RETENTION_SECONDS);
      EndedTransactions ended = new EndedTransactions(tabletId, rows);
      removal =
          environment
              .timer()
              .scheduleWithFixedDelay(
                  () ->
                      environment
                          .executor()
                          .execute(() -> ended.removeUntil(environment.nowSeconds() - retention)),
                  REMOVAL_PAUSE_SECONDS,
                  REMOVAL_PAUSE_SECONDS,
                  TimeUnit.SECONDS);
    }
    if (closed) {
      close(); // it did not see the searches
    }
  }

  /** An exception would end the searches for good. */
  private void searchSilent() {
    try {
      abortSilent();
    } catch (RuntimeException e) {
      LOG.error("Tablet {}: silent transactions cannot be aborted", tabletId, e);
    }
  }

  private void after(long millis, Runnable action) {
    try {
      environment.timer().schedule(action, millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("A task was dropped, since the server is closing", e);
    }
  }

  static boolean isOver(TxnStatePB state) {
    return state == TxnStatePB.COMMITTED || state == TxnStatePB.ABORTED;
  }

  private void ended(CoordinatedTransaction transaction) {
    open.remove(transaction.id());
    if (transaction.state() == TxnStatePB.COMMITTED) {
      environment.meters().committed(transaction.commitNanos());
    } else {
      environment.meters().aborted();
    }
  }

  /** How many transactions have not ended. */
  int openCount() {
    return open.size();
  }

  /** The transactions that have not ended. */
  Collection<CoordinatedTransaction> open() {
    return List.copyOf(open.values());
  }

  /**
   * A transaction that has not ended; null if there is none. One that the coordinator before began
   * and did not store has done nothing else, since all else is stored first: so it begins here,
   * when its client uses it.
   *
   * @param user of the client; null if it is none
   */
  private @Nullable CoordinatedTransaction find(long id, @Nullable String user) {
    if (user != null && id >= firstLostId && id <= lastLostId) {
      synchronized (adopted) {
        if (adopted.add(id)) {
          LOG.info("Transaction {} of user {} begins again at this coordinator", id, user);
          beginAs(id, user).exceptionally(failure -> null); // a later call stores it
        }
      }
    }
    return open.get(id);
  }

  /**
   * Begins a transaction and returns its id. Its row is mostly not stored yet: if it is lost with
   * this coordinator, the next one begins a transaction of this id when it is used, and no other.
   *
   * @throws KuduException END_OF_FILE if the tablet has no ids left
   */
  CompletableFuture<Long> begin(String user) {
    long id;
    boolean first;
    synchronized (this) {
      if (nextId >= endId) {
        throw new KuduException(
            StatusCode.END_OF_FILE, "Tablet " + tabletId + " has no transaction IDs left");
      }
      id = nextId++;
      first = id - highestStoredId > unstoredIds;
    }
    CompletableFuture<Long> stored =
        beginAs(id, user)
            .thenApply(
                done -> {
                  isStored(id);
                  return id;
                });
    return first ? stored : CompletableFuture.completedFuture(id);
  }

  /**
   * Completes when the row is stored. If that fails, the transaction is aborted as a silent one.
   */
  private CompletableFuture<Void> beginAs(long id, String user) {
    long now = environment.nowSeconds();
    TxnStatusEntryPB entry =
        TxnStatusEntryPB.newBuilder()
            .setState(TxnStatePB.OPEN)
            .setUser(user)
            .setStartTimestamp(now)
            .setLastTransitionTimestamp(now)
            .build();
    CoordinatedTransaction transaction =
        new CoordinatedTransaction(id, entry, false, System.nanoTime());
    open.put(id, transaction);
    return transaction.store(rows);
  }

  /**
   * Makes a tablet a participant of an open transaction. Succeeds for a participant in any state
   * but the last one.
   *
   * @param user who writes; null if the tablet asks for rows that it has
   */
  CompletableFuture<Void> register(long id, String participant, @Nullable String user) {
    CoordinatedTransaction transaction = find(id, user);
    if (transaction == null) {
      throw notOpen(id, ended(id, user));
    }
    if (user != null) {
      checkUser(id, transaction.user(), user);
    }
    CompletableFuture<Void> registration = transaction.register(participant, rows);
    if (registration == null) {
      throw notOpen(id, transaction.chosen());
    }
    return registration;
  }

  private static KuduException notOpen(long id, TxnStatusEntryPB entry) {
    return KuduException.illegalState("transaction ID %d not open: %s", id, entry.getState());
  }

  /** Begins to commit. Completes when nothing but a failure of a participant can prevent it. */
  CompletableFuture<Void> commit(long id, String user) {
    CoordinatedTransaction transaction = find(id, user);
    TxnStatusEntryPB entry = transaction == null ? ended(id, user) : transaction.chosen();
    checkUser(id, entry.getUser(), user);
    if (transaction != null
        && transaction.choose(
            TxnStatePB.OPEN, TxnStatePB.COMMIT_IN_PROGRESS, 0, environment.nowSeconds())) {
      return begin(transaction);
    }
    TxnStatusEntryPB now = transaction == null ? entry : transaction.chosen();
    return switch (now.getState()) {
      case COMMIT_IN_PROGRESS, FINALIZE_IN_PROGRESS, COMMITTED -> whenStored(transaction);
      default ->
          throw KuduException.illegalState("transaction ID %d is not open: %s", id, text(now));
    };
  }

  /** Begins to abort. Completes when it is certain that nobody will ever see the rows. */
  CompletableFuture<Void> abort(long id, String user) {
    CoordinatedTransaction transaction = find(id, user);
    TxnStatusEntryPB entry = transaction == null ? ended(id, user) : transaction.chosen();
    checkUser(id, entry.getUser(), user);
    if (transaction != null && transaction.mayBeCommitted()) {
      return transaction.over().thenComposeAsync(state -> abort(id, user), environment.executor());
    }
    if (transaction != null && beginAbort(transaction)) {
      return begin(transaction);
    }
    TxnStatusEntryPB now = transaction == null ? entry : transaction.chosen();
    return switch (now.getState()) {
      case ABORT_IN_PROGRESS, ABORTED -> whenStored(transaction);
      default ->
          throw KuduException.illegalState(
              "transaction ID %d cannot be aborted: %s", id, text(now));
    };
  }

  private boolean beginAbort(CoordinatedTransaction transaction) {
    long now = environment.nowSeconds();
    return transaction.choose(TxnStatePB.OPEN, TxnStatePB.ABORT_IN_PROGRESS, 0, now)
        || transaction.choose(TxnStatePB.COMMIT_IN_PROGRESS, TxnStatePB.ABORT_IN_PROGRESS, 0, now);
  }

  private CompletableFuture<Void> begin(CoordinatedTransaction transaction) {
    CompletableFuture<Void> stored = transaction.store(rows);
    driver.drive(transaction);
    return stored;
  }

  private CompletableFuture<Void> whenStored(@Nullable CoordinatedTransaction transaction) {
    return transaction == null ? CompletableFuture.completedFuture(null) : transaction.store(rows);
  }

  /**
   * Begins to commit, waits for the end, and returns what is known of the transaction then.
   *
   * @param millis longest time
   */
  CompletableFuture<TxnStatusEntryPB> commitAndWait(long id, String user, long millis) {
    CoordinatedTransaction transaction = find(id, user);
    if (transaction == null) {
      TxnStatusEntryPB ended = ended(id, user);
      return commit(id, user).thenApply(done -> ended);
    }
    return commit(id, user)
        .thenCompose(
            begun -> transaction.over().completeOnTimeout(null, millis, TimeUnit.MILLISECONDS))
        .thenApply(state -> transaction.known());
  }

  /** The state of a transaction, as it is stored. */
  TxnStatusEntryPB status(long id, String user) {
    CoordinatedTransaction transaction = find(id, user);
    TxnStatusEntryPB entry = transaction == null ? ended(id, user) : transaction.known();
    checkUser(id, entry.getUser(), user);
    return entry;
  }

  /** Notes a sign of life of the client. */
  void keepAlive(long id, String user) {
    CoordinatedTransaction transaction = find(id, user);
    TxnStatusEntryPB entry = transaction == null ? ended(id, user) : transaction.chosen();
    checkUser(id, entry.getUser(), user);
    switch (entry.getState()) {
      case OPEN -> {
        if (transaction != null) {
          transaction.heard(System.nanoTime());
        }
      }
      case COMMIT_IN_PROGRESS, FINALIZE_IN_PROGRESS ->
          throw KuduException.illegalState(
              "transaction ID %d is in commit phase: %s", id, text(entry));
      default ->
          throw KuduException.illegalState(
              "transaction ID %d is not available for further commits: %s", id, text(entry));
    }
  }

  /**
   * Completes when it is certain that this coordinator still coordinates, and that the state of the
   * transaction is stored. What it tells of a transaction otherwise may be out of date: another one
   * may coordinate, and it does not know it yet.
   */
  CompletableFuture<Void> confirm(long id) {
    return whenStored(open.get(id)).thenCompose(stored -> rows.putNothing());
  }

  /** Reads the row of a transaction that has ended. */
  private TxnStatusEntryPB ended(long id, @Nullable String user) {
    TxnStatusEntryPB[] found = new TxnStatusEntryPB[1];
    rows.read(
        id,
        new StatusStore.Visitor() {
          @Override
          public void transaction(long read, TxnStatusEntryPB entry) {
            found[0] = entry;
          }

          @Override
          public void participant(long read, String participant) {}
        });
    if (found[0] == null) {
      throw notFound(id);
    }
    if (user != null) {
      checkUser(id, found[0].getUser(), user);
    }
    return found[0];
  }

  private KuduException notFound(long id) {
    long highest;
    synchronized (this) {
      highest = nextId - 1;
    }
    return KuduException.notFound(
        "transaction ID %d not found, current highest txn ID: %d", id, highest);
  }

  private static void checkUser(long id, String owner, String user) {
    if (!owner.equals(user)) {
      throw new KuduException(
          StatusCode.NOT_AUTHORIZED, "transaction ID " + id + " not owned by " + user);
    }
  }

  /** The entry as programs find it in messages. */
  private static String text(TxnStatusEntryPB entry) {
    String text = "state: " + entry.getState() + " user: \"" + entry.getUser() + "\"";
    return entry.hasCommitTimestamp()
        ? text + " commit_timestamp: " + entry.getCommitTimestamp()
        : text;
  }

  private void abortSilent() {
    long now = System.nanoTime();
    long limit = environment.keepaliveMillis().getAsLong();
    for (CoordinatedTransaction transaction : open.values()) {
      long silentMillis = TimeUnit.NANOSECONDS.toMillis(transaction.silentNanos(now));
      if (silentMillis > limit
          && transaction.choose(
              TxnStatePB.OPEN, TxnStatePB.ABORT_IN_PROGRESS, 0, environment.nowSeconds())) {
        LOG.info(
            "Transaction {} of user {} is aborted: no sign of life for {} ms, and the limit is {}"
                + " ms",
            transaction.id(),
            transaction.user(),
            silentMillis,
            limit);
        begin(transaction).exceptionally(failure -> null); // the driver repeats the write
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    cancel(staleness);
    cancel(removal);
  }

  private static void cancel(@Nullable ScheduledFuture<?> task) {
    if (task != null) {
      task.cancel(false);
    }
  }
}
