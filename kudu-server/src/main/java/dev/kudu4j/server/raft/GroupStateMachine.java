package dev.kudu4j.server.raft;

import dev.kudu4j.server.raft.election.ElectionTracker;
import org.apache.ratis.statemachine.StateMachine;

/** A state machine that also hears of its group's elections and appends. */
public interface GroupStateMachine extends StateMachine {
  /** Follows the elections that this server calls in the group. */
  ElectionTracker elections();

  /** An entry was appended to this server's log of the group. Must not block. */
  void appended(long nanos);
}
