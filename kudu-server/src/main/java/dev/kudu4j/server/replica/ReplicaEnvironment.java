package dev.kudu4j.server.replica;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What all replicas of a process share.
 *
 * @param raft the process' Raft server
 * @param clock hands out timestamps
 * @param admission bounds writes in memory
 * @param executor continues what waited: submits gathered writes, wakes parked reads. Bounded; its
 *     tasks may block for a moment on Raft
 * @param nanoTime monotonic time, of which deadlines are given
 * @param options of every replica's queue
 * @param requests to other servers, of those who wait for a snapshot
 * @param applying how long entries took to apply
 * @param gate lets entries be applied
 */
public record ReplicaEnvironment(
    RaftHost raft,
    HybridClock clock,
    WriteAdmission admission,
    Executor executor,
    LongSupplier nanoTime,
    ReplicaOptions options,
    SafeTimeRequests requests,
    LatencyHistogram applying,
    ApplyGate gate) {

  /** With entries that are applied whatever memory there is. */
  public ReplicaEnvironment(
      RaftHost raft,
      HybridClock clock,
      WriteAdmission admission,
      Executor executor,
      LongSupplier nanoTime,
      ReplicaOptions options) {
    this(
        raft,
        clock,
        admission,
        executor,
        nanoTime,
        options,
        new LatencyHistogram(),
        ApplyGate.open());
  }

  public ReplicaEnvironment(
      RaftHost raft,
      HybridClock clock,
      WriteAdmission admission,
      Executor executor,
      LongSupplier nanoTime,
      ReplicaOptions options,
      LatencyHistogram applying,
      ApplyGate gate) {
    this(
        raft,
        clock,
        admission,
        executor,
        nanoTime,
        options,
        new SafeTimeRequests(),
        applying,
        gate);
  }
}
