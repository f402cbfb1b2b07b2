package dev.kudu4j.server.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How many bytes of appends are under way to one server, of all groups. Who finds it full waits,
 * and is woken when it is half empty, in the order in which they came. As a group may have two
 * appends under way only, none can fill the window again before the others had their turn.
 *
 * <p>The last one let in may go over the limit, by one append.
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
   * Whether there is room.
   *
   * @param wake called once, when there is, after a "no"
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
