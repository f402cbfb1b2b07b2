package dev.kudu4j.master.membership;

import java.util.List;

/** The next change to request of a tablet's leader. */
public sealed interface MembershipChange {
  /** Nothing is wrong, or no change would improve it. */
  record Nothing(String reason) implements MembershipChange {}

  /**
   * A non-voter joins, and becomes a voter once it has copied the tablet. The caller chooses the
   * server.
   */
  record Add() implements MembershipChange {}

  /**
   * A member leaves.
   *
   * @param anyOf uuids of the members that are equally dispensable, of which one leaves; not empty,
   *     and without the leader
   */
  record Remove(List<String> anyOf) implements MembershipChange {
    public Remove {
      anyOf = List.copyOf(anyOf);
    }
  }

  /**
   * The leader has to leave, so another member must lead first.
   *
   * @param anyOf uuids of the voters that can become leader; not empty
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
