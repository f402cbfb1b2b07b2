package dev.kudu4j.server.replica;

import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A client's request between its arrival and its answer: one piece, or several that go into the log
 * one behind the other. Answered after the last, once.
 */
final class PendingRequest {
  /**
   * What goes into one entry on behalf of one request.
   *
   * @param content rows, or null for a request that is an entry of its own
   */
  record Piece(PendingRequest request, WriteRequest content, int bytes) {
    boolean isLast() {
      return content == null || content.piece() == content.pieces() - 1;
    }
  }

  final long deadlineNanos;
  final int bytes;
  final CompletableFuture<RequestResult> answer;
  private final AtomicBoolean settled = new AtomicBoolean();
  private List<Piece> pieces = List.of();
  private byte[] encoded;

  PendingRequest(long deadlineNanos, int bytes, CompletableFuture<RequestResult> answer) {
    this.deadlineNanos = deadlineNanos;
    this.bytes = bytes;
    this.answer = answer;
  }

  List<Piece> pieces() {
    return pieces;
  }

  void pieces(List<Piece> pieces) {
    this.pieces = pieces;
  }

  /** The whole entry, for a request that is one. */
  byte[] encoded() {
    return encoded;
  }

  void encoded(byte[] entry) {
    encoded = entry;
    pieces = List.of(new Piece(this, null, entry.length));
  }

  boolean isExpired(long nowNanos) {
    return deadlineNanos != WriteSubmission.NO_DEADLINE && nowNanos - deadlineNanos >= 0;
  }

  /** Whether the answer may be given now: true for the first caller. */
  boolean settle() {
    return settled.compareAndSet(false, true);
  }

  boolean isSettled() {
    return settled.get();
  }
}
