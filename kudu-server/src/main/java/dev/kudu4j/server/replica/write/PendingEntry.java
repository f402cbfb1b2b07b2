package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.raft.RaftEntry;
import dev.kudu4j.tablet.log.RequestResult;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An entry from its submission until it is applied or fails. Ratis carries it as the content of a
 * request and as the context of the transaction. Its bytes are wrapped, not copied, so the
 * timestamp can be written into them when the entry is assigned its index in the log.
 */
public final class PendingEntry extends RaftEntry {
  /** Receives the outcome of the entry, once. */
  interface Owner {
    void applied(PendingEntry entry, List<RequestResult> results);

    void failed(PendingEntry entry, KuduException reason);

    /** Nothing was applied, because a transaction has reserved the entry's timestamp. */
    void notValid(PendingEntry entry);
  }

  public final byte[] bytes;
  public final int timestamps;
  final List<PendingRequest.Piece> pieces;
  private final Owner owner;
  private final AtomicBoolean settled = new AtomicBoolean();

  PendingEntry(byte[] bytes, int timestamps, List<PendingRequest.Piece> pieces, Owner owner) {
    super(bytes);
    this.bytes = bytes;
    this.timestamps = timestamps;
    this.pieces = pieces;
    this.owner = owner;
  }

  /** Whether all its requests may be logged in this term. */
  public boolean isFor(long term) {
    for (PendingRequest.Piece piece : pieces) {
      if (!piece.request().isFor(term)) {
        return false;
      }
    }
    return true;
  }

  /** Called when the replica starts to apply the entry. */
  public void committed() {
    reached(CallTimeline.Stage.COMMITTED);
  }

  void reached(CallTimeline.Stage stage) {
    for (PendingRequest.Piece piece : pieces) {
      piece.request().reached(stage);
    }
  }

  public void applied(List<RequestResult> results) {
    reached(CallTimeline.Stage.APPLIED);
    if (settled.compareAndSet(false, true)) {
      owner.applied(this, results);
    }
  }

  /** Called if the entry was logged without an effect: its timestamp was reserved. */
  public void notValid() {
    if (settled.compareAndSet(false, true)) {
      owner.notValid(this);
    }
  }

  /**
   * Called if the entry was not logged or its outcome is unknown. The client retries under the same
   * id.
   */
  @Override
  public void failed(KuduException reason) {
    if (settled.compareAndSet(false, true)) {
      owner.failed(this, reason);
    }
  }
}
