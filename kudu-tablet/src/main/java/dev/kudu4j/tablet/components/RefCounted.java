package dev.kudu4j.tablet.components;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * An in-memory store with a count of its owners; the last {@link #release} closes it. Thread-safe.
 */
public final class RefCounted<T extends AutoCloseable> {
  private final T part;
  private final AtomicInteger owners = new AtomicInteger(1);

  /** Wraps a store. The caller holds the first reference. */
  public RefCounted(T part) {
    this.part = part;
  }

  /** The store, which is open as long as an owner keeps it. */
  public T get() {
    assert owners.get() > 0 : "Store used after its last release";
    return part;
  }

  public RefCounted<T> retain() {
    int before = owners.getAndIncrement();
    if (before <= 0) {
      throw new IllegalStateException("Store retained after its last release: " + part);
    }
    return this;
  }

  public void release() {
    int left = owners.decrementAndGet();
    if (left < 0) {
      throw new IllegalStateException("Store released too often: " + part);
    }
    if (left == 0) {
      try {
        part.close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException("Failed to close a store: " + part, e);
      }
    }
  }
}
