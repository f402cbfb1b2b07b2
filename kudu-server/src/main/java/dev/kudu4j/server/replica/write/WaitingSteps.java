package dev.kudu4j.server.replica.write;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Steps of transactions that have not been logged. Guarded by the queue's lock. */
final class WaitingSteps {
  private final ArrayDeque<PendingRequest.Piece> first = new ArrayDeque<>();
  private final ArrayDeque<PendingRequest.Piece> last = new ArrayDeque<>();

  void add(PendingRequest request) {
    queueOf(request).addAll(request.pieces());
  }

  /** Adds a request back that was taken, before all others of its kind. */
  void addAgain(PendingRequest request) {
    request.pieces().forEach(queueOf(request)::addFirst);
  }

  private ArrayDeque<PendingRequest.Piece> queueOf(PendingRequest request) {
    return request.isFirst() ? first : last;
  }

  boolean isEmpty() {
    return first.isEmpty() && last.isEmpty();
  }

  /**
   * Removes and returns the next step that may be logged; null if there is none.
   *
   * @param refused receives the steps that are removed because they can never be logged
   */
  PendingRequest.@Nullable Piece take(List<PendingRequest> refused) {
    PendingRequest.Piece next = takeFrom(first, false, refused);
    return next != null ? next : takeFrom(last, true, refused);
  }

  /**
   * @param inOrder whether all steps wait for the same, so that one that waits keeps those behind
   *     it
   */
  private static PendingRequest.@Nullable Piece takeFrom(
      ArrayDeque<PendingRequest.Piece> steps, boolean inOrder, List<PendingRequest> refused) {
    Iterator<PendingRequest.Piece> each = steps.iterator();
    while (each.hasNext()) {
      PendingRequest.Piece step = each.next();
      switch (step.request().turn()) {
        case LOG -> {
          each.remove();
          return step;
        }
        case REFUSE -> {
          each.remove();
          refused.add(step.request());
        }
        case WAIT -> {
          if (inOrder) {
            return null;
          }
        }
      }
    }
    return null;
  }

  /** Removes and returns all steps. */
  List<PendingRequest.Piece> takeAll() {
    List<PendingRequest.Piece> all = new ArrayList<>(first);
    all.addAll(last);
    first.clear();
    last.clear();
    return all;
  }
}
