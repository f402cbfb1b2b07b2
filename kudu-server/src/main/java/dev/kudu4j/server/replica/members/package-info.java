/**
 * The members of a tablet's Raft group: who they are, and how they come and go.
 *
 * <pre>
 *   request of an operator or the master --&gt; MembershipChanger --&gt; MembershipPlan --&gt; notes, configuration
 *   MembershipMonitor, twice a second ----&gt; MembershipReconciler --^
 *                                            copy, join, promote, evict, transfer
 * </pre>
 *
 * <p>{@link dev.kudu4j.server.replica.members.MembershipChanger} makes one change at a time, as the
 * leader. {@link dev.kudu4j.server.replica.members.MembershipMonitor} visits the groups that are
 * led from this process and does what is needed without a request: it has new members copy the
 * tablet, adds them as learners, promotes them when they have caught up, and evicts members that
 * failed. {@link dev.kudu4j.server.replica.members.ConsensusView} is what others see of a group.
 *
 * <p>Raft's configuration names members that have a replica. Everything else about a member, such
 * as that it is joining, is in {@link dev.kudu4j.server.replica.members.MemberNotes}, which are
 * logged with the tablet. Why: docs/design/membership.md.
 *
 * <p>This package knows a replica only as a {@link
 * dev.kudu4j.server.replica.members.LeadingReplica}. It does not know rows or safe time.
 */
package dev.kudu4j.server.replica.members;
