package dev.kudu4j.master.membership;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.master.membership.MembershipChange.Add;
import dev.kudu4j.master.membership.MembershipChange.Nothing;
import dev.kudu4j.master.membership.MembershipChange.Remove;
import dev.kudu4j.master.membership.MembershipChange.TransferLeadership;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The rows of the table of decisions, and invariants of all decisions. */
class MembershipPolicyTest {
  private static final int STEPS = 60;

  /**
   * A group in short form: {@code "A B C! d"}. Capitals vote, the first leads; {@code !} has
   * failed, {@code !!} is unrecoverable, {@code ?} is unknown, {@code -} is marked for replacement.
   */
  private static Group group(String text) {
    List<Member> members = new ArrayList<>();
    for (String word : text.split(" ")) {
      String name = word.substring(0, 1);
      Health health =
          word.contains("!!")
              ? Health.UNRECOVERABLE
              : word.contains("!")
                  ? Health.FAILED
                  : word.contains("?") ? Health.UNKNOWN : Health.HEALTHY;
      members.add(
          new Member(
              name.toUpperCase(Locale.ROOT),
              Character.isUpperCase(name.charAt(0)),
              word.contains("-"),
              health));
    }
    return new Group(members.get(0).uuid(), 1, 1, members);
  }

  private static MembershipChange next(String text, int factor) {
    return MembershipPolicy.next(group(text), DesiredConfiguration.of(factor));
  }

  private static DesiredConfiguration noServerFree(int factor) {
    return new DesiredConfiguration(factor, uuid -> false, uuid -> false, false);
  }

  private static Remove remove(String... anyOf) {
    return new Remove(List.of(anyOf));
  }

  @Example
  void aCompleteTabletIsNotChanged() {
    assertThat(next("A B C", 3)).isInstanceOf(Nothing.class);
    assertThat(next("A", 1)).isInstanceOf(Nothing.class);
    assertThat(next("A B? C", 3)).isInstanceOf(Nothing.class);
  }

  @Example
  void aFailedVoterIsReplacedBeforeItIsRemoved() {
    assertThat(next("A B C!", 3)).isEqualTo(new Add());
    assertThat(next("A B C! d", 3)).isInstanceOf(Nothing.class);
    assertThat(next("A B C! D", 3)).isEqualTo(remove("C"));
    assertThat(next("A B D", 3)).isInstanceOf(Nothing.class);
  }

  @Example
  void withoutAMajorityNothingIsChanged() {
    assertThat(next("A B! C!", 3)).isInstanceOf(Nothing.class);
    assertThat(next("A B? C!", 3)).isInstanceOf(Nothing.class);
    assertThat(next("A B C! D!", 3)).isInstanceOf(Nothing.class);
  }

  @Example
  void aFailedNewMemberIsRemoved() {
    assertThat(next("A B C! d!", 3)).isEqualTo(remove("D"));
    assertThat(next("A B C! d? e!!", 3)).isEqualTo(remove("E"));
  }

  @Example
  void anUnnecessaryNewMemberIsRemoved() {
    assertThat(next("A B C d", 3)).isEqualTo(remove("D"));
  }

  @Example
  void theWorstExcessVoterIsRemovedFirst() {
    assertThat(next("A B C! D!! E", 3)).isEqualTo(remove("D"));
    assertThat(next("A B- C! D E", 3)).isEqualTo(remove("C"));
    assertThat(next("A B- C D", 3)).isEqualTo(remove("B"));
    assertThat(next("A B? C D", 3)).isEqualTo(remove("B"));
    assertThat(next("A B C D", 3)).isEqualTo(remove("B", "C", "D"));
  }

  @Example
  void aLeavingLeaderTransfersItsLeadershipFirst() {
    assertThat(next("A- B C", 3)).isEqualTo(new Add());
    assertThat(next("A- B C D", 3)).isEqualTo(new TransferLeadership(List.of("B", "C", "D")));
    assertThat(next("A-", 1)).isEqualTo(new Add());
    assertThat(next("A- B", 1)).isEqualTo(new TransferLeadership(List.of("B")));
    assertThat(next("B A-", 1)).isEqualTo(remove("A"));
  }

  @Example
  void changesOfTheReplicationFactorAddAndRemoveMembers() {
    assertThat(next("A B C", 5)).isEqualTo(new Add());
    assertThat(next("A B C d", 5)).isEqualTo(new Add());
    assertThat(next("A B C d e", 5)).isInstanceOf(Nothing.class);
    assertThat(next("A B C D E", 3)).isEqualTo(remove("B", "C", "D", "E"));
  }

  @Example
  void failedMembersInMaintenanceAreNotReplaced() {
    DesiredConfiguration wishes =
        new DesiredConfiguration(3, Set.of("C")::contains, uuid -> false, true);
    assertThat(MembershipPolicy.next(group("A B C!"), wishes)).isInstanceOf(Nothing.class);
    assertThat(MembershipPolicy.next(group("A B! C"), wishes)).isEqualTo(new Add());
    assertThat(MembershipPolicy.next(group("A B C-"), wishes)).isEqualTo(new Add());
  }

  @Example
  void membersOfLeavingServersAreReplaced() {
    DesiredConfiguration wishes =
        new DesiredConfiguration(3, uuid -> false, Set.of("B")::contains, true);
    assertThat(MembershipPolicy.next(group("A B C"), wishes)).isEqualTo(new Add());
    assertThat(MembershipPolicy.next(group("A B C D"), wishes)).isEqualTo(remove("B"));
  }

  @Example
  void withoutAFreeServerOnlyUnrecoverableMembersAreRemoved() {
    assertThat(MembershipPolicy.next(group("A B C!"), noServerFree(3))).isInstanceOf(Nothing.class);
    assertThat(MembershipPolicy.next(group("A B C!!"), noServerFree(3))).isEqualTo(remove("C"));
    assertThat(MembershipPolicy.next(group("A B- C"), noServerFree(3))).isInstanceOf(Nothing.class);
  }

