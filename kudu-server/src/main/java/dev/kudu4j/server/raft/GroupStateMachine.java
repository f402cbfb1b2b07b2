package dev.kudu4j.server.raft;

import dev.kudu4j.server.raft.election.ElectionTracker;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachine;

/** A state machine that also receives events of its group's elections and appends. */
public interface GroupStateMachine extends StateMachine {
  /** A change of a group that must be made before the group starts threads. */
  interface Preparation {
    void prepare(RaftServer.Division division, RaftStorage storage);
  }

  /** Sets an action that {@link StateMachine#initialize} runs. */
  void prepareWith(Preparation preparation);

  /**
   * The group is about to start with this member: it may be elected and apply entries before {@link
   * RaftHost} has returned the member. Called from {@link StateMachine#initialize}.
   */
  void starting(RaftMember member);

  /** Tracks the elections that this server starts in the group. */
  ElectionTracker elections();

  /**
   * An entry was appended to this server's log of the group; the append took {@code nanos}. Must
   * not block.
   */
  void appended(long nanos);
}
