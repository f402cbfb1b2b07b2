/**
 * Which members a tablet's Raft group should have, given those it has. Policy only: what the leader
 * reported of its members in ({@link dev.kudu4j.master.membership.Group}), what the table wants
 * ({@link dev.kudu4j.master.membership.DesiredConfiguration}), the next change out ({@link
 * dev.kudu4j.master.membership.MembershipPolicy}).
 *
 * <p>The table of decisions is in docs/design/re-replication.md. Which server gets a new replica is
 * the placement's business; asking the leader is that of {@code tables}.
 */
@NullMarked
package dev.kudu4j.master.membership;

import org.jspecify.annotations.NullMarked;
