package dev.kudu4j.server.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The connections that other servers have opened, and those of strangers that have not said who
 * they are. Bounds both.
 *
 * <p>A connection is <i>pending</i> until its greeting is over. When there are too many of these,
 * of one address or in all, the oldest are closed: a server greets at once, so its connections are
 * never among them, and whoever holds many cannot keep servers out.
 *
 * <p>A greeted connection takes the place of the one before of the same server and purpose, which
 * its peer has given up. That holds if the server has proven who it is. Otherwise a few stay beside
 * each other, and the one that has been silent for longest goes.
 *
 * <p>Thread-safe.
 */
final class IncomingConnections {
  static final int MOST_PENDING = 256;
  static final int MOST_PENDING_OF_ADDRESS = 64;
  static final int MOST_OF_UNPROVEN_SERVER = 3;

  private record Key(String server, Purpose purpose) {}

  /** In the order in which they came. */
  @GuardedBy("this")
  private final Map<IncomingConnection, InetAddress> pending = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<Key, List<IncomingConnection>> greeted = new HashMap<>();

  /** A connection has been accepted. */
  void opened(IncomingConnection connection, InetAddress from) {
    IncomingConnection oldest = null;
    synchronized (this) {
      pending.put(connection, from);
      long ofAddress = pending.values().stream().filter(from::equals).count();
      if (ofAddress > MOST_PENDING_OF_ADDRESS) {
        oldest = oldest(Set.of(from));
      } else if (pending.size() > MOST_PENDING) {
        oldest = oldest(Set.copyOf(pending.values()));
      }
      pending.remove(oldest);
    }
    if (oldest != null) {
      oldest.close();
    }
  }

  @GuardedBy("this")
  private IncomingConnection oldest(Set<InetAddress> of) {
    return pending.entrySet().stream()
        .filter(entry -> of.contains(entry.getValue()))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElseThrow();
  }

  /** The other end has said, and maybe proven, who it is. */
  void greeted(IncomingConnection connection, Hello hello, boolean proven) {
    List<IncomingConnection> replaced = new ArrayList<>();
    synchronized (this) {
      pending.remove(connection);
      List<IncomingConnection> same =
          greeted.computeIfAbsent(
              new Key(hello.from(), hello.purpose()), key -> new ArrayList<>(1));
      int mostOthers = proven ? 0 : MOST_OF_UNPROVEN_SERVER - 1;
      while (same.size() > mostOthers) {
        IncomingConnection silent =
            same.stream()
                .max(Comparator.comparingLong(IncomingConnection::silentNanos))
                .orElseThrow();
        same.remove(silent);
        replaced.add(silent);
      }
      same.add(connection);
    }
    replaced.forEach(IncomingConnection::close);
  }

  /** A connection is gone. */
  synchronized void closed(IncomingConnection connection, Hello hello) {
    pending.remove(connection);
    if (hello != null) {
      greeted.computeIfPresent(
          new Key(hello.from(), hello.purpose()),
          (key, same) -> {
            same.remove(connection);
            return same.isEmpty() ? null : same;
          });
    }
  }

  /** A server has become known: what it has opened before may be let in. */
  void known(String server) {
    List<IncomingConnection> waiting;
    synchronized (this) {
      waiting = List.copyOf(pending.keySet());
    }
    waiting.forEach(connection -> connection.becameKnown(server));
  }

  /** Those open now, greeted or not. */
  synchronized int count() {
    return pending.size() + greeted.values().stream().mapToInt(List::size).sum();
  }
}
