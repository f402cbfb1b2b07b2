package dev.kudu4j.server.replica;

import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.server.metrics.model.LatencyHistogram;
import dev.kudu4j.server.raft.RaftHost;
import dev.kudu4j.server.replica.write.ApplyGate;
import dev.kudu4j.server.replica.write.WriteAdmission;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The services that all replicas of a process share.
 *
 * @param raft the process' Raft server
 * @param clock issues timestamps
 * @param admission bounds the memory of writes that are queued or in flight
 * @param executor submits batched writes and completes waiting reads; has a bounded number of
 *     threads. Its tasks may block briefly on Raft
 * @param nanoTime monotonic time; deadlines are times of this clock
 * @param options options of each replica
 * @param requests sends requests of replicas to other servers
 * @param applying latency of applying entries
 * @param gate bounds the memory of entries being applied
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

  /** An environment that applies entries without a memory limit. */
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
