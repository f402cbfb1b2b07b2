package dev.kudu4j.server.raft.tuning;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.ratis.server.DivisionProperties;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.TimeDuration;

/**
 * The time-outs of a group, the longest of which grows while elections fail: half as fast as the
 * time that has passed without a leader. So the attempts of members that split the votes fall
 * apart, a candidate waits longer for votes that come late, and a group that has lost its majority
 * leaves the processors to those that have not.
 *
 * <pre>
 *   leader | first attempts, as often as ever | random between shortest and (longest + grown)
 *          ^ lost                             ^ {@link #PATIENT_TIMEOUTS} time-outs later
 * </pre>
 *
 * <p>Ratis draws each time-out between {@link #minRpcTimeoutMs} and {@link #maxRpcTimeoutMs}; a
 * group with a leader has the plain ones. Thread-safe.
 */
final class ElectionBackOff implements DivisionProperties {
  private static final int PATIENT_TIMEOUTS = 3;

  private final DivisionProperties plain;
  private final BooleanSupplier led;
  private final int mostMillis;
  private final LongSupplier nanoTime;
  private volatile Long leaderlessSince; // null while there is a leader

  /**
   * @param led whether the group has a leader, as far as is known here
   * @param mostMillis the longest time-out grows by that much at most
   */
  ElectionBackOff(
      DivisionProperties plain, BooleanSupplier led, int mostMillis, LongSupplier nanoTime) {
    this.plain = plain;
    this.led = led;
    this.mostMillis = mostMillis;
    this.nanoTime = nanoTime;
  }

  /**
   * Gives a group that has just been started time-outs that grow. Ratis has others until the group
   * has elected for the first time since the start; that is over with the first of them.
   */
  static void install(RaftServer.Division division, int mostMillis)
      throws ReflectiveOperationException {
    RatisField field = RatisField.of(division, "divisionProperties");
    field.set(
        new ElectionBackOff(
            (DivisionProperties) field.get(),
            () -> division.getInfo().getLeaderId() != null,
            mostMillis,
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
    return (int) Math.max(0, Math.min(late / 2, mostMillis));
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
