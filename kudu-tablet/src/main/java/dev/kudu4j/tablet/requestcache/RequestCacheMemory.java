package dev.kudu4j.tablet.requestcache;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the remembered answers of all tablets of a process take on the heap, and the bound for it.
 *
 * <p>That a request was applied is never forgotten here: it decides whether a retry does work, so
 * it follows from the log alone ({@link RequestCache}). Which of its rows failed, and why, decides
 * nothing. So when the errors of all tablets are too many, those that were remembered first are
 * given up, here and not on the other replicas; a retry then does no work either, and is told that
 * the answer is no longer known.
 *
 * <p>Thread-safe. Its lock is taken under that of a {@link RequestCache}, never the other way
 * round.
 */
public final class RequestCacheMemory {
  /** Errors of an answer that take less are not worth giving up. */
  static final long SMALL_BYTES = 512;

  /** Errors of one answer, as long as they are remembered. */
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

  /** Eldest first. */
  @GuardedBy("this")
  private final Set<Held> held = new LinkedHashSet<>();

  /**
   * @param limitBytes for the errors of all answers
   */
  public RequestCacheMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** For a tablet that stands alone. */
  public static RequestCacheMemory unlimited() {
    return new RequestCacheMemory(Long.MAX_VALUE);
  }

  /** Clients, answers and errors, about. */
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

  /** Gives up errors until those that stay are few enough. Under no lock. */
  void enforce() {
    while (usedByErrors.get() > limitBytes) {
      Held eldest = eldest();
      if (eldest == null) {
        return;
      }
      release(eldest);
      eldest.owner.giveUpErrors(eldest);
    }
  }

  private synchronized Held eldest() {
    Iterator<Held> all = held.iterator();
    return all.hasNext() ? all.next() : null;
  }
}
