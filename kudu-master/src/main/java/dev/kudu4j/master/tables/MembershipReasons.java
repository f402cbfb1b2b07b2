package dev.kudu4j.master.tables;

import dev.kudu4j.master.catalog.Catalog;
import dev.kudu4j.master.membership.Group;
import dev.kudu4j.master.membership.Member;
import dev.kudu4j.master.observed.ReplicaMove;
import java.util.ArrayList;
import java.util.List;

/**
 * Describes for the log why the members of a tablet are changed.
 *
 * @param move the rebalancer's move of a replica of the tablet; null when none is under way
 */
record MembershipReasons(Group group, int replicationFactor, Catalog catalog, ReplicaMove move) {

  String forAdding() {
    List<String> leaving = new ArrayList<>();
    for (Member member : group.members()) {
      String flaw = flaw(member);
      if (!flaw.isEmpty()) {
        leaving.add("P " + member.uuid() + " " + flaw);
      }
    }
    String reason =
        group.members().size() + " replicas are members, the table has " + replicationFactor;
    return leaving.isEmpty() ? reason : String.join(", ", leaving);
  }

  String forEvicting(String uuid) {
    Member member = group.member(uuid).orElseThrow();
    String flaw = flaw(member);
    return flaw.isEmpty()
        ? group.voters().size() + " replicas vote, the table has " + replicationFactor
        : "it " + flaw;
  }

  /** The problem with a member as text; empty when there is none. */
  private String flaw(Member member) {
    if (member.health().isFailed()) {
      return "is " + member.health();
    }
    if (member.replace()) {
      return "is marked for replacement";
    }
    if (catalog.isDecommissioned(member.uuid())) {
      return "is on a decommissioned server";
    }
    if (move != null && move.source().equals(member.uuid())) {
      return "moves to P " + move.target();
    }
    return "";
  }
}
