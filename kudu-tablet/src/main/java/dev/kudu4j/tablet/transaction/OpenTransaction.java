package dev.kudu4j.tablet.transaction;

import dev.kudu4j.tablet.memory.Arena;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A transaction from its first request, or its PREPARE, to its end. Writer only, except for the
 * counts.
 */
public final class OpenTransaction {
  /** The commit timestamp of a transaction that is not prepared. */
  public static final long NOT_PREPARED = 0;

  private static final int CHUNK_BYTES = 64 << 10;

  private final long id;
  private final List<StagedRows> rows = new ArrayList<>();
  final Arena arena;
  long lastKey = HeldKeys.NONE;
  private volatile long commitTimestamp = NOT_PREPARED;
  private volatile long coordinatorTerm;
  private volatile long rowCount;
  private volatile long memoryBytes;
  private volatile long contentBytes;
  private volatile long fileBytes;
  private volatile long keyCount;

  OpenTransaction(long id, BufferAllocator allocator) {
    this.id = id;
    this.arena = new Arena(allocator, CHUNK_BYTES);
  }

  public long id() {
    return id;
  }

  /** The timestamp of the rows if the transaction commits; {@link #NOT_PREPARED} before PREPARE. */
  public long commitTimestamp() {
    return commitTimestamp;
  }

  public boolean isPrepared() {
    return commitTimestamp != NOT_PREPARED;
  }

  /** The term of the coordinator that has prepared the transaction; 0 before PREPARE. */
  public long coordinatorTerm() {
    return coordinatorTerm;
  }

  /** From now on the transaction takes no rows. */
  public void prepare(long timestamp, long term) {
    commitTimestamp = timestamp;
    coordinatorTerm = term;
  }

  /**
   * Whether a PREPARE comes too late: from an earlier coordinator, or an earlier attempt of the
   * same one. A later coordinator may have decided to commit at the present timestamp.
   */
  public boolean isPreparedLater(long timestamp, long term) {
    return term < coordinatorTerm || (term == coordinatorTerm && timestamp < commitTimestamp);
  }

  /** What was staged, in order. */
  public List<StagedRows> rows() {
    return rows;
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void add(StagedRows more) {
    rows.add(more);
    rowCount += more.effective().cardinality();
    memoryBytes += more.memoryBytes();
    contentBytes += more.contentBytes();
    fileBytes += more.fileBytes();
  }

  /** A key was added to those that the transaction holds. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  void addKey() {
    keyCount++;
  }

  /** Counts the bytes again, after rows have moved to a file. */
  void countBytes() {
    memoryBytes = rows.stream().mapToLong(StagedRows::memoryBytes).sum();
    fileBytes = rows.stream().mapToLong(StagedRows::fileBytes).sum();
  }

  /** Number of rows that COMMIT will apply. Any thread. */
  public long rowCount() {
    return rowCount;
  }

  /** Bytes of staged rows in memory, without keys. Any thread. */
  public long memoryBytes() {
    return memoryBytes;
  }

  /** Bytes of the requests that were staged, in memory or not. Any thread. */
  public long contentBytes() {
    return contentBytes;
  }

  /** Bytes of staged rows that are in files, and not in memory. Any thread. */
  public long fileBytes() {
    return fileBytes;
  }

  /** Number of keys that the transaction holds. Any thread. */
  public long keyCount() {
    return keyCount;
  }

  void release() {
    rows.forEach(StagedRows::release);
    rows.clear();
    arena.close();
  }
}
