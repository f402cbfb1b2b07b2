/**
 * The lag of followers behind the leader: the time from the response of a write until a READ_LATEST
 * scan of a follower finds the row. Start with {@link dev.kudu4j.benchmarks.lag.LagCommand}.
 */
package dev.kudu4j.benchmarks.lag;
