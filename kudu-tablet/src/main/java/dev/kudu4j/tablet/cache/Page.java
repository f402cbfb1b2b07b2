package dev.kudu4j.tablet.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The body of one block, verified and decompressed, off heap. Immutable while it has a holder.
 *
 * <p>Counts its holders. The cache is a holder while it contains the page, and each pin is a
 * holder. A page from {@link FilePages} is pinned; the caller releases it with {@link #unpin}. The
 * last holder frees the memory, so a page that is evicted while it is read stays until the reader
 * releases it. Thread-safe.
 */
public final class Page {
  private static final VarHandle HOLDERS;

  static {
    try {
      HOLDERS = MethodHandles.lookup().findVarHandle(Page.class, "holders", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ArrowBuf memory;
  private final long address;
  private final int bytes;
  private final int kind;
  private volatile int holders = 1;
  private volatile boolean known;

  /**
   * Takes ownership of the memory. The caller is the first holder.
   *
   * @param address the address of the body, within the memory
   * @param kind number of the block's kind
   */
  Page(ArrowBuf memory, long address, int bytes, int kind) {
    this.memory = memory;
    this.address = address;
    this.bytes = bytes;
    this.kind = kind;
  }

  /** The start of the body; valid until {@link #unpin}. */
  public long address() {
    assert holders > 0 : "Page used after its last release";
    return address;
  }

  public int bytes() {
    return bytes;
  }

  /** The number of the block's kind. */
  public int kind() {
    return kind;
  }

  /** The bytes that the page takes, on and off heap. */
  int weight() {
    return (int) Math.min(memory.capacity() + PageCache.HEAP_BYTES_PER_PAGE, Integer.MAX_VALUE);
  }

  /**
   * Whether a reader has validated the structure of the body; other readers may skip the checks.
   */
  public boolean isKnownSound() {
    return known;
  }

  public void markKnownSound() {
    known = true;
  }

  /**
   * Pins a page to which the caller kept a reference; false if the last holder has already released
   * the page.
   */
  public boolean tryPin() {
    int now = holders;
    while (now > 0) {
      int seen = (int) HOLDERS.compareAndExchange(this, now, now + 1);
      if (seen == now) {
        return true;
      }
      now = seen;
    }
    return false;
  }

  /** Releases a pin. */
  public void unpin() {
    int left = (int) HOLDERS.getAndAdd(this, -1) - 1;
    if (left == 0) {
      memory.getReferenceManager().release();
    } else if (left < 0) {
      throw new IllegalStateException("Page released too often");
    }
  }
}
