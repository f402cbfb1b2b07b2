package dev.kudu4j.itest.history;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Decides whether the calls to one register can be ordered such that each took effect at one moment
 * between its start and its end, and each read returned the value written last.
 *
 * <p>The search is that of Wing and Gong: of the calls that began before the first response of any
 * pending call, one is selected as the next to take effect; if no call fits, the search backtracks.
 * As Lowe has shown, a set of calls with the same value of the register need not be tried twice, in
 * whatever order its calls were selected; remembering these sets makes the search short in
 * practice.
 *
 * <pre>
 *   W1 |-----------|                    events, by time:  W1 begins, R begins, R answered, W1 answered
 *   R      |---|                        before the first answer only W1 and R can be next:
 *   --------------------->  time        W1 then R if R returned 1; R then W1 if it returned the value before
 * </pre>
 *
 * <p>A write without a response is pending forever: it may take effect at any time after its start.
 * Taking effect at the very end is equivalent to never taking effect; so a write whose value no
 * read returned is omitted from the start.
 *
 * <p>A search that exceeds its budget is {@link Verdict.Kind#UNDECIDED}, never a pass.
 */
public final class Linearizability {
  private final List<RegisterCall> calls;
  private final int budget;
  private final Event head;
  private final Set<State> seen = new HashSet<>();
  private final Deque<Taken> taken = new ArrayDeque<>();
  private final BitSet takenCalls;
  private long value;
  private List<RegisterCall> longest = List.of();

  /**
   * The result.
   *
   * @param order all calls in an order that explains them, or the longest beginning of one
   * @param stuck the calls of which none can come next; empty if all are explained
   */
  public record Verdict(Kind kind, List<RegisterCall> order, List<RegisterCall> stuck) {
    /** Whether an order explains the calls. */
    public enum Kind {
      LINEARIZABLE,
      NOT_LINEARIZABLE,
      UNDECIDED
    }

    public boolean isLinearizable() {
      return kind == Kind.LINEARIZABLE;
    }
  }

  /** The start or the end of a call, in a list by time. */
  private static final class Event {
    final int call;
    final boolean begins;
    Event answer; // of a start
    Event previous;
    Event next;

    Event(int call, boolean begins) {
      this.call = call;
      this.begins = begins;
    }

    void unlink() {
      previous.next = next;
      if (next != null) {
        next.previous = previous;
      }
    }

    void relink() {
      previous.next = this;
      if (next != null) {
        next.previous = this;
      }
    }
  }

  private record State(BitSet calls, long value) {}

  private record Taken(Event beginning, long valueBefore) {}

  private Linearizability(List<RegisterCall> calls, long initialValue, int budget) {
    this.calls = calls;
    this.budget = budget;
    this.value = initialValue;
    this.head = events(calls);
    this.takenCalls = new BitSet(calls.size());
  }

  /**
   * Checks the calls to one register.
   *
   * @param initialValue before any call
   * @param budget the maximum number of remembered states before the search is given up
   */
  public static Verdict judge(List<RegisterCall> calls, long initialValue, int budget) {
    Set<Long> read = new HashSet<>();
    calls.stream().filter(RegisterCall::isRead).forEach(call -> read.add(call.value()));
    List<RegisterCall> telling =
        calls.stream()
            .filter(
                call -> call.answeredNanos() != RegisterCall.NEVER || read.contains(call.value()))
            .toList();
    return new Linearizability(telling, initialValue, budget).search();
  }

  /** At the same moment a start comes before an end: the two calls overlap. */
  private static Event events(List<RegisterCall> calls) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      Event beginning = new Event(i, true);
      beginning.answer = new Event(i, false);
      events.add(beginning);
      events.add(beginning.answer);
    }
    events.sort(
        Comparator.comparingLong((Event event) -> time(event, calls))
            .thenComparing(event -> !event.begins));
    Event head = new Event(-1, false);
    Event last = head;
    for (Event event : events) {
      last.next = event;
      event.previous = last;
      last = event;
    }
    return head;
  }

  private static long time(Event event, List<RegisterCall> calls) {
    RegisterCall call = calls.get(event.call);
    return event.begins ? call.invokedNanos() : call.answeredNanos();
  }

  private Verdict search() {
    Event event = head.next;
    List<RegisterCall> stuck = List.of();
    while (head.next != null) {
      if (seen.size() > budget) {
        return new Verdict(Verdict.Kind.UNDECIDED, longest, stuck);
      }
      if (event.begins) {
        event = take(event) ? head.next : event.next;
        continue;
      }
      if (taken.size() >= longest.size()) { // the end of a call that fits nowhere before it
        longest = order();
        stuck = candidates();
      }
      if (taken.isEmpty()) {
        return new Verdict(Verdict.Kind.NOT_LINEARIZABLE, longest, stuck);
      }
      event = takeBack().next;
    }
    return new Verdict(Verdict.Kind.LINEARIZABLE, order(), List.of());
  }

  /** Whether the call may come next, and has not been tried in this state. */
  private boolean take(Event beginning) {
    RegisterCall call = calls.get(beginning.call);
    if (call.isRead() && call.value() != value) {
      return false;
    }
    takenCalls.set(beginning.call);
    if (!seen.add(new State((BitSet) takenCalls.clone(), call.value()))) {
      takenCalls.clear(beginning.call);
      return false;
    }
    taken.push(new Taken(beginning, value));
    value = call.value();
    beginning.unlink();
    beginning.answer.unlink();
    return true;
  }

  private Event takeBack() {
    Taken last = taken.pop();
    value = last.valueBefore();
    takenCalls.clear(last.beginning().call);
    last.beginning().answer.relink();
    last.beginning().relink();
    return last.beginning();
  }

  private List<RegisterCall> order() {
    List<RegisterCall> order = new ArrayList<>();
    taken.descendingIterator().forEachRemaining(t -> order.add(calls.get(t.beginning().call)));
    return order;
  }

  private List<RegisterCall> candidates() {
    List<RegisterCall> candidates = new ArrayList<>();
    for (Event event = head.next; event != null && event.begins; event = event.next) {
      candidates.add(calls.get(event.call));
    }
    return candidates;
  }
}
