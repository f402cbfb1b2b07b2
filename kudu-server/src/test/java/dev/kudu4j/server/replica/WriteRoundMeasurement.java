package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.ReplicaHarness.insert;

import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.log.RequestId;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Prints the cost of a write round in one process; a measurement, not a test. */
@Tag("nightly")
class WriteRoundMeasurement {
  private static final int ROUNDS = 4;

  @TempDir Path directory;

  @Test
  void measure() throws Exception {
    try (ReplicaHarness process = new ReplicaHarness(directory)) {
      TabletReplica replica = process.create(new RecordingState(new RecordingState.Disk()));
      measure("one member", replica);
    }
  }

  @Test
  void measureThreeMembers() throws Exception {
    try (GroupHarness group = new GroupHarness(directory, 3).create()) {
      measure("three members", group.leader().replica);
    }
  }

  private static void measure(String what, TabletReplica replica) throws Exception {
    System.out.println(what);
    for (int round = 0; round < ROUNDS; round++) {
      single(replica, 3_000);
      shared(replica, 64, 500);
    }
    batches(replica, 200, 1_000);
  }

  /** CPU time of the whole process: all members and the writers. */
  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static void single(TabletReplica replica, int count) throws Exception {
    long[] nanos = new long[count];
    long cpu = cpuNanos();
    long begin = System.nanoTime();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      replica.write(insert(null, i)).get(30, TimeUnit.SECONDS);
      nanos[i] = System.nanoTime() - start;
    }
    Arrays.sort(nanos);
    System.out.printf(
        "one writer, one row: %.0f requests/s, p50 %d us, p99 %d us, CPU %d us each%n",
        count / ((System.nanoTime() - begin) / 1e9),
        nanos[count / 2] / 1000,
        nanos[count * 99 / 100] / 1000,
        (cpuNanos() - cpu) / count / 1000);
  }

  /** Each of the writers keeps one request in flight. */
  private static void shared(TabletReplica replica, int writers, int each) throws Exception {
    long entries = replica.entriesSubmitted();
    long cpu = cpuNanos();
    AtomicLong sequence = new AtomicLong();
    CountDownLatch done = new CountDownLatch(writers);
    long start = System.nanoTime();
    for (int i = 0; i < writers; i++) {
      next(replica, sequence, writers * (long) each, done);
    }
    done.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "%d writers, one row: %.0f requests/s, %.1f requests an entry, CPU %d us each%n",
        writers,
        writers * each / seconds,
        writers * (double) each / (replica.entriesSubmitted() - entries),
        (cpuNanos() - cpu) / ((long) writers * each) / 1000);
  }

  private static void next(
      TabletReplica replica, AtomicLong sequence, long until, CountDownLatch done) {
    long mine = sequence.incrementAndGet();
    if (mine > until) {
      done.countDown();
      return;
    }
    RequestId id = new RequestId("m" + until, System.nanoTime(), mine);
    replica
        .write(insert(id, mine))
        .whenComplete((result, thrown) -> next(replica, sequence, until, done));
  }

  private static void batches(TabletReplica replica, int count, int rows) throws Exception {
    long[] keys = new long[rows];
    WriteSubmission submission = insert(null, "x".repeat(100), keys);
    long start = System.nanoTime();
    for (int i = 0; i < count; i++) {
      replica.write(submission).get(30, TimeUnit.SECONDS);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    System.out.printf(
        "batches of %d rows (%d bytes): %.0f us each%n",
        rows, submission.bytes(), seconds * 1e6 / count);
  }
}
