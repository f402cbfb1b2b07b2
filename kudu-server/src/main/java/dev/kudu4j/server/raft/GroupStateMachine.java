package dev.kudu4j.server.raft;

import dev.kudu4j.server.raft.election.ElectionTracker;
import org.apache.ratis.statemachine.StateMachine;

/** A state machine that also receives events of its group's elections and appends. */
public interface GroupStateMachine extends StateMachine {
  /** Tracks the elections that this server starts in the group. */
  ElectionTracker elections();

  /**
   * An entry was appended to this server's log of the group; the append took {@code nanos}. Must
   * not block.
   */
  void appended(long nanos);
}
