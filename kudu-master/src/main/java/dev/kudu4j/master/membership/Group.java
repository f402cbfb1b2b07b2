package dev.kudu4j.master.membership;

import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.master.catalog.Ids;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A tablet's Raft group, as its leader described it in one report. Immutable.
 *
 * @param leader uuid of the leader, whose report this is
 * @param term the term in which the leader leads
 * @param configIndex index of the configuration; a request to change the members has to repeat it
 * @param members the members, each with a different uuid
 */
public record Group(String leader, long term, long configIndex, List<Member> members) {
  public Group {
    members = List.copyOf(members);
    Set<String> uuids = new HashSet<>();
    for (Member member : members) {
      if (!uuids.add(member.uuid())) {
        throw new IllegalArgumentException("Member " + member.uuid() + " is named twice");
      }
    }
  }

  /** The group in a leader's report. The leader itself counts as healthy, since it has reported. */
  public static Group reported(String leader, long term, RaftConfigPB config) {
    List<Member> members = new ArrayList<>(config.getPeersCount());
    for (RaftPeerPB peer : config.getPeersList()) {
      String uuid = Ids.fromWire(peer.getPermanentUuid());
      members.add(
          new Member(
              uuid,
              peer.getMemberType() == RaftPeerPB.MemberType.VOTER,
              peer.getAttrs().getReplace(),
              uuid.equals(leader) ? Health.HEALTHY : health(peer)));
    }
    return new Group(leader, term, config.getOpidIndex(), members);
  }

  private static Health health(RaftPeerPB peer) {
    return peer.hasHealthReport() ? Health.of(peer.getHealthReport()) : Health.UNKNOWN;
  }

  public Optional<Member> member(String uuid) {
    return members.stream().filter(member -> member.uuid().equals(uuid)).findFirst();
  }

  public boolean isMember(String uuid) {
    return member(uuid).isPresent();
  }

  public List<String> uuids() {
    return members.stream().map(Member::uuid).toList();
  }

  public List<Member> voters() {
    return members.stream().filter(Member::voter).toList();
  }

  /**
   * Whether every member is a healthy voter that is not marked for replacement. The number of
   * members may still be wrong.
   */
  public boolean isWhole() {
    return members.stream().allMatch(member -> member.isHealthyVoter() && !member.replace());
  }

  int healthyVoters() {
    return (int) members.stream().filter(Member::isHealthyVoter).count();
  }

  static int majorityOf(int voters) {
    return voters / 2 + 1;
  }
}
