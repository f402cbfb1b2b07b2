package dev.kudu4j.server.replica;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Proves that this replica led when its clock showed a certain time.
 *
 * <p>The leader reads its clock and sends its term to the other members; each answers whether it is
 * still in that term. If a majority, including the leader, is in that term, no newer leader was
 * elected before the clock was read: a newer leader would have needed the vote of a member of this
 * majority, and that member would now be in the newer term. During a change of members, a majority
 * of the old voters and a majority of the new voters are needed. The voters are those of the latest
 * configuration in the leader's log, because a newer leader's majority overlaps with every majority
 * of these voters.
 *
 * <p>A lease does not work: in Ratis a member may vote for another leader during a lease. Ratis'
 * linearizable read is no proof either: it treats an index that was confirmed once as confirmed
 * forever.
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
   * @param self uuid of the leader's server
   */
  LeadershipProof(String self) {
    this.self = self;
  }

  /**
   * Records that another member has confirmed that it was in the term {@code inTerm} after the
   * leader's clock had shown {@code time}.
   *
   * @param electorates sets of voters; a majority of each set is needed
   * @return the latest time at which this replica certainly led, or 0
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
