package dev.kudu4j.server.replica;

import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.ArrayList;
import java.util.List;

/** A state that keeps only its position, so that only replication is measured. */
final class CountingState implements ReplicaState {
  private LogPosition applied = LogPosition.NONE;
  private volatile LogPosition checkpoint;
  private volatile long maxTimestamp;
  private volatile int entries; // written by the apply thread

  CountingState(LogPosition checkpoint) {
    this.checkpoint = checkpoint;
  }

  /** The number of applied entries. */
  int entries() {
    return entries;
  }

  @Override
  public LogPosition checkpoint() {
    return checkpoint;
  }

  @Override
  public long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public synchronized List<RequestResult> apply(LogPosition position, LogEntry entry) {
    applied = position;
    entries = entries + 1;
    maxTimestamp = entry.baseTimestamp();
    List<RequestResult> results = new ArrayList<>();
    for (int i = 0; i < Math.max(1, entry.requests().size()); i++) {
      results.add(
          new RequestResult(
              entry.baseTimestamp() + i,
              List.of(),
              new RequestResult.OutcomeCounts(1, 0, 0, 0, 0, 0, 0, 0)));
    }
    return results;
  }

  @Override
  public synchronized void applyNothing(LogPosition position) {
    applied = position;
  }

  @Override
  public RequestResult remembered(RequestId id) {
    return null;
  }

  @Override
  public byte[] attribute(String name) {
    return null;
  }

  @Override
  public synchronized LogPosition flush() {
    checkpoint = applied;
    return applied;
  }

  @Override
  public void close() {}
}
