package dev.kudu4j.server.replica;

import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.tablet.log.LogEntry;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A state that records the applied rows: the first INT64 cell of each row. The {@link Disk} stands
 * for the disk of a real state, and survives it.
 */
final class RecordingState implements ReplicaState {
  /** The state that survives a restart. */
  static final class Disk {
    LogPosition checkpoint = LogPosition.NONE;
    long maxTimestamp;
    List<Long> rows = List.of();
    Map<String, RequestResult> answers = Map.of();
    Map<String, byte[]> attributes = Map.of();

    /** Copies the disk, like a tablet copy. */
    synchronized void copyTo(Disk other) {
      other.checkpoint = checkpoint;
      other.maxTimestamp = maxTimestamp;
      other.rows = rows;
      other.answers = answers;
      other.attributes = attributes;
    }
  }

  private final Disk disk;
  private final List<Long> rows;
  private final Map<String, RequestResult> answers;
  private final Map<String, byte[]> attributes;
  private final Map<String, Integer> piecesApplied = new HashMap<>();
  final List<Long> timestamps = new ArrayList<>();
  final AtomicInteger entriesApplied = new AtomicInteger();
  volatile LogPosition applied;
  volatile RuntimeException failure;
  volatile boolean closed;
  private volatile long maxTimestamp;

  RecordingState(Disk disk) {
    this.disk = disk;
    this.rows = new ArrayList<>(disk.rows);
    this.answers = new ConcurrentHashMap<>(disk.answers);
    this.attributes = new ConcurrentHashMap<>(disk.attributes);
    this.applied = disk.checkpoint;
    this.maxTimestamp = disk.maxTimestamp;
  }

  Disk disk() {
    return disk;
  }

  synchronized List<Long> rows() {
    return List.copyOf(rows);
  }

  @Override
  public LogPosition checkpoint() {
    return disk.checkpoint;
  }

  @Override
  public long maxTimestamp() {
    return maxTimestamp;
  }

  @Override
  public synchronized List<RequestResult> apply(LogPosition position, LogEntry entry) {
    if (failure != null) {
      throw failure;
    }
    advance(position);
    entriesApplied.incrementAndGet();
    List<RequestResult> results = new ArrayList<>();
    if (entry.type() == LogEntry.Type.WRITE) {
      for (int i = 0; i < entry.requests().size(); i++) {
        results.add(applyRequest(entry.requests().get(i), entry.baseTimestamp() + i));
      }
    } else {
      maxTimestamp = entry.baseTimestamp();
      attributes.putAll(entry.attributes());
      results.add(answer(entry.baseTimestamp(), 0));
    }
    return results;
  }

  private RequestResult applyRequest(WriteRequest request, long timestamp) {
    maxTimestamp = timestamp;
    timestamps.add(timestamp);
    String key =
        request.id() == null ? null : request.id().clientId() + "/" + request.id().sequence();
    if (key != null && answers.containsKey(key)) {
      return answers.get(key);
    }
    RowOperationsReader reader = request.rows().reader();
    int count = 0;
    while (reader.next()) {
      rows.add(
          dev.kudu4j.common.schema.LittleEndian.getLong(reader.cellArray(0), reader.cellOffset(0)));
      count++;
    }
    int total = key == null ? count : piecesApplied.merge(key, count, Integer::sum);
    RequestResult result = answer(timestamp, total);
    if (key != null && request.piece() == request.pieces() - 1) {
      answers.put(key, result);
    }
    return result;
  }

  private static RequestResult answer(long timestamp, int rows) {
    return new RequestResult(
        timestamp, List.of(), new RequestResult.OutcomeCounts(rows, 0, 0, 0, 0, 0, 0, 0));
  }

  @Override
  public synchronized void applyNothing(LogPosition position) {
    advance(position);
  }

  private void advance(LogPosition position) {
    if (position.index() != applied.index() + 1) {
      throw new IllegalStateException("Applied " + position + " after " + applied);
    }
    applied = position;
  }

  @Override
  public RequestResult remembered(RequestId id) {
    return answers.get(id.clientId() + "/" + id.sequence());
  }

  @Override
  public byte[] attribute(String name) {
    return attributes.get(name);
  }

  @Override
  public synchronized LogPosition flush() {
    synchronized (disk) {
      disk.rows = List.copyOf(rows);
      disk.answers = Map.copyOf(answers);
      disk.attributes = Map.copyOf(attributes);
      disk.maxTimestamp = maxTimestamp;
      disk.checkpoint = applied;
    }
    return applied;
  }

  @Override
  public void close() {
    closed = true;
  }
}
