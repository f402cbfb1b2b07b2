package dev.kudu4j.common.rpc.frame;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;

/**
 * Reads from a channel while no handler has a {@link Reason} to stop. A handler must not resume
 * reading that another handler has stopped, so handlers use this class instead of {@code
 * setAutoRead}. Thread-safe.
 */
public final class ReadSwitch {
  /** A reason to stop reading. Each reason belongs to one handler. */
  public enum Reason {
    /** The process has no memory for more data. */
    MEMORY,
    /** The connection has too many requests in flight, or too many unsent bytes of responses. */
    REQUESTS
  }

  private static final AttributeKey<ReadSwitch> KEY = AttributeKey.valueOf(ReadSwitch.class, "it");

  private final Channel channel;
  private volatile int stopReasons; // the reasons to stop, one bit for each

  private ReadSwitch(Channel channel) {
    this.channel = channel;
  }

  /** The read switch of a channel. */
  public static ReadSwitch of(Channel channel) {
    var attribute = channel.attr(KEY);
    ReadSwitch known = attribute.get();
    if (known == null) {
      ReadSwitch fresh = new ReadSwitch(channel);
      known = attribute.setIfAbsent(fresh);
      return known == null ? fresh : known;
    }
    return known;
  }

  /** Stops reading, or, if {@code allowed}, resumes it unless another reason to stop remains. */
  public void allow(Reason reason, boolean allowed) {
    int bit = 1 << reason.ordinal();
    if (((stopReasons & bit) == 0) == allowed) {
      return; // unchanged; each reason has only one writer
    }
    synchronized (this) {
      stopReasons = allowed ? stopReasons & ~bit : stopReasons | bit;
      channel.config().setAutoRead(stopReasons == 0);
    }
  }

  /** Whether no handler has a reason to stop reading. */
  public boolean isReading() {
    return stopReasons == 0;
  }
}
