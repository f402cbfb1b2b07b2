/**
 * Decides which members a tablet's Raft group should have, given its present members. Policy only:
 * from the members that the leader reported ({@link dev.kudu4j.master.membership.Group}) and the
 * members that the table should have ({@link dev.kudu4j.master.membership.DesiredConfiguration}),
 * {@link dev.kudu4j.master.membership.MembershipPolicy} derives the next change.
 *
 * <p>The table of decisions is in docs/design/re-replication.md. The server of a new replica is
 * chosen in {@code placement}; the leader is asked for the change in {@code tables}.
 */
@NullMarked
package dev.kudu4j.master.membership;

import org.jspecify.annotations.NullMarked;
