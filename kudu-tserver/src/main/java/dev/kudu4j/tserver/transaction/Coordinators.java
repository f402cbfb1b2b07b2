package dev.kudu4j.tserver.transaction;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.transaction.StatusTable;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;

/** The coordinators of the tablets that this server leads. Thread-safe. */
public final class Coordinators implements AutoCloseable {
  private final TabletRegistry tablets;
  private final BufferAllocator allocator;
  private final Coordinator.Environment environment;
  private final Map<String, Coordinator> byTablet = new ConcurrentHashMap<>();
  private boolean closed;

  /**
   * @param allocator borrowed; no memory is held between calls
   */
  Coordinators(
      TabletRegistry tablets, BufferAllocator allocator, Coordinator.Environment environment) {
    this.tablets = tablets;
    this.allocator = allocator;
    this.environment = environment;
  }

  /** Begins to coordinate when this server leads a tablet of the table, and ends it. */
  public void tabletChanged(String tabletId) {
    HostedTablet hosted = tablets.find(tabletId);
    if (hosted != null
        && hosted.isOpen()
        && hosted.isStatusTablet()
        && hosted.isRunning()
        && hosted.replica().isLeader()) {
      lead(hosted);
    } else {
      follow(tabletId);
    }
  }

  private synchronized void follow(String tabletId) {
    Coordinator ended = byTablet.remove(tabletId);
    if (ended != null) {
      ended.close();
    }
  }

  private void lead(HostedTablet hosted) {
    long term = hosted.replica().consensus().term();
    Coordinator begun;
    synchronized (this) {
      Coordinator present = byTablet.get(hosted.tabletId());
      if (closed || (present != null && present.term() == term)) {
        return;
      }
      follow(hosted.tabletId());
      begun = coordinator(hosted, term);
      byTablet.put(hosted.tabletId(), begun);
    }
    begun.load();
  }

  private Coordinator coordinator(HostedTablet hosted, long term) {
    Partition range = hosted.partition();
    return new Coordinator(
        hosted.tabletId(),
        new StatusRows(hosted.tablet(), hosted.replica(), allocator, term),
        StatusTable.transaction(range.start(), 0),
        StatusTable.transaction(range.end(), Long.MAX_VALUE),
        environment);
  }

  /**
   * The coordinator of a tablet.
   *
   * @throws TabletServerError if this server does not lead the tablet
   * @throws KuduException SERVICE_UNAVAILABLE while its rows are read
   */
  Coordinator require(ByteString tabletId) {
    HostedTablet hosted = tablets.running(tabletId);
    if (!hosted.isStatusTablet()) {
      throw KuduException.invalidArgument(
          "Tablet %s is not one of the table of transactions", hosted.tabletId());
    }
    if (!hosted.replica().isLeader()) {
      throw TabletServerError.notLeader(hosted.tabletId());
    }
    tabletChanged(hosted.tabletId()); // it may lead before it is announced, or in another term
    Coordinator coordinator = byTablet.get(hosted.tabletId());
    if (coordinator == null || !coordinator.isLoaded()) {
      throw KuduException.serviceUnavailable(
          "Tablet %s: the transactions are being loaded; try again", hosted.tabletId());
    }
    return coordinator;
  }

  /** Present ones. */
  Collection<Coordinator> all() {
    return List.copyOf(byTablet.values());
  }

  /** The number of transactions that have not ended. */
  int openCount() {
    return byTablet.values().stream().mapToInt(Coordinator::openCount).sum();
  }

  @Override
  public synchronized void close() {
    closed = true;
    byTablet.values().forEach(Coordinator::close);
    byTablet.clear();
  }
}
