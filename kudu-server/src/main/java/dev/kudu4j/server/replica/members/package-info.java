/**
 * The members of a tablet's Raft group, and changes of the members.
 *
 * <pre>
 *   operator, master --&gt; MembershipChanger --&gt; MembershipPlan --&gt; notes, configuration
 *                               ^
 *   MembershipMonitor --&gt; MembershipReconciler: copy, join, promote, evict, transfer
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.members.MembershipChanger} makes one change at a time, as the
 * leader. {@link dev.kudu4j.server.replica.members.MembershipMonitor} visits the groups that this
 * process leads and acts without a request of a master or an operator: it asks new members to copy
 * the tablet, adds them as learners, promotes them when they have caught up, and evicts failed
 * members. {@link dev.kudu4j.server.replica.members.ConsensusView} is the state of a group as
 * reported to others.
 *
 * <p>Raft's configuration names members that have a replica. All other information about a member,
 * for example that it is joining, is in {@link dev.kudu4j.server.replica.members.MemberNotes},
 * which are logged with the tablet. Rationale: docs/design/membership.md.
 *
 * <p>This package accesses a replica only through {@link
 * dev.kudu4j.server.replica.members.LeadingReplica}. It does not depend on rows or safe time.
 */
@NullMarked
package dev.kudu4j.server.replica.members;

import org.jspecify.annotations.NullMarked;