  /** Two voters are to be replaced, and the health of their successors is not known yet. */
  @Example
  void soundVotersAreNotRemovedBecauseMarkedOnesAreStillNeeded() {
    List<Member> members = new ArrayList<>();
    members.add(new Member("A", true, false, Health.HEALTHY));
    members.add(new Member("B", true, true, Health.HEALTHY));
    members.add(new Member("C", true, true, Health.HEALTHY));
    members.add(new Member("D", true, false, Health.UNKNOWN));
    members.add(new Member("E", true, false, Health.UNKNOWN));
    Group group = new Group("A", 1, 1, members);
    assertThat(MembershipPolicy.next(group, DesiredConfiguration.of(3)))
        .isInstanceOf(Nothing.class);
    members.set(3, new Member("D", true, false, Health.HEALTHY));
    assertThat(MembershipPolicy.next(new Group("A", 1, 1, members), DesiredConfiguration.of(3)))
        .isEqualTo(new Remove(List.of("B", "C")));
  }

  /** A healthy majority stays, and the leader is never removed. */
  @Property(tries = 2000)
  void noChangeRemovesTheMajority(
      @ForAll("groups") Group group, @ForAll("factors") int factor, @ForAll boolean serverFree) {
    DesiredConfiguration wishes =
        new DesiredConfiguration(factor, uuid -> false, uuid -> false, serverFree);
    if (MembershipPolicy.next(group, wishes) instanceof Remove remove) {
      for (String uuid : remove.anyOf()) {
        assertThat(uuid).isNotEqualTo(group.leader());
        Group after = without(group, uuid);
        assertThat(after.healthyVoters())
            .isGreaterThanOrEqualTo(Group.majorityOf(after.voters().size()));
        assertThat(soundVoters(after)).isGreaterThanOrEqualTo(Math.min(factor, soundVoters(group)));
      }
    }
  }

  /**
   * If every change is executed and no further member fails, the changes end, with a complete
   * group.
   */
  @Property(tries = 2000)
  void anyGroupWithAMajorityBecomesComplete(
      @ForAll("groups") Group start, @ForAll("factors") int factor) {
    Group group = start;
    if (group.healthyVoters() < Group.majorityOf(group.voters().size())) {
      return;
    }
    for (int i = 0; i < STEPS; i++) {
      MembershipChange change = MembershipPolicy.next(group, DesiredConfiguration.of(factor));
      if (change.isNothing()
          && group.members().stream().allMatch(MembershipPolicyTest::isSettled)) {
        assertThat(group.members()).hasSize(factor);
        assertThat(group.members()).noneMatch(m -> m.health().isFailed() || m.replace());
        return;
      }
      group = promoted(done(group, change));
    }
    throw new AssertionError("No end for " + start + " at factor " + factor + ": " + group);
  }

  /** Whether the member's state is final: until then, a decision for no change is not the end. */
  private static boolean isSettled(Member member) {
    return member.voter() && member.health() != Health.UNKNOWN;
  }

  private static Group done(Group group, MembershipChange change) {
    if (change instanceof Remove remove) {
      return without(group, remove.anyOf().get(0));
    }
    if (change instanceof TransferLeadership transfer) {
      return new Group(transfer.anyOf().get(0), group.term() + 1, 1, group.members());
    }
    List<Member> members = new ArrayList<>(group.members());
    if (change instanceof Add) {
      members.add(new Member(newUuid(members), false, false, Health.HEALTHY));
    }
    return new Group(group.leader(), group.term(), 1, members);
  }

  private static String newUuid(List<Member> members) {
    Set<String> taken = members.stream().map(Member::uuid).collect(Collectors.toSet());
    return Stream.iterate(0, i -> i + 1)
        .map(i -> "new" + i)
        .filter(uuid -> !taken.contains(uuid))
        .findFirst()
        .orElseThrow();
  }

  /** All members have reported by now, and healthy non-voters have caught up. */
  private static Group promoted(Group group) {
    List<Member> members =
        group.members().stream()
            .map(
                member ->
                    member.health().isFailed()
                        ? member
                        : new Member(member.uuid(), true, member.replace(), Health.HEALTHY))
            .toList();
    return new Group(group.leader(), group.term(), 1, members);
  }

  private static Group without(Group group, String uuid) {
    return new Group(
        group.leader(),
        group.term(),
        1,
        group.members().stream().filter(member -> !member.uuid().equals(uuid)).toList());
  }

  private static int soundVoters(Group group) {
    return (int)
        group.voters().stream().filter(m -> !m.health().isFailed() && !m.replace()).count();
  }

  @Provide
  Arbitrary<Integer> factors() {
    return Arbitraries.of(1, 3, 5, 7);
  }

  /** The first member leads: it is a healthy voter. */
  @Provide
  Arbitrary<Group> groups() {
    Arbitrary<Member> members =
        Combinators.combine(
                Arbitraries.integers().between(0, 1_000_000),
                Arbitraries.of(true, true, false),
                Arbitraries.of(true, false, false),
                Arbitraries.of(Health.class))
            .as((id, voter, replace, health) -> new Member("m" + id, voter, replace, health));
    return members
        .list()
        .ofMinSize(1)
        .ofMaxSize(8)
        .uniqueElements(Member::uuid)
        .map(
            list -> {
              List<Member> all = new ArrayList<>(list);
              Member first = all.get(0);
              all.set(0, new Member(first.uuid(), true, first.replace(), Health.HEALTHY));
              return new Group(first.uuid(), 1, 1, all);
            });
  }
}
