package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.log.FedRows;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailure;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.transaction.OpenTransaction;
import dev.kudu4j.tablet.transaction.StagedRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Applies log entries in order, in one thread. It holds the writer lock for each entry, so a
 * checkpoint's boundary is always between entries.
 *
 * <p>If an entry fails halfway (a file cannot be read), the tablet applies no further entries,
 * because its state in memory matches no log position. Reopening the tablet replays the entry.
 */
public final class WritePath implements AutoCloseable {
  private final AppliedState state;
  private final RequestApplier applier;
  private final BufferAllocator allocator;
  private final Runnable freezeStores;

  /**
   * @param redacted whether error messages omit cell values
   * @param allocator of what the writer needs in memory
   * @param freezeStores called under the writer lock, before the first entry of an epoch
   */
  public WritePath(
      AppliedState state,
      BooleanSupplier redacted,
      BufferAllocator allocator,
      Runnable freezeStores) {
    this.state = state;
    this.allocator = allocator;
    this.freezeStores = freezeStores;
    this.applier = new RequestApplier(state, redacted, allocator);
  }

  /** Holds the keys of the rows that open transactions have staged in files. */
  public void holdStagedKeys() throws IOException {
    state.writerLock().lock();
    try {
      for (OpenTransaction transaction : state.transactions().list()) {
        for (StagedRows rows : transaction.rows()) {
          applier.hold(transaction, rows, rows.read(allocator));
        }
      }
    } finally {
      state.writerLock().unlock();
    }
  }

