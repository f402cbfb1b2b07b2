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

/** The workers of some workloads at work, each in a thread with a store of its own. */
public final class Load implements AutoCloseable {
  private static final long END_MILLIS = 120_000; // more than a call may take

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

  /** The life of one client. */
  private void work(Worker worker, Supplier<Store> open, Random random, String workload) {
    try (Store store = open.get()) {
      do {
        try {
          if (worker.step(store, random)) {
            successes.get(workload).incrementAndGet();
          }
        } catch (Unavailable e) {
          // Asked for again by a later step.
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(worker.restMillis()));
      } while (!ended && !worker.wantsNewClient(random));
    }
  }

  private static String withPlace(Throwable e) {
    return e + " at " + (e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0]);
  }

  /** Steps of each workload that servers have done, so far. */
  public Map<String, Long> successes() {
    Map<String, Long> now = new ConcurrentHashMap<>();
    successes.forEach((name, count) -> now.put(name, count.get()));
    return now;
  }

  /** Ends the workers after the steps they are at. */
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
