package dev.kudu4j.tablet.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.arrow.memory.ArrowBuf;

/**
 * The body of one block, verified and inflated, off heap. Never changes while somebody holds it.
 *
 * <p>Counts its holders: the cache is one while the page is in it, each pin is one. Who gets a page
 * from {@link FilePages} has pinned it and gives it back with {@link #unpin}; the last holder frees
 * the memory, so a page that is evicted while it is read lives as long as it is read. Thread-safe.
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
   * Takes the memory; the caller is the first holder.
   *
   * @param address of the body, within the memory
   * @param kind number of the block's kind
   */
  Page(ArrowBuf memory, long address, int bytes, int kind) {
    this.memory = memory;
    this.address = address;
    this.bytes = bytes;
    this.kind = kind;
  }

  /** Where the body begins; valid until {@link #unpin}. */
  public long address() {
    assert holders > 0 : "Page used after its last holder has gone";
    return address;
  }

  public int bytes() {
    return bytes;
  }

  /** The number of the block's kind. */
  public int kind() {
    return kind;
  }

  /** Memory that the page takes, on and off heap. */
  int weight() {
    return (int) Math.min(memory.capacity() + PageCache.HEAP_BYTES_PER_PAGE, Integer.MAX_VALUE);
  }

  /** Whether a reader has found the structure of the body sound: no other needs to look again. */
  public boolean isKnownSound() {
    return known;
  }

  public void markKnownSound() {
    known = true;
  }

  /** Pins the page again, for one who remembers it; false when its last holder has gone. */
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

  /** Gives the page back. */
  public void unpin() {
    int left = (int) HOLDERS.getAndAdd(this, -1) - 1;
    if (left == 0) {
      memory.getReferenceManager().release();
    } else if (left < 0) {
      throw new IllegalStateException("Page given back too often");
    }
  }
}
