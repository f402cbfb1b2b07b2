package dev.kudu4j.server.transport;

import org.apache.ratis.protocol.RaftGroupId;

/**
 * Told of the votes that replicas of this server ask for, and of what they get. Called by the
 * threads that ask; must not block.
 */
public interface VoteWatch {
  VoteWatch NONE =
      new VoteWatch() {
        @Override
        public void asked(RaftGroupId group, long term, boolean preliminary, String server) {}

        @Override
        public void answered(
            RaftGroupId group, long term, boolean preliminary, String server, Answer answer) {}
      };

  /** What another member said, or did not say. */
  enum Answer {
    GRANTED,
    REFUSED,
    NONE
  }

  /**
   * @param preliminary whether only the question is asked if the other would vote
   * @param server that is asked
   */
  void asked(RaftGroupId group, long term, boolean preliminary, String server);

  void answered(RaftGroupId group, long term, boolean preliminary, String server, Answer answer);
}
