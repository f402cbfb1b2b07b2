package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Proves that this replica led when its clock showed a time.
 *
 * <p>The leader reads its clock, sends the time to the other members, and each says whether it is
 * in the leader's term still. When a majority is, the leader itself among them, no newer leader can
 * have been elected before the clock was read: it would have needed the vote, and with it the term,
 * of one of them. While the members change, a majority of the old voters and one of the new are
 * needed; the voters are those of the latest configuration that the leader has logged, since a
 * newer leader's majority meets a majority of those.
 *
 * <p>There is no lease. Raft here keeps no member from voting for another leader while a lease
 * runs. Nor is Raft's own linearizable read a proof: it takes an index that was confirmed once for
 * confirmed for ever.
 *
 * <p>Thread-safe.
 */
final class LeadershipProof {
  private final String self;

  @GuardedBy("this")
  private long term = LeaderTerm.NONE;

  @GuardedBy("this")
  private final Map<String, Long> confirmed = new HashMap<>();

  /**
   * @param self the leader's server
   */
  LeadershipProof(String self) {
    this.self = self;
  }

  /**
   * Another member was in the term after the leader's clock had shown the time.
   *
   * @param electorates sets of voters, of each of which a majority is needed
   * @return up to which time leadership is proved now, or 0
   */
  synchronized long confirm(
      String member, long inTerm, long time, Collection<Set<String>> electorates) {
    if (inTerm < term) {
      return 0;
    }
    if (inTerm > term) {
      term = inTerm;
      confirmed.clear();
    }
    confirmed.merge(member, time, Math::max);
    confirmed.keySet().removeIf(known -> electorates.stream().noneMatch(e -> e.contains(known)));
    long proved = Long.MAX_VALUE;
    for (Set<String> electorate : electorates) {
      proved = Math.min(proved, confirmedByMajority(electorate));
    }
    return proved == Long.MAX_VALUE ? 0 : proved;
  }

  @GuardedBy("this")
  private long confirmedByMajority(Set<String> electorate) {
    long[] times = new long[electorate.size()];
    int count = 0;
    for (String voter : electorate) {
      times[count++] = voter.equals(self) ? Long.MAX_VALUE : confirmed.getOrDefault(voter, 0L);
    }
    Arrays.sort(times);
    int majority = times.length / 2 + 1;
    return times.length == 0 ? 0 : times[times.length - majority];
  }
}
