package dev.kudu4j.tablet.components;

import dev.kudu4j.common.status.KuduException;

/**
 * The version of a tablet's parts that is valid now. One writer {@link #swap}s, any number of
 * readers {@link #pin}.
 */
public final class CurrentComponents implements AutoCloseable {
  private volatile Components current;

  /** Takes the first version's pin. */
  public CurrentComponents(Components first) {
    this.current = first;
  }

  /**
   * The current version with a pin for the caller, who gives it back with {@link Components#unpin}.
   *
   * @throws KuduException ILLEGAL_STATE when the tablet is closed
   */
  public Components pin() {
    Components pinned = pinIfOpen();
    if (pinned == null) {
      throw closed();
    }
    return pinned;
  }

  /** Like {@link #pin}; null when the tablet is closed. */
  public Components pinIfOpen() {
    for (Components seen = current; seen != null; seen = current) {
      if (seen.tryPin()) {
        return seen;
      }
      // The writer swapped between the read and the pin: its successor is there already.
    }
    return null;
  }

  /** The current version without a pin: for the writer, who alone replaces it. */
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

  /** Makes {@code next} current (takes its pin) and gives back the pin of the one before. */
  public void swap(Components next) {
    Components before = get();
    current = next;
    before.unpin();
  }

  /** Gives back the tablet's own pin; pinned versions live on. A second close does nothing. */
  @Override
  public void close() {
    Components last = current;
    current = null;
    if (last != null) {
      last.unpin();
    }
  }
}
