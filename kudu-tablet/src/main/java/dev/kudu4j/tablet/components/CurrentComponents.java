package dev.kudu4j.tablet.components;

import dev.kudu4j.common.status.KuduException;
import org.jspecify.annotations.Nullable;

/**
 * The current version of a tablet's components. One writer {@link #swap}s it; any number of readers
 * {@link #pin} it.
 */
public final class CurrentComponents implements AutoCloseable {
  private volatile @Nullable Components current; // null once the tablet is closed

  /** Takes over the first pin of the version. */
  public CurrentComponents(Components first) {
    this.current = first;
  }

  /**
   * Pins the current version; the caller releases the pin with {@link Components#unpin}.
   *
   * @throws KuduException ILLEGAL_STATE if the tablet is closed
   */
  public Components pin() {
    Components pinned = pinIfOpen();
    if (pinned == null) {
      throw closed();
    }
    return pinned;
  }

  /** Like {@link #pin}; null if the tablet is closed. */
  public @Nullable Components pinIfOpen() {
    for (Components seen = current; seen != null; seen = current) {
      if (seen.tryPin()) {
        return seen;
      }
      // The writer swapped versions between the read and the pin; the next version is already set.
    }
    return null;
  }

  /**
   * The current version, not pinned. For the writer, which needs no pin because only it replaces
   * the version.
   */
  public Components get() {
    Components seen = current;
    if (seen == null) {
      throw closed();
    }
    return seen;
  }

  private static KuduException closed() {
    return KuduException.illegalState("The tablet is closed; open it again to use it");
  }

  /**
   * Makes {@code next} current, takes over its first pin, and releases the tablet's pin of the
   * previous version.
   */
  public void swap(Components next) {
    Components before = get();
    current = next;
    before.unpin();
  }

  /**
   * Releases the tablet's pin. Pinned versions stay open until readers unpin them. A second close
   * does nothing.
   */
  @Override
  public void close() {
    Components last = current;
    current = null;
    if (last != null) {
      last.unpin();
    }
  }
}
