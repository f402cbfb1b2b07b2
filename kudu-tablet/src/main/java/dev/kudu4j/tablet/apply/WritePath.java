package dev.kudu4j.tablet.apply;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.TabletDescriptor;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.WriteRequest;
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

  /**
   * @param redacted whether error messages omit cell values
   * @param allocator of what the writer needs in memory
   */
  public WritePath(AppliedState state, BooleanSupplier redacted, BufferAllocator allocator) {
    this.state = state;
    this.applier = new RequestApplier(state, redacted, allocator);
  }

  /**
   * Applies an entry. Returns one result per request of a WRITE entry, and one result for any other
   * entry.
   */
  public List<RequestResult> apply(LogPosition position, LogEntry entry) {
    state.writerLock().lock();
    try {
      checkNext(position);
      if (entry.baseTimestamp() <= state.maxTimestamp()) {
        throw KuduException.illegalState(
            "Entry %d of tablet %s has timestamp %d, which is not above the previous timestamp %d",
            position.index(),
            state.descriptor().tabletId(),
            entry.baseTimestamp(),
            state.maxTimestamp());
      }
      List<RequestResult> results = applyLocked(entry);
      state.appliedUpTo(position);
      return results;
    } finally {
      state.writerLock().unlock();
    }
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
        case ATTRIBUTES -> applyAttributes(entry);
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
      state.publish(timestamp);
    }
    return results;
  }

  private RequestResult applyRequest(WriteRequest request, long timestamp) throws IOException {
    RequestId id = request.id();
    if (id == null) {
      return applier.apply(request, timestamp);
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
    RequestResult result = applier.apply(request, timestamp);
    return state.requests().remember(request, result, applier.rowCount());
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
      state.publish(entry.baseTimestamp());
      return List.of(new RequestResult(entry.baseTimestamp(), List.of(), OutcomeCounts.NONE));
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
    state.publish(entry.baseTimestamp());
    return List.of(new RequestResult(entry.baseTimestamp(), List.of(), OutcomeCounts.NONE));
  }

  private List<RequestResult> applyAttributes(LogEntry entry) {
    TabletDescriptor now = state.descriptor();
    state.describe(
        new TabletDescriptor(
            now.tabletId(),
            now.tableId(),
            now.tableName(),
            now.schema(),
            now.schemaVersion(),
            changed(now.attributes(), entry.attributes())));
    state.publish(entry.baseTimestamp());
    return List.of(new RequestResult(entry.baseTimestamp(), List.of(), OutcomeCounts.NONE));
  }
}
