package dev.kudu4j.client.cluster;

import static dev.kudu4j.client.cluster.FakeCluster.TABLE;
import static dev.kudu4j.client.cluster.FakeCluster.UNBOUNDED;
import static dev.kudu4j.client.cluster.FakeCluster.WRITE;
import static dev.kudu4j.client.cluster.FakeCluster.failureOf;
import static dev.kudu4j.client.cluster.FakeCluster.get;
import static dev.kudu4j.client.cluster.FakeCluster.seconds;
import static dev.kudu4j.client.cluster.FakeCluster.tablet;
import static dev.kudu4j.client.cluster.FakeCluster.write;
import static dev.kudu4j.client.cluster.FakeCluster.writtenBy;
import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Requests to a tablet with three replicas, while the leader changes and servers are paused and
 * stopped.
 */
@Timeout(120)
final class TabletCallsTest {
  private final FakeCluster fakes = new FakeCluster();
  private FakeMaster master;
  private FakeTabletServer a;
  private FakeTabletServer b;
  private FakeTabletServer c;
  private Cluster client;
  private RemoteTablet tablet;

  @BeforeEach
  void open() {
    master = fakes.master();
    a = fakes.tabletServer("a");
    b = fakes.tabletServer("b").follow();
    c = fakes.tabletServer("c").follow();
    master.addTablet("t", UNBOUNDED, UNBOUNDED, a, b, c);
    client = fakes.client(master);
    tablet = tablet(client, UNBOUNDED);
  }

  @AfterEach
  void close() throws Exception {
    fakes.close();
  }

  private void useImpatientClient() {
    client = fakes.impatientClient(master);
    tablet = tablet(client, UNBOUNDED);
  }

  private static long millisSince(long startNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
  }

  @Test
  void writesGoToTheLeaderFirst() {
    for (int i = 0; i < 5; i++) {
      assertThat(writtenBy(client, tablet)).isEqualTo("a");
    }
    assertThat(a.writes()).isEqualTo(5);
    assertThat(b.writes() + c.writes()).isZero();
    assertThat(master.calls("GetTableLocations")).isEqualTo(1);
  }

  @Test
  void aNewLeaderIsFoundAndCached() {
    a.follow();
    c.lead();

    assertThat(writtenBy(client, tablet)).isEqualTo("c");
    assertThat(tablet.leader().serverId()).isEqualTo("c");
    int before = a.writes() + b.writes();
    assertThat(writtenBy(client, tablet)).isEqualTo("c");
    assertThat(a.writes() + b.writes()).isEqualTo(before);
  }

