package dev.kudu4j.server.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Limits the unanswered append bytes to one server, across all groups. A sender that finds the
 * window full waits until it is half empty; waiting senders are woken in the order of arrival. A
 * group may have at most two unanswered appends to the server, so no group can refill the window
 * before the other groups have had their turn.
 *
 * <p>The bytes may exceed the limit by one append per concurrent sender, because {@link #hasRoom}
 * and {@link #take} are separate steps.
 */
final class SendWindow {
  private final long limitBytes;

  @GuardedBy("this")
  private long bytes;

  @GuardedBy("this")
  private final Set<Runnable> waiting = new LinkedHashSet<>();

  SendWindow(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /**
   * Whether the window has room.
   *
   * @param wake called once, when the window has room again, if this returns false
   */
  synchronized boolean hasRoom(Runnable wake) {
    if (bytes >= limitBytes) {
      waiting.add(wake);
      return false;
    }
    return true;
  }

  synchronized void take(long count) {
    bytes += count;
  }

  void give(long count) {
    List<Runnable> woken = List.of();
    synchronized (this) {
      bytes -= count;
      if (bytes <= limitBytes / 2 && !waiting.isEmpty()) {
        woken = List.copyOf(waiting);
        waiting.clear();
      }
    }
    woken.forEach(Runnable::run);
  }

  synchronized long bytes() {
    return bytes;
  }
}
