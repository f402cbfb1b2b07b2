package dev.kudu4j.server.replica;

import java.util.concurrent.atomic.AtomicLong;

/** Bounds the row data that all replicas of a process have waiting or under way. */
public final class WriteAdmission {
  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();

  public WriteAdmission(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Takes a share, or returns false when there is none left. */
  boolean tryAdmit(long bytes) {
    if (used.addAndGet(bytes) > limitBytes) {
      used.addAndGet(-bytes);
      return false;
    }
    return true;
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
  }

  public long usedBytes() {
    return used.get();
  }

  public long limitBytes() {
    return limitBytes;
  }
}
