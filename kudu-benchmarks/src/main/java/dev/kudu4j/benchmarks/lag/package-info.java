/**
 * How far followers lag behind the leader: the time from the answer to a write until a READ_LATEST
 * scan of a follower finds the row. Start with {@link dev.kudu4j.benchmarks.lag.LagCommand}.
 */
package dev.kudu4j.benchmarks.lag;
