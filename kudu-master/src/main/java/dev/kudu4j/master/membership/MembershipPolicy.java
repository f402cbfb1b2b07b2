package dev.kudu4j.master.membership;

import dev.kudu4j.master.membership.MembershipChange.Add;
import dev.kudu4j.master.membership.MembershipChange.Nothing;
import dev.kudu4j.master.membership.MembershipChange.Remove;
import dev.kudu4j.master.membership.MembershipChange.TransferLeadership;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides on the next change of one tablet's members: a replacement becomes a voter before the
 * member that it replaces is removed.
 *
 * <pre>
 *   A  B  C!         C has failed
 *   A  B  C!  d      d is added as a learner, copies the data, becomes a voter
 *   A  B  C!  D      four voters, one too many
 *   A  B  D          C is removed
 * </pre>
 *
 * <p>Invariant: if the healthy voters are a majority before a change, they are a majority after it.
 * "Row" in the comments below means a row of the table in docs/design/re-replication.md.
 */
public final class MembershipPolicy {
  private final Group group;
  private final DesiredConfiguration wishes;
  private final List<Member> voters;

  private MembershipPolicy(Group group, DesiredConfiguration wishes) {
    this.group = group;
    this.wishes = wishes;
    this.voters = group.voters();
  }

  /** The next change of a group. */
  public static MembershipChange next(Group group, DesiredConfiguration wishes) {
    return new MembershipPolicy(group, wishes).next();
  }

  private MembershipChange next() {
    if (!voters.stream().anyMatch(this::isLeader)) {
      return new Nothing("its leader is no voter");
    }
    if (group.healthyVoters() < Group.majorityOf(voters.size())) {
      return new Nothing("too few of its voters are healthy");
    }
    return dropNonVoter()
        .or(this::dropVoter)
        .or(this::addMember)
        .or(this::freeServer)
        .orElseGet(() -> new Nothing("nothing is lacking, or no server is free"));
  }

  /** Rows 3 and 4. */
  private Optional<MembershipChange> dropNonVoter() {
    boolean needless = soundVoters() >= wishes.replicationFactor();
    return removal(
        group.members().stream()
            .filter(member -> !member.voter() && (needless || !isSound(member)))
            .toList());
  }

  /** Rows 5, 6 and 7. */
  private Optional<MembershipChange> dropVoter() {
    if (voters.size() <= wishes.replicationFactor()) {
      return Optional.empty();
    }
    List<Member> worst = worstFollowers();
    if (!worst.isEmpty() && !isSound(worst.get(0))) {
      return removal(worst);
    }
    Member leader = group.member(group.leader()).orElseThrow();
    if (!isSound(leader)) {
      return transfer();
    }
    // If no sound voter is spare, the marked ones are needed until the health of others is known.
    return soundVoters() > wishes.replicationFactor() ? removal(worst) : Optional.empty();
  }

  private List<Member> worstFollowers() {
    List<Member> worst = new ArrayList<>();
    for (Member voter : voters) {
      if (isLeader(voter) || !keepsMajorityWithout(voter)) {
        continue;
      }
      if (!worst.isEmpty() && badness(voter) > badness(worst.get(0))) {
        worst.clear();
      }
      if (worst.isEmpty() || badness(voter) == badness(worst.get(0))) {
        worst.add(voter);
      }
    }
    return worst;
  }

  /**
   * How early a voter is removed: the higher the number, the earlier. A voter that is marked for
   * replacement ranks above one whose health is merely unknown.
   */
  private int badness(Member member) {
    int marked = isMarked(member) ? 1 : 0;
    return switch (member.health()) {
      case UNRECOVERABLE -> 6 + marked;
      case FAILED -> 4 + marked;
      case UNKNOWN -> 1 + 2 * marked;
      case HEALTHY -> 2 * marked;
    };
  }

  private Optional<MembershipChange> transfer() {
    List<String> successors =
        voters.stream()
            .filter(voter -> !isLeader(voter) && isSound(voter) && voter.isHealthyVoter())
            .map(Member::uuid)
            .toList();
    return successors.isEmpty()
        ? Optional.empty()
        : Optional.of(new TransferLeadership(successors));
  }

  /** Row 8. */
  private Optional<MembershipChange> addMember() {
    return isLacking() && wishes.serverFree() ? Optional.of(new Add()) : Optional.empty();
  }

  /**
   * Row 9: a member is lacking but no server is free, so an unrecoverable voter is removed first,
   * which frees its server.
   */
  private Optional<MembershipChange> freeServer() {
    if (!isLacking()) {
      return Optional.empty();
    }
    return removal(
        voters.stream()
            .filter(
                voter ->
                    voter.health() == Health.UNRECOVERABLE
                        && !isLeader(voter)
                        && keepsMajorityWithout(voter))
            .toList());
  }

  private boolean isLacking() {
    long promised = group.members().stream().filter(m -> !m.voter() && isSound(m)).count();
    long counted =
        voters.stream().filter(voter -> isSound(voter) || isExcused(voter)).count() + promised;
    return counted < wishes.replicationFactor();
  }

  private long soundVoters() {
    return voters.stream().filter(this::isSound).count();
  }

  private boolean isSound(Member member) {
    return !member.health().isFailed() && !isMarked(member);
  }

  private boolean isExcused(Member member) {
    return wishes.excused().test(member.uuid()) && !isMarked(member);
  }

  private boolean isMarked(Member member) {
    return member.replace() || wishes.leaving().test(member.uuid());
  }

  private boolean isLeader(Member member) {
    return member.uuid().equals(group.leader());
  }

  private boolean keepsMajorityWithout(Member voter) {
    int healthy = group.healthyVoters() - (voter.isHealthyVoter() ? 1 : 0);
    return healthy >= Group.majorityOf(voters.size() - 1);
  }

  private static Optional<MembershipChange> removal(List<Member> members) {
    return members.isEmpty()
        ? Optional.empty()
        : Optional.of(new Remove(members.stream().map(Member::uuid).toList()));
  }
}
