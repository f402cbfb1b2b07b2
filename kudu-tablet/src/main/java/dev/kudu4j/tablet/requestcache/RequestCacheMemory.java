package dev.kudu4j.tablet.requestcache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Accounts for the heap size of the cached results of all tablets of a process, and limits the size
 * of their errors.
 *
 * <p>This class never drops the fact that a request was applied: the fact decides whether a retry
 * is executed and therefore depends on the log alone ({@link RequestCache}). The errors of rows do
 * not influence that decision. If the errors of all tablets exceed the limit, the oldest errors are
 * dropped, on this replica only. A retry is still not executed; its response states that the result
 * is no longer known.
 *
 * <p>Thread-safe. Lock order: a {@link RequestCache}, then this.
 */
public final class RequestCacheMemory {
  /**
   * The errors of a result are never dropped if they are smaller than this, because that would free
   * too little memory.
   */
  static final long SMALL_BYTES = 512;

  /** The size and the owner of the cached errors of one result. */
  record Held(RequestCache owner, String clientId, long sequence, long bytes) {
    @Override
    public boolean equals(Object other) {
      return this == other;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(this);
    }
  }

  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();
  private final AtomicLong usedByErrors = new AtomicLong();

  /** Oldest first. */
  @GuardedBy("this")
  private final Set<Held> held = new LinkedHashSet<>();

  /**
   * @param limitBytes the maximum size of the errors of all results
   */
  public RequestCacheMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** An accounting without a limit, for a tablet outside a server. */
  public static RequestCacheMemory unlimited() {
    return new RequestCacheMemory(Long.MAX_VALUE);
  }

  /** An estimate of the size of clients, results and errors. */
  public long usedBytes() {
    return used.get();
  }

  public long limitBytes() {
    return limitBytes;
  }

  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void hold(Held errors) {
    used.addAndGet(errors.bytes);
    usedByErrors.addAndGet(errors.bytes);
    synchronized (this) {
      held.add(errors);
    }
  }

  void release(Held errors) {
    synchronized (this) {
      if (!held.remove(errors)) {
        return;
      }
    }
    used.addAndGet(-errors.bytes);
    usedByErrors.addAndGet(-errors.bytes);
  }

  /**
   * Drops the oldest errors until their total size is within the limit. The caller holds no lock.
   */
  void enforce() {
    while (usedByErrors.get() > limitBytes) {
      Held eldest = eldest();
      if (eldest == null) {
        return;
      }
      release(eldest);
      eldest.owner.dropErrors(eldest);
    }
  }

  private synchronized @Nullable Held eldest() {
    Iterator<Held> all = held.iterator();
    return all.hasNext() ? all.next() : null;
  }
}