  /**
   * Applies an entry. Returns one result per request of a WRITE entry, and one result for any other
   * entry.
   */
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    state.writerLock().lock();
    try {
      checkNext(position);
      if (entry.type() == LogEntry.Type.NOTHING) {
        state.appliedUpTo(position);
        return List.of();
      }
      if (entry.type() == LogEntry.Type.FEED && !continuesFeed(entry.fedRows())) {
        state.appliedUpTo(position);
        return done(entry);
      }
      if (isOutOfOrder(entry)) {
        throw KuduException.illegalState(
            "Entry %d of tablet %s has timestamp %d, which is not above the previous timestamp %d",
            position.index(),
            state.descriptor().tabletId(),
            entry.baseTimestamp(),
            state.maxTimestamp());
      }
      if (state.epochs().separate(state.maxTimestamp(), entry.baseTimestamp())) {
        freezeStores.run();
      }
      List<RequestResult> results = applyLocked(entry);
      state.appliedUpTo(position);
      return results;
    } finally {
      state.writerLock().unlock();
    }
  }

  /** Whether the entry's timestamp is not above that of the preceding one, as it has to be. */
  private boolean isOutOfOrder(LogEntry entry) {
    return !state.isDerived() && entry.baseTimestamp() <= state.maxTimestamp();
  }

  /** Whether the rows follow those of the tablet; otherwise an earlier leader has logged them. */
  private boolean continuesFeed(FedRows rows) {
    TabletDescriptor tablet = state.descriptor();
    if (!state.isDerived()) {
      throw KuduException.corruption(
          "A FEED entry in the log of tablet %s, which is not a derived tablet", tablet.tabletId());
    }
    return tablet.feedMark().equals(rows.from());
  }

  /** Advances past an entry that does not change the tablet. */
  public void skipEntry(LogPosition position) {
    state.writerLock().lock();
    try {
      checkNext(position);
      state.appliedUpTo(position);
    } finally {
      state.writerLock().unlock();
    }
  }

  /** Releases the memory of the writer, which holds the writer lock. Idempotent. */
  @Override
  public void close() {
    applier.close();
  }

  private void checkNext(LogPosition position) {
    state.checkHealthy();
    if (position.index() <= state.applied().index()) {
      throw KuduException.illegalState(
          "Entry %d of tablet %s does not follow the last applied entry %d",
          position.index(), state.descriptor().tabletId(), state.applied().index());
    }
  }

  private List<RequestResult> applyLocked(LogEntry entry) {
    try {
      return switch (entry.type()) {
        case WRITE -> applyWrite(entry);
        case ALTER_SCHEMA -> applySchema(entry);
        case ATTRIBUTES -> changeAttributes(entry, entry.attributes());
        case PREPARE -> prepare(entry);
        case COMMIT -> commit(entry);
        case ABORT -> abort(entry);
        case FEED -> feed(entry);
        case NOTHING -> throw new IllegalStateException("An entry without an effect");
      };
    } catch (IOException e) {
      KuduException failure =
          KuduException.ioError(
              e, "Tablet %s: %s", state.descriptor().tabletId(), String.valueOf(e.getMessage()));
      state.fail(failure);
      throw failure;
    } catch (RuntimeException e) {
      state.fail(e);
      throw e;
    }
  }

  private List<RequestResult> applyWrite(LogEntry entry) throws IOException {
    List<WriteRequest> requests = entry.requests();
    List<RequestResult> results = new ArrayList<>(requests.size());
    for (int k = 0; k < requests.size(); k++) {
      long timestamp = entry.baseTimestamp() + k;
      results.add(applyRequest(requests.get(k), timestamp));
      publish(entry, timestamp);
    }
    return results;
  }

  private RequestResult applyRequest(WriteRequest request, long timestamp) throws IOException {
    RequestId id = request.id();
    if (id == null) {
      return applyNew(request, timestamp);
    }
    RequestResult before = state.requests().arrive(request, timestamp);
    if (before != null) {
      return before;
    }
    if (state.requests().isStale(id)) {
      return applier.refuse(request, timestamp, StatusCode.RUNTIME_ERROR, staleText(id));
    }
    if (state.requests().lacksPieces(request)) {
      String reason = gapText(id, request.piece());
      return applier.refuse(request, timestamp, StatusCode.RUNTIME_ERROR, reason);
    }
    RequestResult result = applyNew(request, timestamp);
    return result.isBlocked()
        ? result
        : state.requests().remember(request, result, applier.rowCount());
  }

  private RequestResult applyNew(WriteRequest request, long timestamp) throws IOException {
    if (state.isDerived()) {
      return applier.refuse(
          request, timestamp, StatusCode.NOT_AUTHORIZED, RowFailureMessages.DERIVED);
    }
    if (request.isInTransaction() && !takesRows(request.transaction())) {
      String reason = RowFailureMessages.transactionNotOpen(request.transaction());
      return applier.refuse(request, timestamp, StatusCode.ILLEGAL_STATE, reason);
    }
    if (state.transactions().holdKeys()) {
      long holder = applier.blocker(request, timestamp);
      if (holder != WriteRequest.NO_TRANSACTION) {
        return RequestResult.blocked(timestamp, holder);
      }
    }
    return request.isInTransaction()
        ? applier.stage(request, timestamp, state.transactions().getOrBegin(request.transaction()))
        : applier.apply(request, timestamp);
  }

  // Transactions.

  private boolean takesRows(long id) {
    OpenTransaction open = state.transactions().find(id);
    return open == null ? !state.transactions().hasEnded(id) : !open.isPrepared();
  }

  private List<RequestResult> prepare(LogEntry entry) {
    publish(entry, entry.baseTimestamp());
    long id = entry.transaction();
    if (state.transactions().hasEnded(id)) {
      return refused(entry, StatusCode.ILLEGAL_STATE, RowFailureMessages.transactionNotOpen(id));
    }
    if (entry.commitTimestamp() <= entry.baseTimestamp()) {
      return refused(
          entry,
          StatusCode.SERVICE_UNAVAILABLE, // with a later one it may succeed
          "the commit timestamp "
              + entry.commitTimestamp()
              + " of transaction "
              + id
              + " has passed");
    }
    OpenTransaction transaction = state.transactions().getOrBegin(id);
    if (!transaction.isPrepared() && state.descriptor().hasEnforcedIndex()) {
      return refused(entry, StatusCode.NOT_SUPPORTED, RowFailureMessages.UNIQUE_IN_TRANSACTION);
    }
    if (transaction.isPreparedLater(entry.commitTimestamp(), entry.coordinatorTerm())) {
      return refused(
          entry,
          StatusCode.SERVICE_UNAVAILABLE,
          "transaction " + id + " has been prepared by a later PREPARE");
    }
    transaction.prepare(entry.commitTimestamp(), entry.coordinatorTerm());
    return done(entry);
  }

  private static List<RequestResult> refused(LogEntry entry, StatusCode code, String reason) {
    return List.of(
        new RequestResult(
            entry.baseTimestamp(), List.of(new RowFailure(0, code, reason)), OutcomeCounts.NONE));
  }

  private static List<RequestResult> done(LogEntry entry) {
    return List.of(RequestResult.withoutRows(entry.baseTimestamp()));
  }

  private List<RequestResult> commit(LogEntry entry) throws IOException {
    OpenTransaction transaction = state.transactions().find(entry.transaction());
    if (transaction != null) {
      if (transaction.commitTimestamp() != entry.baseTimestamp()) {
        return notPrepared(entry);
      }
      int rows = 0;
      for (StagedRows staged : transaction.rows()) {
        applier.commit(staged, staged.read(allocator), entry.baseTimestamp(), rows);
        rows += staged.rowCount();
      }
    }
    return end(entry);
  }

  private List<RequestResult> abort(LogEntry entry) {
    OpenTransaction transaction = state.transactions().find(entry.transaction());
    boolean prepared = entry.commitTimestamp() != OpenTransaction.NOT_PREPARED;
    return prepared
            && transaction != null
            && transaction.commitTimestamp() != entry.commitTimestamp()
        ? notPrepared(entry)
        : end(entry);
  }

  private List<RequestResult> end(LogEntry entry) {
    state.transactions().end(entry.transaction());
    return published(entry);
  }

  private List<RequestResult> notPrepared(LogEntry entry) {
    publish(entry, entry.baseTimestamp());
    return refused(
        entry,
        StatusCode.ILLEGAL_STATE,
        RowFailureMessages.notPrepared(entry.transaction(), entry.baseTimestamp()));
  }

  private static String staleText(RequestId id) {
    return String.format(
        Locale.ROOT,
        "request %d of client %s is stale: its result is unknown, and it may have been applied",
        id.sequence(),
        id.clientId());
  }

  private static String gapText(RequestId id, int piece) {
    return String.format(
        Locale.ROOT,
        "piece %d of request %d of client %s arrived without the preceding pieces",
        piece,
        id.sequence(),
        id.clientId());
  }

  private static Map<String, byte[]> changed(
      Map<String, byte[]> attributes, Map<String, byte[]> changes) {
    if (changes.isEmpty()) {
      return attributes;
    }
    Map<String, byte[]> changed = new HashMap<>(attributes);
    changed.putAll(changes);
    return Map.copyOf(changed);
  }

  private List<RequestResult> applySchema(LogEntry entry) {
    TabletDescriptor now = state.descriptor();
    if (entry.schemaVersion()
        < now.schemaVersion()) { // obsolete: a later alteration is already applied
      return published(entry);
    }
    Components before = state.components().get();
    before.activeMemRowSet().useSchema(entry.schema());
    state.describe(
        new TabletDescriptor(
            now.tabletId(),
            now.tableId(),
            entry.tableName(),
            entry.schema(),
            entry.schemaVersion(),
            changed(now.attributes(), entry.attributes())));
    state.components().swap(before.withSchema(entry.schema()));
    return published(entry);
  }

  /** Applies rows of a derived tablet at their timestamps. */
  private List<RequestResult> feed(LogEntry entry) throws IOException {
    for (FedRows.Group group : entry.fedRows().groups()) {
      RequestResult result = applier.apply(group.rows(), group.timestamp());
      if (!result.errors().isEmpty()) {
        RowFailure first = result.errors().get(0);
        throw KuduException.corruption(
            "Tablet %s cannot apply a row of the feed at timestamp %d: %s",
            state.descriptor().tabletId(), group.timestamp(), first.message());
      }
    }
    return changeAttributes(
        entry, Map.of(TabletDescriptor.DERIVED, entry.fedRows().to().toBytes()));
  }

  /** Moves the time of the tablet. That of a derived tablet is moved by FEED entries only. */
  private void publish(LogEntry entry, long timestamp) {
    if (!state.isDerived()) {
      state.publish(timestamp);
    } else if (entry.type() == LogEntry.Type.FEED) {
      state.publish(Math.max(timestamp, state.maxTimestamp()));
    }
  }

  private List<RequestResult> published(LogEntry entry) {
    publish(entry, entry.baseTimestamp());
    return done(entry);
  }

  private List<RequestResult> changeAttributes(LogEntry entry, Map<String, byte[]> changes) {
    TabletDescriptor now = state.descriptor();
    state.describe(
        new TabletDescriptor(
            now.tabletId(),
            now.tableId(),
            now.tableName(),
            now.schema(),
            now.schemaVersion(),
            changed(now.attributes(), changes)));
    return published(entry);
  }
}
