package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Proves that this replica led when its clock showed a time.
 *
 * <p>The leader reads its clock, sends the time to the other members, and each says whether it is
 * in the leader's term still. When a majority is, the leader itself among them, no newer leader can
 * have been elected before the clock was read: it would have needed the vote, and with it the term,
 * of one of them.
 *
 * <p>There is no lease. Raft here keeps no member from voting for another leader while a lease
 * runs. Nor is Raft's own linearizable read a proof: it takes an index that was confirmed once for
 * confirmed for ever.
 *
 * <p>Thread-safe.
 */
final class LeadershipProof {
  @GuardedBy("this")
  private long term = LedTerm.NONE;

  @GuardedBy("this")
  private final Map<String, Long> confirmed = new HashMap<>();

  /**
   * Another member was in the term after the leader's clock had shown the time.
   *
   * @param others who vote besides the leader
   * @return up to which time leadership is proved now, or 0
   */
  synchronized long confirm(String member, long inTerm, long time, Collection<String> others) {
    if (inTerm < term) {
      return 0;
    }
    if (inTerm > term) {
      term = inTerm;
      confirmed.clear();
    }
    confirmed.merge(member, time, Math::max);
    confirmed.keySet().retainAll(others);
    long[] times = new long[others.size()];
    int count = 0;
    for (String other : others) {
      times[count++] = confirmed.getOrDefault(other, 0L);
    }
    Arrays.sort(times);
    int needed = (others.size() + 1) / 2; // with the leader itself more than half
    return times.length == 0 ? 0 : times[times.length - needed];
  }
}
