package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;
import org.jspecify.annotations.Nullable;

/**
 * Election timeouts of a group. While elections fail, the longest timeout grows by half of the time
 * that passes without a leader. Members that split the votes then retry at different times, a
 * candidate waits longer for late votes, and a group without a majority uses little CPU.
 *
 * <pre>
 *   leader | first attempts, plain timeouts   | random between shortest and (longest + grown)
 *          ^ lost                             ^ {@link #PATIENT_TIMEOUTS} timeouts later
 * </pre>
 *
 * <p>Ratis draws each timeout between {@link #minRpcTimeoutMs} and {@link #maxRpcTimeoutMs}. A
 * group with a leader uses the plain timeouts. Thread-safe.
 */
final class ElectionBackOff implements DivisionProperties {
  private static final int PATIENT_TIMEOUTS = 3;

  private final DivisionProperties plain;
  private final BooleanSupplier led;
  private final int maxMillis;
  private final LongSupplier nanoTime;
  private volatile @Nullable Long leaderlessSince; // null while there is a leader

  /**
   * @param led whether this member knows a leader of the group
   * @param maxMillis the most by which the longest timeout grows
   */
  ElectionBackOff(
      DivisionProperties plain, BooleanSupplier led, int maxMillis, LongSupplier nanoTime) {
    this.plain = plain;
    this.led = led;
    this.maxMillis = maxMillis;
    this.nanoTime = nanoTime;
  }

  /**
   * Installs growing timeouts in a group that has just been started. Ratis uses separate timeouts
   * for the first election after a start. This method also turns these separate timeouts off; a
   * timeout that already runs is not affected.
   */
  static void install(RaftServer.Division division, int maxMillis)
      throws ReflectiveOperationException {
    RatisField field = RatisField.of(division, "divisionProperties");
    field.set(
        new ElectionBackOff(
            (DivisionProperties) field.get(),
            () -> division.getInfo().getLeaderId() != null,
            maxMillis,
            System::nanoTime));
    ((AtomicBoolean) RatisField.get(division, "firstElectionSinceStartup")).set(false);
  }

  @Override
  public int maxRpcTimeoutMs() {
    return plain.maxRpcTimeoutMs() + grownMillis();
  }

  private int grownMillis() {
    if (led.getAsBoolean()) {
      leaderlessSince = null;
      return 0;
    }
    Long since = leaderlessSince;
    long now = nanoTime.getAsLong();
    if (since == null) {
      leaderlessSince = now;
      return 0;
    }
    long late =
        TimeUnit.NANOSECONDS.toMillis(now - since)
            - (long) PATIENT_TIMEOUTS * plain.maxRpcTimeoutMs();
    return (int) Math.max(0, Math.min(late / 2, maxMillis));
  }

  @Override
  public TimeDuration minRpcTimeout() {
    return plain.minRpcTimeout();
  }

  @Override
  public TimeDuration maxRpcTimeout() {
    return plain.maxRpcTimeout();
  }

  @Override
  public TimeDuration rpcSleepTime() {
    return plain.rpcSleepTime();
  }

  @Override
  public TimeDuration rpcSlownessTimeout() {
    return plain.rpcSlownessTimeout();
  }
}
