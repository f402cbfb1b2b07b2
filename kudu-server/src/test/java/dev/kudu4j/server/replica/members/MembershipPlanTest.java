package dev.kudu4j.server.replica.members;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupPeer;
import dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MembershipPlanTest {
  private static final MemberNotes.Note JOINING =
      new MemberNotes.Note("new", "host:7050", true, true, false);

  private static List<GroupPeer> peers(String... servers) {
    return Arrays.stream(servers)
        .map(server -> new GroupPeer(server, server + ":1", null))
        .toList();
  }

  /** Leader a, voters b and c, listener d; "new" is joining. */
  private static MembershipPlan.Group group(String... answering) {
    return new MembershipPlan.Group(
        "t",
        "a",
        new CommittedConfiguration(7, peers("a", "b", "c"), peers("d")),
        MemberNotes.NONE.with("new", none -> JOINING),
        Set.of(answering));
  }

  private static MembershipPlan plan(MemberChange... changes) {
    return MembershipPlan.of(group("a", "b", "c", "d"), List.of(changes));
  }

  private static MemberChange.Modify vote(String server, boolean voter) {
    return new MemberChange.Modify(server, Optional.of(voter), Optional.empty(), Optional.empty());
  }

  private static MemberChange.Modify marks(String server, boolean promote, boolean replace) {
    return new MemberChange.Modify(
        server, Optional.empty(), Optional.of(promote), Optional.of(replace));
  }

  private static void assertRefused(Reason reason, MemberChange... changes) {
    assertThatThrownBy(() -> plan(changes))
        .isInstanceOfSatisfying(
            MemberChangeRejectedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
  }

  @Test
  void newMemberIsAddedOnlyToTheNotes() {
    MembershipPlan plan = plan(new MemberChange.Add("e", "e:7050", true, false));
    assertThat(plan.changesConfiguration(group().configuration())).isFalse();
    assertThat(plan.notes().find("e"))
        .contains(new MemberNotes.Note("e", "e:7050", true, true, false));
    assertThat(plan.notes().find("new")).contains(JOINING);
    assertThat(MemberNotes.decode(plan.notes().encode())).isEqualTo(plan.notes());
  }

  @Test
  void existingMembersAreNotAddedAndNonMembersNotRemoved() {
    assertRefused(Reason.INVALID, new MemberChange.Add("b", null, true, false));
    assertRefused(Reason.INVALID, new MemberChange.Add("new", null, true, false));
    assertRefused(Reason.INVALID, new MemberChange.Remove("e"));
    assertRefused(Reason.INVALID, vote("e", true));
    assertRefused(Reason.INVALID, new MemberChange.Remove(""));
  }

  @Test
  void leaderCannotLoseItsMembershipOrVoteButCanBeMarked() {
    assertRefused(Reason.INVALID, new MemberChange.Remove("a"));
    assertRefused(Reason.INVALID, vote("a", false));
    assertThat(plan(marks("a", false, true)).notes().find("a").orElseThrow().replace()).isTrue();
  }

  @Test
  void removedMemberIsNotAddedAgainByAnOldNote() {
    MembershipPlan.Group interrupted =
        new MembershipPlan.Group(
            "t",
            "a",
            group().configuration(),
            MemberNotes.NONE.with("d", note -> note.joining(true).promote(true)),
            Set.of("a", "b", "c", "d"));
    MembershipPlan plan = MembershipPlan.of(interrupted, List.of(new MemberChange.Remove("d")));
    assertThat(plan.listeners()).isEmpty();
    assertThat(plan.notes().find("d").filter(MemberNotes.Note::joining)).isEmpty();
  }

  @Test
  void joiningMemberIsRemovedByItsNoteAlone() {
    MembershipPlan plan = plan(new MemberChange.Remove("new"));
    assertThat(plan.notes().byServer()).isEmpty();
    assertThat(plan.changesConfiguration(group().configuration())).isFalse();
  }

  @Test
  void listenerGetsItsVote() {
    MembershipPlan plan = plan(vote("d", true));
    assertThat(plan.voters()).extracting(GroupPeer::serverUuid).contains("a", "b", "c", "d");
    assertThat(plan.listeners()).isEmpty();
  }

  @Test
  void demotedVoterJoinsAgain() {
    MembershipPlan plan = plan(vote("c", false));
    assertThat(plan.voters()).extracting(GroupPeer::serverUuid).containsExactly("a", "b");
    assertThat(plan.notes().find("c").orElseThrow().joining()).isTrue();
  }

  @Test
  void severalChangesTogetherMayAffectOneVoter() {
    MembershipPlan plan =
        plan(
            marks("b", false, true),
            new MemberChange.Add("e", null, true, false),
            new MemberChange.Remove("c"));
    assertThat(plan.notes().byServer()).containsOnlyKeys("b", "e", "new");
    assertThat(plan.voters()).hasSize(2);
    assertRefused(Reason.INVALID, new MemberChange.Remove("b"), new MemberChange.Remove("c"));
    assertRefused(Reason.INVALID, marks("b", false, true), new MemberChange.Remove("b"));
  }

  @Test
  void changeThatChangesNothingIsRefused() {
    assertRefused(Reason.INVALID, vote("b", true));
    assertRefused(Reason.INVALID, marks("b", false, false));
  }

  @Test
  void changeWithoutAReachableMajorityIsRejected() {
    assertThatThrownBy(
            () -> MembershipPlan.of(group("a", "c"), List.of(new MemberChange.Remove("c"))))
        .isInstanceOfSatisfying(
            MemberChangeRejectedException.class,
            e -> assertThat(e.reason()).isEqualTo(Reason.NOT_NOW));
    assertThat(MembershipPlan.of(group("a", "c"), List.of(new MemberChange.Remove("b"))).voters())
        .hasSize(2);
  }
}