  @Test
  void anErrorOfALaterAttemptFailsTheRequest() {
    a.follow();
    AtomicInteger attempts = new AtomicInteger();
    CompletableFuture<TabletReply<WriteResponsePB>> writing =
        client.call(
            tablet,
            ReplicaChoice.LEADER,
            WRITE,
            replica -> {
              if (attempts.incrementAndGet() > 1) {
                throw new OutOfMemoryError("no memory for the message");
              }
              return WriteRequestPB.newBuilder()
                  .setTabletId(ByteString.copyFromUtf8(tablet.tabletId()))
                  .build();
            },
            seconds(600));
    await("the failure").until(writing::isDone);
    assertThat(writing).isCompletedExceptionally();
    assertThat(catchThrowable(writing::join).getCause()).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void writesWaitForAnElection() {
    a.follow();
    CompletableFuture<TabletReply<WriteResponsePB>> writing = write(client, tablet, seconds(60));
    await("a second round").until(() -> b.writes() >= 2);
    b.lead();

    assertThat(get(writing).replica().serverId()).isEqualTo("b");
  }

  @Test
  void aStoppedLeaderIsReplacedQuickly() {
    assertThat(writtenBy(client, tablet)).isEqualTo("a");
    a.stop();
    b.lead();
    long start = System.nanoTime();

    assertThat(writtenBy(client, tablet)).isEqualTo("b");

    assertThat(millisSince(start)).as("no timeout was necessary").isLessThan(14_000);
  }

  @Test
  void aLeaderThatStopsDuringARequestIsReplaced() throws Exception {
    a.hold("Write");
    CompletableFuture<TabletReply<WriteResponsePB>> writing = write(client, tablet, seconds(60));
    a.nextHeld("Write");
    b.lead();
    a.stop();

    assertThat(get(writing).replica().serverId()).isEqualTo("b");
  }

  @Test
  void aPausedLeaderIsReplacedAndAvoided() {
    useImpatientClient();
    assertThat(writtenBy(client, tablet)).isEqualTo("a");
    a.pause();
    b.lead();

    assertThat(writtenBy(client, tablet)).isEqualTo("b");

    tablet.update(List.copyOf(tablet.replicas()), System.nanoTime());
    await() // retries if the other servers were slow, too
        .untilAsserted(
            () -> {
              client.tabletsOf(TABLE).forgetAll();
              RemoteTablet again = tablet(client, UNBOUNDED); // the master believes that a leads
              assertThat(again.leader().serverId()).isEqualTo("a");
              assertThat(writtenBy(client, again)).isEqualTo("b");
              assertThat(last(b.requestIds()).attempt())
                  .as("attempts before b got the request")
                  .isEqualTo(1);
            });
  }

  private static RpcRequestId last(List<RpcRequestId> requests) {
    return requests.get(requests.size() - 1);
  }

  @Test
  void writesWaitForASlowLeader() throws Exception {
    a.hold("Write");
    CompletableFuture<TabletReply<WriteResponsePB>> writing = write(client, tablet, seconds(60));
    RpcCall held = a.nextHeld("Write");
    await("it was pinged several times").until(() -> a.calls("Ping") >= 5);
    held.respond(WriteResponsePB.getDefaultInstance());

    assertThat(get(writing).replica().serverId()).isEqualTo("a");
    assertThat(a.writes()).isEqualTo(1);
    assertThat(b.writes() + c.writes()).isZero();
  }

  @Test
  void aRequestToABusyLeaderIsRetried() {
    a.refuseNext(3);

    assertThat(writtenBy(client, tablet)).isEqualTo("a");

    assertThat(a.writes()).isEqualTo(4);
    assertThat(b.writes() + c.writes()).isZero();
  }

  @Test
  void aRequestToAThrottlingLeaderIsRetriedUntilTheDeadline() {
    a.err(
        TabletServerErrorPB.Code.THROTTLED,
        AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE,
        "memory is short");

    await() // retries if the timeout allowed only a few attempts
        .untilAsserted(
            () -> {
              int before = a.writes() + b.writes() + c.writes();
              KuduException failure = failureOf(write(client, tablet, Deadline.after(300)));
              int tries = a.writes() + b.writes() + c.writes() - before;

              assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
              assertThat(failure)
                  .hasMessageContaining("Write to tablet t of table ")
                  .hasMessageContaining(tries + " tries")
                  .hasMessageContaining("memory is short")
                  .hasMessageContaining(a.address().toString());
              assertThat(tries).isGreaterThan(4); // the others get at most one each
            });
  }

  @Test
  void theTimeoutMessageContainsAllAttempts() {
    a.follow();
    c.stop();

    await() // retries if the timeout did not allow an attempt on each server
        .untilAsserted(
            () -> {
              KuduException failure = failureOf(write(client, tablet, Deadline.after(400)));

              assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
              assertThat(failure)
                  .hasMessageContaining("replica is not leader")
                  .hasMessageContaining("Cannot connect");
              for (FakeTabletServer server : List.of(a, b, c)) {
                assertThat(failure)
                    .hasMessageContaining(server.uuid() + " (" + server.address() + ")");
              }
            });
  }

  @Test
  void aPermanentErrorIsReturnedUnchanged() {
    a.err(
        TabletServerErrorPB.Code.MISMATCHED_SCHEMA,
        AppStatusPB.ErrorCode.INVALID_ARGUMENT,
        "wrong column");

    KuduException failure = failureOf(write(client, tablet, seconds(60)));

    assertThat(failure).isInstanceOf(TabletServerFailure.class).hasMessage("wrong column");
    assertThat(((TabletServerFailure) failure).error())
        .isEqualTo(TabletServerErrorPB.Code.MISMATCHED_SCHEMA);
    assertThat(a.writes()).isEqualTo(1);
  }

  @Test
  void aTabletThatMovedToAnotherServerIsFoundThroughTheMaster() {
    FakeTabletServer d = fakes.tabletServer("d");
    master.addTablet("t", UNBOUNDED, UNBOUNDED, d, b, c);
    a.err(
        TabletServerErrorPB.Code.TABLET_NOT_FOUND,
        AppStatusPB.ErrorCode.NOT_FOUND,
        "no such tablet");

    assertThat(writtenBy(client, tablet)).isEqualTo("d");
    assertThat(tablet.replicas())
        .extracting(RemoteReplica::serverId)
        .containsExactly("d", "b", "c");
  }

  @Test
  void aDeletedTabletIsNotFound() {
    master.dropTablet("t");
    master.addTablet("u", UNBOUNDED, UNBOUNDED, a, b, c);
    a.err(
        TabletServerErrorPB.Code.TABLET_NOT_FOUND,
        AppStatusPB.ErrorCode.NOT_FOUND,
        "no such tablet");

    KuduException failure = failureOf(write(client, tablet, seconds(60)));

    assertThat(failure.code()).isEqualTo(StatusCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining("Tablet t of table " + TABLE);
    assertThat(tablet(client, UNBOUNDED).tabletId()).isEqualTo("u");
  }

  @Test
  void allAttemptsOfAWriteHaveTheSameRequestId() {
    a.follow();
    b.lead();
    writtenBy(client, tablet);
    a.lead();
    b.follow();
    writtenBy(client, tablet);

    List<RpcRequestId> atA = a.requestIds();
    List<RpcRequestId> atB = b.requestIds();
    assertThat(atA).extracting(RpcRequestId::clientId).containsOnly(atB.get(0).clientId());
    assertThat(atA.get(0).sequence()).isEqualTo(atB.get(0).sequence());
    assertThat(atB.get(0).attempt()).isGreaterThan(atA.get(0).attempt());
    RpcRequestId last = last(atA);
    assertThat(last.sequence()).isGreaterThan(atA.get(0).sequence());
    assertThat(last.firstIncomplete()).isEqualTo(last.sequence());
  }

  @Test
  void writesContainTheFirstIncompleteRequest() throws Exception {
    a.hold("Write");
    CompletableFuture<TabletReply<WriteResponsePB>> first = write(client, tablet, seconds(60));
    RpcCall firstCall = a.nextHeld("Write");
    CompletableFuture<TabletReply<WriteResponsePB>> second = write(client, tablet, seconds(60));
    RpcCall secondCall = a.nextHeld("Write");

    RpcRequestId name = firstCall.requestId().orElseThrow();
    assertThat(secondCall.requestId().orElseThrow().firstIncomplete()).isEqualTo(name.sequence());
    firstCall.respond(WriteResponsePB.getDefaultInstance());
    secondCall.respond(WriteResponsePB.getDefaultInstance());
    get(first);
    get(second);

    await("the completed requests are forgotten") // a moment after the caller has its response
        .until(
            () -> {
              CompletableFuture<TabletReply<WriteResponsePB>> later =
                  write(client, tablet, seconds(60));
              RpcCall laterCall = a.nextHeld("Write");
              RpcRequestId laterName = laterCall.requestId().orElseThrow();
              laterCall.respond(WriteResponsePB.getDefaultInstance());
              get(later);
              return laterName.firstIncomplete() == laterName.sequence();
            });
  }

  @Test
  void closestReplicaFallsBackToOtherReplicas() {
    a.lead();
    b.lead();
    c.lead();
    a.stop();
    b.refuseNext(1);
    WriteRequestPB request =
        WriteRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8("t")).build();
    int answered = 0;
    while (b.writes() == 0 || c.writes() == 0) { // the replica is selected at random
      get(client.call(tablet, ReplicaChoice.CLOSEST, WRITE, replica -> request, seconds(60)));
      answered++;
    }
    assertThat(b.writes() + c.writes()).as("one was refused").isEqualTo(answered + 1);
  }

  @Test
  void aSingleCallIsNotRetried() {
    a.follow();
    WriteRequestPB request =
        WriteRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8("t")).build();

    KuduException failure =
        failureOf(client.callOnce(tablet.replicas().get(0), WRITE, request, seconds(60)));

    assertThat(failure).isInstanceOf(TabletServerFailure.class);
    assertThat(failure.code()).isEqualTo(StatusCode.ILLEGAL_STATE);
    assertThat(a.writes()).isEqualTo(1);
    assertThat(b.writes() + c.writes()).isZero();
  }

  @Test
  void aSingleCallWaitsForASilentServerUnlessItMayFailEarly() {
    useImpatientClient();
    a.pause();
    WriteRequestPB request =
        WriteRequestPB.newBuilder().setTabletId(ByteString.copyFromUtf8("t")).build();
    RemoteReplica replica = tablet.replicas().get(0);

    assertThat(failureOf(client.callOnce(replica, WRITE, request, seconds(60), true)).code())
        .isEqualTo(StatusCode.NETWORK_ERROR);
    assertThat(failureOf(client.callOnce(replica, WRITE, request, Deadline.after(1_500))).code())
        .isEqualTo(StatusCode.TIMED_OUT);
  }

  @Test
  void theLatestTimestampIsKept() {
    client.observe(5);
    client.observe(3);
    assertThat(client.lastTimestamp()).isEqualTo(5);
    client.observe(7);
    assertThat(client.lastTimestamp()).isEqualTo(7);
  }
}
