package dev.kudu4j.client;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.RemoteTablet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The batches of a session for one tablet, in order: at most one is in flight, so the operations of
 * a row are written in the order of their applying.
 *
 * <pre>
 *   in flight | next, next ... (sealed), the last one still open
 * </pre>
 *
 * <p>Guarded by the lock of its {@link WriteBuffer}.
 */
final class TabletWriter {
  /**
   * A batch takes no more rows beyond this: far below a frame, enough for the cost of a request to
   * disappear among its rows.
   */
  private static final int FULL_BYTES = 4 << 20;

  /** Arrays larger than this are not kept for the next batch. */
  private static final int KEPT_BYTES = 1 << 20;

  private final RemoteTablet tablet;
  private final ByteString tabletId;
  private final ArrayDeque<WriteBatch> queue = new ArrayDeque<>();
  private WriteBatch inFlight;
  private WriteBatch spare;

  TabletWriter(RemoteTablet tablet) {
    this.tablet = tablet;
    this.tabletId = ByteString.copyFromUtf8(tablet.tabletId());
  }

  RemoteTablet tablet() {
    return tablet;
  }

  ByteString tabletId() {
    return tabletId;
  }

  /**
   * Adds an operation behind the others.
   *
   * @param mayJoinDue whether it may be sent earlier than asked for, with others that are due
   */
  void add(TableWriter table, Operation operation, boolean mayJoinDue) {
    WriteBatch last = queue.peekLast();
    if (last == null
        || last.table() != table
        || last.bytes() >= FULL_BYTES
        || (last.isDue() && !mayJoinDue && !operation.group().isDue())) {
      last = newBatch(table);
      queue.add(last);
    }
    last.add(operation);
  }

  private WriteBatch newBatch(TableWriter table) {
    WriteBatch batch = spare == null ? new WriteBatch() : spare;
    spare = null;
    return batch.begin(table);
  }

  /** All operations that are here now are to be sent. */
  void setDue() {
    queue.forEach(WriteBatch::setDue);
  }

  /** Whether operations wait here that are not due. */
  boolean hasOpenBatch() {
    WriteBatch last = queue.peekLast();
    return last != null && !last.isDue();
  }

  /** The batch to be sent now, which is in flight from here on; null when there is none. */
  WriteBatch next() {
    WriteBatch first = queue.peek();
    if (inFlight != null || first == null || !first.isDue()) {
      return null;
    }
    inFlight = queue.poll();
    return inFlight;
  }

  /** The batch in flight has its answer, and nobody needs its bytes any more. */
  void landed(WriteBatch batch) {
    inFlight = null;
    if (batch.bytes() <= KEPT_BYTES) {
      batch.clear();
      spare = batch;
    }
  }

  /** The tablet is gone: takes out all operations, in order, the batch in flight included. */
  List<WriteBatch> drain() {
    List<WriteBatch> all = new ArrayList<>(queue.size() + 1);
    if (inFlight != null) {
      all.add(inFlight);
    }
    all.addAll(queue);
    inFlight = null;
    queue.clear();
    return all;
  }

  boolean isIdle() {
    return inFlight == null && queue.isEmpty();
  }
}
