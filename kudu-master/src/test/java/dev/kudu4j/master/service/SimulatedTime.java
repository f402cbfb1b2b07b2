package dev.kudu4j.master.service;

import dev.kudu4j.common.time.TimeSource;
import dev.kudu4j.master.tables.Delays;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Time that advances only when a test requests it, with all delayed work: the work of one thread in
 * a fixed order, so that a run depends only on the seed.
 */
final class SimulatedTime implements Executor, Delays, TimeSource {
  private record Event(long atNanos, long order, Runnable action) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(atNanos, other.atNanos);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final Deque<Runnable> ready = new ArrayDeque<>();
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long nowNanos;
  private long order;

  long nanos() {
    return nowNanos;
  }

  @Override
  public long nowMicros() {
    return 1_600_000_000_000_000L + nowNanos / 1_000;
  }

  @Override
  public long maxErrorMicros() {
    return 0;
  }

  @Override
  public void execute(Runnable action) {
    ready.add(action);
  }

  @Override
  public void after(long delayMillis, Runnable action) {
    events.add(new Event(nowNanos + TimeUnit.MILLISECONDS.toNanos(delayMillis), order++, action));
  }

  /** Runs everything that is due within the given time. */
  void pass(long millis) {
    long end = nowNanos + TimeUnit.MILLISECONDS.toNanos(millis);
    runReady();
    while (!events.isEmpty() && events.peek().atNanos() <= end) {
      nowNanos = events.peek().atNanos();
      while (!events.isEmpty() && events.peek().atNanos() == nowNanos) {
        events.poll().action().run(); // simultaneous events run before the worker
      }
      runReady();
    }
    nowNanos = end;
  }

  private void runReady() {
    for (Runnable next = ready.poll(); next != null; next = ready.poll()) {
      next.run();
    }
  }
}
