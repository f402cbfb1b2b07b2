package dev.kudu4j.server.replica.write;

import dev.kudu4j.common.rpc.CallTimeline;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.RequestResult.OutcomeCounts;
import dev.kudu4j.tablet.log.RowFailureList;
import dev.kudu4j.tablet.log.WriteRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A client's request from its arrival until its response. A large request is split into several
 * {@link Piece}s, which are logged in order. The request is answered once, after its last piece is
 * applied.
 */
final class PendingRequest {
  /**
   * The part of a request that goes into one entry.
   *
   * @param content the rows; null for a request whose encoded entry is not shared with other
   *     requests
   * @param firstRow position of the piece's first row in the request
   * @param bytes size of the piece's rows with all cells, plus overhead
   */
  record Piece(PendingRequest request, @Nullable WriteRequest content, int firstRow, int bytes) {
    boolean isLast() {
      return content == null || content.piece() == content.pieces() - 1;
    }
  }

  private static final int NOT_BLOCKED = -1;

  final long deadlineNanos;
  final long term;
  final int bytes;
  final long memoryBytes;
  final CompletableFuture<RequestResult> answer;
  private final @Nullable CallTimeline timeline;
  private final AtomicBoolean settled = new AtomicBoolean();
  private List<Piece> pieces = List.of();
  // Guarded by the queue's lock:
  private int piecesTaken;
  private int underWay; // pieces in entries that have not ended
  private int blockedAt = NOT_BLOCKED; // the first piece that is to be logged again
  private boolean parked; // whether the transaction that blocks it has not ended

  private byte @Nullable [] encoded;
  private @Nullable QueuedStep step;
  private @Nullable RequestResult sum; // written by the apply thread

  /**
   * @param term the only term in which the request may be logged, or {@link
   *     WriteSubmission#ANY_TERM}
   * @param memoryBytes memory that the request occupies once applied
   * @param timeline records the stages of the request; null if its call is not sampled
   */
  PendingRequest(
      long deadlineNanos,
      long term,
      int bytes,
      long memoryBytes,
      @Nullable CallTimeline timeline,
      CompletableFuture<RequestResult> answer) {
    this.deadlineNanos = deadlineNanos;
    this.term = term;
    this.bytes = bytes;
    this.memoryBytes = memoryBytes;
    this.timeline = timeline;
    this.answer = answer;
  }

  void reached(CallTimeline.Stage stage) {
    if (timeline != null) {
      timeline.reached(stage);
    }
  }

  /** Called when a piece is taken for an entry. */
  @SuppressWarnings("ReferenceEquality") // pieces may have equal contents
  void taken(Piece piece) {
    assert pieces.get(piecesTaken) == piece : "pieces of a request are out of order";
    piecesTaken++;
    underWay++;
  }

  /** Called when the entry of a piece has ended. */
  void returned() {
    underWay--;
  }

  /** Called when the entry of a step had no effect, so that it is taken once more. */
  void takenBack() {
    piecesTaken = 0;
  }

  /** Whether some pieces will be logged again. */
  boolean isBlocked() {
    return blockedAt != NOT_BLOCKED;
  }

  /** Whether the piece will be logged again, so that its result means nothing. */
  boolean isRepeated(Piece piece) {
    return isBlocked() && number(piece) >= blockedAt;
  }

  private static int number(Piece piece) {
    return piece.content() == null ? 0 : piece.content().piece();
  }

  /** Called when a transaction has blocked a piece, which will be logged again with later ones. */
  void blockedAt(Piece piece) {
    blockedAt = number(piece);
    parked = true;
  }

  /** Called when the transaction that blocks the request has ended. */
  void released() {
    parked = false;
  }

  /**
   * The pieces to be logged again; empty before the transaction and all entries with pieces of the
   * request have ended. They are returned once.
   */
  List<Piece> takePiecesToRepeat() {
    if (!isBlocked() || parked || underWay > 0) {
      return List.of();
    }
    List<Piece> again = pieces.subList(blockedAt, pieces.size());
    piecesTaken = blockedAt;
    blockedAt = NOT_BLOCKED;
    return again;
  }

  /** Called when a piece could not be logged: it is taken again, with all later ones. */
  void repeatFrom(Piece piece) {
    blockedAt = isBlocked() ? Math.min(blockedAt, number(piece)) : number(piece);
  }

  /** Whether the request is a step of a transaction, which does not wait for others. */
  boolean isStep() {
    return step != null;
  }

  /** Whether this step goes before those that are not first. */
  boolean isFirst() {
    return step != null && step.first();
  }

  /** Whether this step may be logged now. */
  QueuedStep.Turn.Answer turn() {
    return step == null ? QueuedStep.Turn.Answer.LOG : step.turn().now();
  }

  List<Piece> pieces() {
    return pieces;
  }

  void pieces(List<Piece> pieces) {
    this.pieces = pieces;
  }

  /**
   * Whether the request writes rows. Other requests change the tablet's schema or the notes on
   * members.
   */
  boolean isWrite() {
    return encoded == null;
  }

  /**
   * The encoded entry of a request that does not share its entry with other requests; otherwise
   * null.
   */
  byte @Nullable [] encoded() {
    return encoded;
  }

  /** Makes this the request of an entry that is not shared. */
  void encoded(byte[] entry) {
    encoded = entry;
    pieces = List.of(new Piece(this, null, 0, entry.length));
  }

  /** Makes this the request of a step of a transaction. */
  void step(QueuedStep content) {
    step = content;
    encoded(content.entry());
  }

  /**
   * The accumulated result of the request after this piece. For a request with an id, the state
   * adds up the results of the pieces, because it must cache the sum. For a request without an id,
   * this method adds up the results.
   */
  RequestResult whole(Piece piece, RequestResult result) {
    WriteRequest content = piece.content();
    if (content == null || content.id() != null || content.pieces() == 1) {
      return result;
    }
    sum = sum == null ? result : plus(sum, result, piece.firstRow());
    return sum;
  }

  private static RequestResult plus(RequestResult sum, RequestResult more, int firstRow) {
    RowFailureList errors =
        RowFailureList.builder().addAll(0, sum.errors()).addAll(firstRow, more.errors()).build();
    OutcomeCounts a = sum.counts();
    OutcomeCounts b = more.counts();
    return new RequestResult(
        more.timestamp(),
        errors,
        new OutcomeCounts(
            a.successfulInserts() + b.successfulInserts(),
            a.insertIgnoreErrors() + b.insertIgnoreErrors(),
            a.successfulUpserts() + b.successfulUpserts(),
            a.upsertIgnoreErrors() + b.upsertIgnoreErrors(),
            a.successfulUpdates() + b.successfulUpdates(),
            a.updateIgnoreErrors() + b.updateIgnoreErrors(),
            a.successfulDeletes() + b.successfulDeletes(),
            a.deleteIgnoreErrors() + b.deleteIgnoreErrors()));
  }

  boolean isFor(long currentTerm) {
    return term == WriteSubmission.ANY_TERM || term == currentTerm;
  }

  boolean isExpired(long nowNanos) {
    return deadlineNanos != WriteSubmission.NO_DEADLINE && nowNanos - deadlineNanos >= 0;
  }

  /** Returns true to the first caller only, which may then answer the request. */
  boolean settle() {
    return settled.compareAndSet(false, true);
  }

  boolean isSettled() {
    return settled.get();
  }
}
