package dev.kudu4j.itest.hostile;

import java.io.IOException;
import java.util.List;
import org.apache.ratis.thirdparty.com.google.protobuf.MessageLite;

/** Messages on the Raft port in the name of a member. */
final class RaftAttacks {
  private static final String CATALOG = "0".repeat(32);
  private static final long[] TERMS = {Long.MAX_VALUE, Long.MAX_VALUE - 1, -1, 1L << 40};
  private static final int ANSWER_MILLIS = 500;
  private static final int CLAIMED_BYTES = 1 << 20;

  private final HostileCluster cluster;

  RaftAttacks(HostileCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * Votes and heartbeats with absurd terms, for every tablet to every member, the catalog included.
   */
  void absurdTerms() {
    for (String tablet : cluster.tabletIds(HostileCluster.BUSY)) {
      toMembers(tablet);
    }
    for (String tablet : cluster.tabletIds(HostileCluster.STILL)) {
      toMembers(tablet);
    }
    for (String claimed : List.of(cluster.master().uuid(), "a".repeat(32))) {
      attack(claimed, cluster.master(), CATALOG);
    }
  }

  private void toMembers(String tablet) {
    List<Target> members = cluster.tabletServers();
    for (int i = 0; i < members.size(); i++) {
      Target claimed = members.get((i + 1) % members.size());
      attack(claimed.uuid(), members.get(i), tablet);
      attack("a".repeat(32), members.get(i), tablet);
    }
  }

  private static void attack(String claimed, Target target, String tablet) {
    for (long term : TERMS) {
      List<Sent> messages =
          List.of(
              new Sent(RawRaft.VOTE, RawRaft.vote(claimed, target, tablet, term, true)),
              new Sent(RawRaft.VOTE, RawRaft.vote(claimed, target, tablet, term, false)),
              new Sent(RawRaft.APPEND, RawRaft.append(claimed, target, tablet, term)));
      for (Sent message : messages) {
        try (RawRaft raft = RawRaft.claiming(claimed, target, "CONTROL")) {
          raft.answer(ANSWER_MILLIS);
          raft.send(message.kind(), message.body());
          raft.answer(ANSWER_MILLIS);
        } catch (IOException refused) {
          // The connection is closed: also a valid rejection.
        }
      }
    }
  }

  private record Sent(int kind, MessageLite body) {}

  /** Connections that each announce a large frame, and send none of it. */
  Crowd claimedFrames(int connections, Target target) {
    Crowd crowd = new Crowd();
    for (int i = 0; i < connections; i++) {
      claim(crowd, target, i);
    }
    return crowd;
  }

  private void claim(Crowd crowd, Target target, int number) {
    Target claimed = cluster.tabletServers().get(number % cluster.tabletServers().size());
    try {
      RawRaft raft = RawRaft.claiming(claimed.uuid(), target, number % 2 == 0 ? "DATA" : "CONTROL");
      crowd.add(raft);
      raft.sendLength(CLAIMED_BYTES).send(new byte[] {RawRaft.APPEND});
    } catch (IOException refused) {
      // The server accepts no more connections, or none of this kind.
    }
  }
}
