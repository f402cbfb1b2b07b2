package dev.kudu4j.common.rpc;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.netty.channel.Channel;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections of one server by remote address. Selects the connections to close when there are
 * too many.
 *
 * <p>At a limit, a new connection replaces an existing one. At the limit of its address, it
 * replaces a connection from the same address. At the limit of all connections, it replaces a
 * connection from the address with the most connections. At the limit of connections whose
 * negotiation is not complete, it replaces the oldest of these connections.
 *
 * <p>Of the connections from one address, those whose negotiation is not complete are closed first,
 * the oldest first. Connections without calls follow, the longest idle first. A connection with
 * calls is never closed. If all connections that could be replaced have calls, the new connection
 * is rejected.
 *
 * <p>A selection reads all connections of an address. To keep selections rare, each selection also
 * closes some other connections that have been idle for more than 5 seconds. Thread-safe.
 */
final class ConnectionTable {
  /** The activity of a negotiated connection; any thread may read it. */
  interface Activity {
    /** Value of {@link #idleSinceNanos} while calls are in flight. */
    long BUSY = Long.MAX_VALUE;

    long idleSinceNanos();
  }

  private static final class Entry {
    final Channel channel;
    final InetAddress address;
    final long openedNanos;
    @Nullable Activity activity; // null until negotiation is complete

    Entry(Channel channel, InetAddress address, long openedNanos) {
      this.channel = channel;
      this.address = address;
      this.openedNanos = openedNanos;
    }
  }

  private record Candidate(Entry entry, long idleNanos) {}

  private static final long LONG_IDLE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long BEFORE_ALL_NEGOTIATED = 1L << 62;
  private static final int EXTRA_EVICTION_DIVISOR = 64;
  private static final int SHED_DIVISOR = 8;

  private final ConnectionLimits limits;
  private final LongSupplier nanoTime;
  private final BiConsumer<String, Integer> onEviction;

  @GuardedBy("this")
  private final Map<Channel, Entry> entries = new HashMap<>();

  @GuardedBy("this")
  private final Map<InetAddress, Set<Entry>> byAddress = new HashMap<>();

  @GuardedBy("this")
  private final Set<Entry> unnegotiated = new LinkedHashSet<>();

  /**
   * @param onEviction receives the reason and the number of connections that are closed for it
   */
  ConnectionTable(
      ConnectionLimits limits, LongSupplier nanoTime, BiConsumer<String, Integer> onEviction) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.onEviction = onEviction;
  }

  /**
   * Adds a connection, replacing others if necessary.
   *
   * @return false if the caller must close {@code channel}, because all connections that it could
   *     replace have calls
   */
  boolean admit(Channel channel) {
    InetAddress address = LocalSockets.remoteAddress(channel).getAddress();
    List<Entry> victims;
    String reason;
    synchronized (this) {
      Set<Entry> evictionGroup = evictionGroupFor(address);
      victims = evictionGroup == null ? List.of() : victimsOf(evictionGroup, 1);
      reason = reasonFor(evictionGroup, address);
      victims.forEach(this::remove);
      if (evictionGroup != null && victims.isEmpty()) {
        victims = null;
      } else {
        add(new Entry(channel, address, nanoTime.getAsLong()));
      }
    }
    if (victims == null) {
      onEviction.accept(reason + ", and all have calls", 1);
      return false;
    }
    if (!victims.isEmpty()) {
      onEviction.accept(reason, victims.size());
      victims.forEach(victim -> victim.channel.close());
    }
    return true;
  }

  /** The connections of which one must be closed; null if no limit is reached. */
  @GuardedBy("this")
  private @Nullable Set<Entry> evictionGroupFor(InetAddress address) {
    Set<Entry> same = byAddress.getOrDefault(address, Set.of());
    if (same.size() >= limits.perAddress()) {
      return same;
    }
    if (entries.size() >= limits.total()) {
      return byAddress.values().stream().max(Comparator.comparingInt(Set::size)).orElseThrow();
    }
    return unnegotiated.size() >= limits.unnegotiated() ? unnegotiated : null;
  }

  @GuardedBy("this")
  private String reasonFor(@Nullable Set<Entry> evictionGroup, InetAddress address) {
    if (evictionGroup == null) {
      return "";
    }
    if (evictionGroup == unnegotiated) {
      return unnegotiated.size() + " connections have not finished negotiation";
    }
    InetAddress of = evictionGroup.isEmpty() ? address : evictionGroup.iterator().next().address;
    return String.format(
        "%d connections, %d of them from %s",
        entries.size(), evictionGroup.size(), of.getHostAddress());
  }

  /**
   * The connections to close: {@code needed} connections, or fewer if the other connections have
   * calls, and some more that have been idle for more than 5 seconds.
   */
  @GuardedBy("this")
  private List<Entry> victimsOf(Set<Entry> evictionGroup, int needed) {
    long now = nanoTime.getAsLong();
    List<Candidate> candidates = new ArrayList<>();
    for (Entry entry : evictionGroup) {
      if (entry.activity == null) {
        candidates.add(new Candidate(entry, BEFORE_ALL_NEGOTIATED + now - entry.openedNanos));
        if (evictionGroup == unnegotiated) {
          break; // the set is ordered by time of opening
        }
      } else if (entry.activity.idleSinceNanos() != Activity.BUSY) {
        candidates.add(new Candidate(entry, now - entry.activity.idleSinceNanos()));
      }
    }
    candidates.sort(Comparator.comparingLong(Candidate::idleNanos).reversed());
    int max = needed + evictionGroup.size() / EXTRA_EVICTION_DIVISOR;
    List<Entry> victims = new ArrayList<>();
    for (Candidate candidate : candidates) {
      boolean must = victims.size() < needed;
      if (must || (victims.size() < max && candidate.idleNanos > LONG_IDLE_NANOS)) {
        victims.add(candidate.entry);
      }
    }
    return victims;
  }

  @GuardedBy("this")
  private void add(Entry entry) {
    entries.put(entry.channel, entry);
    byAddress.computeIfAbsent(entry.address, address -> new LinkedHashSet<>()).add(entry);
    unnegotiated.add(entry);
  }

  @GuardedBy("this")
  private void remove(Entry entry) {
    entries.remove(entry.channel);
    unnegotiated.remove(entry);
    Set<Entry> same = byAddress.get(entry.address);
    if (same != null) {
      same.remove(entry);
      if (same.isEmpty()) {
        byAddress.remove(entry.address);
      }
    }
  }

  /** Records that the negotiation is complete. */
  synchronized void negotiated(Channel channel, Activity activity) {
    Entry entry = entries.get(channel);
    if (entry != null) {
      entry.activity = activity;
      unnegotiated.remove(entry);
    }
  }

  /** Removes a closed connection. */
  synchronized void closed(Channel channel) {
    Entry entry = entries.get(channel);
    if (entry != null) {
      remove(entry);
    }
  }

  /** Closes the least active connections because the process has no file descriptor left. */
  void closeLeastActive() {
    List<Entry> victims;
    synchronized (this) {
      victims =
          byAddress.values().stream()
              .max(Comparator.comparingInt(Set::size))
              .map(group -> victimsOf(group, 1 + group.size() / SHED_DIVISOR))
              .orElse(List.of());
      victims.forEach(this::remove);
    }
    if (!victims.isEmpty()) {
      onEviction.accept("no file descriptor is left", victims.size());
      victims.forEach(victim -> victim.channel.close());
    }
  }

  synchronized int size() {
    return entries.size();
  }
}
