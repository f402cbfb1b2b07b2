package dev.kudu4j.common.rpc.frame;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;

/**
 * Reads from a channel as long as nobody objects: several handlers have reasons to stop, and one
 * must not start again what another has stopped. All of them use this, and none {@code
 * setAutoRead}. Thread-safe.
 */
public final class ReadSwitch {
  /** Who objects. */
  public enum Reason {
    /** The process has no memory for what would arrive. */
    MEMORY,
    /** The handler of requests has enough of them. */
    REQUESTS
  }

  private static final AttributeKey<ReadSwitch> KEY = AttributeKey.valueOf(ReadSwitch.class, "it");

  private final Channel channel;
  private volatile int objections; // a bit for each reason

  private ReadSwitch(Channel channel) {
    this.channel = channel;
  }

  /** The one switch of a channel. */
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

  /** Raises or withdraws one objection. */
  public void allow(Reason reason, boolean allowed) {
    int bit = 1 << reason.ordinal();
    if (((objections & bit) == 0) == allowed) {
      return; // as it is; only one party speaks for a reason
    }
    synchronized (this) {
      objections = allowed ? objections & ~bit : objections | bit;
      channel.config().setAutoRead(objections == 0);
    }
  }

  /** Whether nobody objects. */
  public boolean isReading() {
    return objections == 0;
  }
}
