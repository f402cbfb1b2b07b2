package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.ratis.metrics.Timekeeper;
import org.apache.ratis.metrics.impl.DefaultTimekeeperImpl;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.thirdparty.com.codahale.metrics.Timer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ratis' timer of appends to one log, which also reports each append to the replica. An append
 * lasts from the assignment of the entry's index until the entry is written, and synced if the
 * options require it.
 */
final class AppendTimer implements Timekeeper {
  private static final Logger LOG = LoggerFactory.getLogger(AppendTimer.class);

  private final Timer timer;
  private final LongConsumer appended;

  private AppendTimer(Timer timer, LongConsumer appended) {
    this.timer = timer;
    this.appended = appended;
  }

  /**
   * Replaces the group's timer.
   *
   * @param appended receives the duration of each append, in nanoseconds; must not block
   */
  static void install(RaftServer.Division division, LongConsumer appended) {
    try {
      Object metrics = RatisField.get(division.getRaftLog(), "metrics");
      RatisField field = RatisField.of(metrics, "appendEntryTimer");
      Timer timer = ((DefaultTimekeeperImpl) field.get()).getTimer();
      field.set(new AppendTimer(timer, appended));
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("Slow appends to logs are not reported: Ratis has changed", e);
    }
  }

  @Override
  public Context time() {
    long startNanos = System.nanoTime();
    return () -> stop(startNanos);
  }

  private long stop(long startNanos) {
    long nanos = System.nanoTime() - startNanos;
    timer.update(nanos, TimeUnit.NANOSECONDS);
    appended.accept(nanos);
    return nanos;
  }
}
