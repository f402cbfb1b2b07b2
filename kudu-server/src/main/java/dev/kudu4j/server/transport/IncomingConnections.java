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
import org.jspecify.annotations.Nullable;

/**
 * All incoming connections: greeted connections of other servers, and pending connections, whose
 * other end is not yet known. Bounds the numbers of both.
 *
 * <p>A connection is <i>pending</i> until its greeting is complete. When too many connections are
 * pending, from one address or in total, the oldest one is closed. A server greets immediately, so
 * its connections are never among the oldest. A client that holds many pending connections
 * therefore cannot lock servers out.
 *
 * <p>If a server has proven its identity, its new connection replaces the previous one for the same
 * purpose, which the server has abandoned. The connections of an unproven server coexist, up to
 * {@link #MAX_CONNECTIONS_PER_UNPROVEN_SERVER}; then the connection that has been silent longest is
 * closed.
 *
 * <p>Thread-safe.
 */
final class IncomingConnections {
  static final int MAX_PENDING = 256;
  static final int MAX_PENDING_OF_ADDRESS = 64;
  static final int MAX_CONNECTIONS_PER_UNPROVEN_SERVER = 3;

  private record Key(String server, Purpose purpose) {}

  /** Pending connections and their addresses, in the order of arrival. */
  @GuardedBy("this")
  private final Map<IncomingConnection, InetAddress> pending = new LinkedHashMap<>();

  @GuardedBy("this")
  private final Map<Key, List<IncomingConnection>> greeted = new HashMap<>();

  /**
   * Adds a connection that has been accepted. It is pending, and the oldest pending connection is
   * closed if there are too many.
   */
  void opened(IncomingConnection connection, InetAddress from) {
    @Nullable IncomingConnection oldest = null;
    synchronized (this) {
      pending.put(connection, from);
      long ofAddress = pending.values().stream().filter(from::equals).count();
      if (ofAddress > MAX_PENDING_OF_ADDRESS) {
        oldest = oldest(Set.of(from));
      } else if (pending.size() > MAX_PENDING) {
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

  /**
   * Called when the other end has stated its identity, and has proven it if {@code proven} is set.
   */
  void greeted(IncomingConnection connection, Hello hello, boolean proven) {
    List<IncomingConnection> replaced = new ArrayList<>();
    synchronized (this) {
      pending.remove(connection);
      List<IncomingConnection> same =
          greeted.computeIfAbsent(
              new Key(hello.from(), hello.purpose()), key -> new ArrayList<>(1));
      int maxOthers = proven ? 0 : MAX_CONNECTIONS_PER_UNPROVEN_SERVER - 1;
      while (same.size() > maxOthers) {
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

  /** Removes a connection that has closed. */
  synchronized void closed(IncomingConnection connection, @Nullable Hello hello) {
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

  /**
   * Called when a host of a server has become known. Pending connections of that server are checked
   * again.
   */
  void recheckPending(String server) {
    List<IncomingConnection> waiting;
    synchronized (this) {
      waiting = List.copyOf(pending.keySet());
    }
    waiting.forEach(connection -> connection.becameKnown(server));
  }

  /** Number of open connections, greeted or pending. */
  synchronized int count() {
    return pending.size() + greeted.values().stream().mapToInt(List::size).sum();
  }
}
