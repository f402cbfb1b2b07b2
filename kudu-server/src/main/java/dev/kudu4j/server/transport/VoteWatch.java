package dev.kudu4j.server.transport;

import org.apache.ratis.protocol.RaftGroupId;

/**
 * Receives the vote requests of this server's replicas and their outcomes. The methods are called
 * on the threads that request votes, and must not block.
 */
public interface VoteWatch {
  VoteWatch NONE =
      new VoteWatch() {
        @Override
        public void onVoteRequested(
            RaftGroupId group, long term, boolean preliminary, String server) {}

        @Override
        public void answered(
            RaftGroupId group, long term, boolean preliminary, String server, Answer answer) {}
      };

  /** Another member's response to a vote request; NONE if it did not answer. */
  enum Answer {
    GRANTED,
    REFUSED,
    NONE
  }

  /**
   * @param preliminary whether this is a pre-vote
   * @param server uuid of the voter
   */
  void onVoteRequested(RaftGroupId group, long term, boolean preliminary, String server);

  void answered(RaftGroupId group, long term, boolean preliminary, String server, Answer answer);
}
