package dev.kudu4j.server.transport;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads that handle requests of other servers. Appends, votes and heartbeats have separate
 * pools because they wait for different things: an append for the log's queue, a vote for the disk,
 * a heartbeat for its group's lock. During an election the group's lock may be held while a vote is
 * written or a thread is started. Heartbeats of all other groups must not queue behind such a
 * group, so there may be more threads than processors.
 */
final class Receivers implements AutoCloseable {
  private static final int IDLE_SECONDS = 10;
  private static final int VOTERS = 16;
  private static final int HEARTBEAT_THREADS = 16;
  private static final int RESOLVERS = 2;

  final ExecutorService heartbeats;
  final ExecutorService votes;

  /** Threads that resolve the host names of servers that connect. */
  final ExecutorService resolvers;

  /**
   * Runs appends with entries, in the order of their arrival over all connections. If the appends
   * of an old and a new leader were handled concurrently, the old leader's entries could overwrite
   * the new leader's entries in the log, long after the term of the old append was checked.
   */
  final GroupOrder appends;

  private final ExecutorService appendThreads;

  /** Longest time that a vote request may wait for a thread. */
  final int voteMillis;

  Receivers(int voteMillis) {
    this.voteMillis = voteMillis;
    int processors = Runtime.getRuntime().availableProcessors();
    heartbeats = pool("raft-heartbeats", HEARTBEAT_THREADS);
    appendThreads = pool("raft-appends", Math.max(4, 2 * processors));
    appends = new GroupOrder(appendThreads);
    votes = pool("raft-votes", VOTERS);
    resolvers = pool("raft-resolvers", RESOLVERS);
  }

  private static ExecutorService pool(String name, int threads) {
    AtomicInteger count = new AtomicInteger();
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> new ReceivingThread(task, name + "-" + count.incrementAndGet()));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  @Override
  public void close() {
    heartbeats.shutdown();
    appendThreads.shutdown();
    votes.shutdown();
    resolvers.shutdown();
  }
}
