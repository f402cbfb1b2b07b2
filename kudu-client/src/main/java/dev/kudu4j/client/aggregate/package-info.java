/**
 * Aggregation in the client: what remains to be done with the groups that servers return.
 *
 * <p>An {@link dev.kudu4j.client.aggregate.AggregatePlan} says which aggregates the servers compute
 * and how the results follow from them. An {@link dev.kudu4j.client.aggregate.GroupsOfTablets}
 * collects those of all tablets, and a {@link dev.kudu4j.client.aggregate.GroupTable} merges the
 * parts of each group. For servers that cannot aggregate, the run reads rows and adds them to the
 * table one by one.
 */
package dev.kudu4j.client.aggregate;
