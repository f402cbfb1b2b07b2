package dev.kudu4j.master.membership;

import java.util.List;

/** The next change to request of a tablet's leader. */
public sealed interface MembershipChange {
  /** Nothing is wrong, or no change would improve it. */
  record Nothing(String why) implements MembershipChange {}

  /** A non-voter that becomes a voter once it has copied the tablet, on a server of our choice. */
  record Add() implements MembershipChange {}

  /**
   * A member leaves.
   *
   * @param anyOf those that are equally bad; not empty, and the leader is none of them
   */
  record Remove(List<String> anyOf) implements MembershipChange {
    public Remove {
      anyOf = List.copyOf(anyOf);
    }
  }

  /**
   * The leader has to leave, so another member must lead first.
   *
   * @param anyOf voters that can; not empty
   */
  record TransferLeadership(List<String> anyOf) implements MembershipChange {
    public TransferLeadership {
      anyOf = List.copyOf(anyOf);
    }
  }

  default boolean isNothing() {
    return this instanceof Nothing;
  }
}
