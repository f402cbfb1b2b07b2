package dev.kudu4j.itest.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/** The running workers of some workloads, each in its own thread with its own store. */
public final class Load implements AutoCloseable {
  private static final long END_MILLIS = 120_000; // more than the maximum duration of a call

  private final Findings findings;
  private final Map<String, AtomicLong> successes = new ConcurrentHashMap<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean ended;

  /**
   * @param stores opens the store of the worker of that number
   */
  public Load(
      List<? extends Workload> workloads,
      Findings findings,
      long seed,
      IntFunction<? extends Store> stores) {
    this.findings = findings;
    Random seeds = new Random(seed);
    for (Workload workload : workloads) {
      successes.put(workload.name(), new AtomicLong());
      for (Worker worker : workload.workers()) {
        int number = threads.size();
        long seedOfWorker = seeds.nextLong();
        String name = workload.name() + "-" + number;
        threads.add(
            new Thread(
                () -> {
                  Random random = new Random(seedOfWorker);
                  try {
                    while (!ended) {
                      work(worker, () -> stores.apply(number), random, workload.name());
                    }
                  } catch (RuntimeException | AssertionError e) {
                    findings.add("%s ended with %s", name, withPlace(e));
                  }
                },
                name));
      }
    }
    threads.forEach(Thread::start);
  }

  /** The loop of one client. */
  private void work(Worker worker, Supplier<Store> open, Random random, String workload) {
    try (Store store = open.get()) {
      do {
        try {
          if (worker.step(store, random)) {
            successes.get(workload).incrementAndGet();
          }
        } catch (Unavailable e) {
          // Repeated by a later step.
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(worker.restMillis()));
      } while (!ended && !worker.wantsNewClient(random));
    }
  }

  private static String withPlace(Throwable e) {
    return e + " at " + (e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0]);
  }

  /** Number of successful steps of each workload so far. */
  public Map<String, Long> successes() {
    Map<String, Long> now = new ConcurrentHashMap<>();
    successes.forEach((name, count) -> now.put(name, count.get()));
    return now;
  }

  /** Ends the workers after their current steps. */
  @Override
  public void close() {
    ended = true;
    try {
      for (Thread thread : threads) {
        thread.join(END_MILLIS);
        if (thread.isAlive()) {
          findings.add("%s hangs at %s", thread.getName(), List.of(thread.getStackTrace()));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
