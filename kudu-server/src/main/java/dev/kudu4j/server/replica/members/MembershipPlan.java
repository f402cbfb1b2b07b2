package dev.kudu4j.server.replica.members;

import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.INVALID;
import static dev.kudu4j.server.replica.members.MemberChangeRejectedException.Reason.NOT_NOW;

import dev.kudu4j.server.raft.CommittedConfiguration;
import dev.kudu4j.server.raft.GroupPeer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The steps that a change of members requires: new notes, a new configuration, or both, notes
 * first. A pure function of the group's state.
 *
 * @param notes all notes after the change
 * @param voters voters of the configuration after the change
 * @param listeners listeners of the configuration after the change
 */
record MembershipPlan(MemberNotes notes, List<GroupPeer> voters, List<GroupPeer> listeners) {
  /**
   * The state on which the plan is based.
   *
   * @param self uuid of the leader
   * @param answering the servers that answered recently, including the leader
   */
  record Group(
      String tabletId,
      String self,
      CommittedConfiguration configuration,
      MemberNotes notes,
      Set<String> answering) {
    boolean isMember(String serverUuid) {
      return configuration.contains(serverUuid)
          || notes.find(serverUuid).filter(MemberNotes.Note::joining).isPresent();
    }
  }

  /** Applies the changes of one request sequentially, and is used for one request only. */
  private static final class Builder {
    private final Group group;
    private final List<GroupPeer> voters;
    private final List<GroupPeer> listeners;
    private final Set<String> touched = new TreeSet<>();
    private MemberNotes notes;
    private int votersChanged;

    Builder(Group group) {
      this.group = group;
      this.voters = new ArrayList<>(group.configuration.voters());
      this.listeners = new ArrayList<>(group.configuration.listeners());
      this.notes = group.notes.onlyOf(group.configuration.servers());
    }

    void make(MemberChange change) {
      String uuid = change.serverUuid();
      if (uuid.isEmpty()) {
        throw MemberChangeRejectedException.of(INVALID, "A change of members must name a server");
      }
      if (!touched.add(uuid)) {
        throw MemberChangeRejectedException.of(
            INVALID, "Server %s is named twice in one request", uuid);
      }
      if (change instanceof MemberChange.Add add) {
        add(add);
      } else if (!group.isMember(uuid)) {
        throw MemberChangeRejectedException.of(
            INVALID, "Server %s is not a member of tablet %s", uuid, group.tabletId);
      } else if (change instanceof MemberChange.Remove) {
        remove(uuid);
      } else if (change instanceof MemberChange.Modify modify) {
        modify(modify);
      }
    }

    private void add(MemberChange.Add add) {
      if (group.isMember(add.serverUuid())) {
        throw MemberChangeRejectedException.of(
            INVALID,
            "Server %s is already a member of tablet %s",
            add.serverUuid(),
            group.tabletId);
      }
      String address = add.rpcAddress() == null ? "" : add.rpcAddress();
      notes =
          notes.with(
              add.serverUuid(),
              none ->
                  new MemberNotes.Note(
                      add.serverUuid(), address, true, add.promote(), add.replace()));
    }

    private void remove(String uuid) {
      if (uuid.equals(group.self)) {
        throw MemberChangeRejectedException.of(
            INVALID,
            "Server %s leads tablet %s and cannot be removed; make another member lead first",
            uuid,
            group.tabletId);
      }
      if (group.configuration.contains(uuid)) {
        dropFromConfiguration(uuid);
        notes = notes.with(uuid, note -> note.joining(false));
      } else {
        notes = notes.with(uuid, note -> MemberNotes.Note.none(uuid));
      }
    }

    private void dropFromConfiguration(String uuid) {
      if (voters.removeIf(peer -> peer.serverUuid().equals(uuid))) {
        votersChanged++;
      }
      listeners.removeIf(peer -> peer.serverUuid().equals(uuid));
    }

    private void modify(MemberChange.Modify modify) {
      String uuid = modify.serverUuid();
      MemberNotes before = notes;
      int votersBefore = votersChanged;
      modify.promote().ifPresent(on -> notes = notes.with(uuid, note -> note.promote(on)));
      modify.replace().ifPresent(on -> notes = notes.with(uuid, note -> note.replace(on)));
      modify.voter().ifPresent(voter -> changeType(uuid, voter));
      if (notes.equals(before) && votersChanged == votersBefore) {
        throw MemberChangeRejectedException.of(
            INVALID,
            "Server %s of tablet %s already has these properties; there is nothing to modify",
            uuid,
            group.tabletId);
      }
    }

    private void changeType(String uuid, boolean voter) {
      boolean isVoter = group.configuration.isVoter(uuid);
      if (voter && !isVoter) {
        promote(uuid);
      } else if (!voter && isVoter) {
        demote(uuid);
      }
    }

    private void promote(String uuid) {
      GroupPeer listener =
          listeners.stream()
              .filter(peer -> peer.serverUuid().equals(uuid))
              .findFirst()
              .orElse(null);
      if (listener == null) { // a joining server is promoted later
        notes = notes.with(uuid, note -> note.promote(true));
        return;
      }
      listeners.remove(listener);
      voters.add(listener);
      votersChanged++;
      notes = notes.with(uuid, note -> note.promote(false));
    }

    /**
     * Removes the member and notes it as joining, so that it is added again as a learner. Ratis
     * cannot make a running follower a listener.
     */
    private void demote(String uuid) {
      if (uuid.equals(group.self)) {
        throw MemberChangeRejectedException.of(
            INVALID,
            "Server %s leads tablet %s and must keep its vote; make another member lead first",
            uuid,
            group.tabletId);
      }
      GroupPeer voter =
          voters.stream().filter(p -> p.serverUuid().equals(uuid)).findFirst().orElseThrow();
      String address = voter.rpcAddress() == null ? "" : voter.rpcAddress();
      dropFromConfiguration(uuid);
      notes =
          notes.with(
              uuid,
              note -> new MemberNotes.Note(uuid, address, true, note.promote(), note.replace()));
    }

    MembershipPlan build() {
      if (votersChanged > 1) {
        throw MemberChangeRejectedException.of(
            INVALID,
            "%d voters of tablet %s would change in one request; change one at a time",
            votersChanged,
            group.tabletId);
      }
      long answering =
          voters.stream().filter(p -> group.answering.contains(p.serverUuid())).count();
      if (votersChanged > 0 && 2 * answering <= voters.size()) {
        throw MemberChangeRejectedException.of(
            NOT_NOW,
            "A majority of the %d voters that tablet %s would have must answer, but only %d do",
            voters.size(),
            group.tabletId,
            answering);
      }
      return new MembershipPlan(notes, List.copyOf(voters), List.copyOf(listeners));
    }
  }

  static MembershipPlan of(Group group, List<MemberChange> changes) {
    Builder builder = new Builder(group);
    changes.forEach(builder::make);
    return builder.build();
  }

  /** Whether the plan leads to a configuration with different members or voters. */
  boolean changesConfiguration(CommittedConfiguration configuration) {
    return !configuration.hasSameMembers(voters, listeners);
  }
}
