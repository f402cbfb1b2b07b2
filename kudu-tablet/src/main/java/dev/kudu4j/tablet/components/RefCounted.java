package dev.kudu4j.tablet.components;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store in memory with the count of its owners; the last {@link #release} closes it. Thread-safe.
 */
public final class RefCounted<T extends AutoCloseable> {
  private final T part;
  private final AtomicInteger owners = new AtomicInteger(1);

  /** Takes the part; the caller is its first owner. */
  public RefCounted(T part) {
    this.part = part;
  }

  /** The part; borrowed from whoever owns this. */
  public T get() {
    assert owners.get() > 0 : "Part used after its last release";
    return part;
  }

  public RefCounted<T> retain() {
    int before = owners.getAndIncrement();
    if (before <= 0) {
      throw new IllegalStateException("Part retained after its last release: " + part);
    }
    return this;
  }

  public void release() {
    int left = owners.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("Part released too often: " + part);
    }
    if (left == 0) {
      try {
        part.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("Closing a store failed: " + part, e);
      }
    }
  }
}
