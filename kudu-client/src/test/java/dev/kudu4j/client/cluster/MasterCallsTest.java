package dev.kudu4j.client.cluster;

import static dev.kudu4j.client.cluster.FakeCluster.failureOf;
import static dev.kudu4j.client.cluster.FakeCluster.get;
import static dev.kudu4j.client.cluster.FakeCluster.seconds;
import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests to masters; some of the masters follow, are paused, stopped or busy. */
@Timeout(120)
final class MasterCallsTest {
  private static final MasterCall<ListTablesResponsePB> LIST =
      MasterCall.of("ListTables", ListTablesResponsePB.parser(), ListTablesResponsePB::getError);

  private final FakeCluster fakes = new FakeCluster();

  @AfterEach
  void close() throws Exception {
    fakes.close();
  }

  private static CompletableFuture<ListTablesResponsePB> list(Cluster client, Deadline deadline) {
    return client.callMaster(LIST, ListTablesRequestPB.getDefaultInstance(), deadline);
  }

  @Test
  void theLeaderIsFoundAmongFollowers() {
    FakeMaster first = fakes.master().leads(false);
    FakeMaster second = fakes.master();
    FakeMaster third = fakes.master().leads(false);
    Cluster client = fakes.client(first, second, third);

    get(list(client, seconds(60)));

    assertThat(second.calls("ListTables")).isEqualTo(1);
    assertThat(first.calls("ListTables") + third.calls("ListTables")).isZero();
    assertThat(client.lastIntroduction().getClusterId()).isEqualTo("the cluster");
  }

  @Test
  void aNewLeaderIsFound() {
    FakeMaster first = fakes.master();
    FakeMaster second = fakes.master().leads(false);
    Cluster client = fakes.client(first, second);
    get(list(client, seconds(60)));

    first.leads(false);
    second.leads(true);
    get(list(client, seconds(60)));

    assertThat(second.calls("ListTables")).isEqualTo(1);
    assertThat(get(client.leadingMaster(seconds(60)))).isEqualTo(second.address());
  }

  @Test
  void aStoppedMasterIsReplacedByTheNextLeader() {
    FakeMaster first = fakes.master();
    FakeMaster second = fakes.master().leads(false);
    Cluster client = fakes.client(first, second);
    get(list(client, seconds(60)));

    first.stop();
    CompletableFuture<ListTablesResponsePB> listing = list(client, seconds(60));
    await("the follower gets a request").until(() -> second.calls("ConnectToMaster") >= 2);
    second.leads(true);

    get(listing);
    assertThat(second.calls("ListTables")).isEqualTo(1);
  }

  @Test
  void aPausedLeaderIsReplacedByTheNextLeader() {
    FakeMaster first = fakes.master();
    FakeMaster second = fakes.master().leads(false);
    Cluster client = fakes.impatientClient(first, second);
    get(list(client, seconds(60)));

    first.pause();
    second.leads(true);
    get(list(client, seconds(60)));

    assertThat(second.calls("ListTables")).isPositive();
  }

  @Test
  void theRoleOfOldMastersIsInTheirRegistration() {
    FakeMaster follower = fakes.closing(FakeMaster.openOld()).leads(false);
    FakeMaster leader = fakes.closing(FakeMaster.openOld());
    Cluster client = fakes.client(follower, leader);

    get(list(client, seconds(60)));

    assertThat(leader.calls("ListTables")).isEqualTo(1);
  }

  @Test
  void withoutALeaderTheErrorContainsTheMastersAndAdvice() {
    FakeMaster follower = fakes.master().leads(false);
    Cluster client = fakes.client(follower);

    await() // retries if the timeout allowed only one attempt
        .untilAsserted(
            () -> {
              int before = follower.calls("ConnectToMaster");
              KuduException failure = failureOf(list(client, Deadline.after(300)));

              assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
              assertThat(failure)
                  .hasMessageContaining("ListTables")
                  .hasMessageContaining(follower.address().toString())
                  .hasMessageContaining("does not lead")
                  .hasMessageContaining("check the master addresses");
              assertThat(follower.calls("ConnectToMaster")).isGreaterThan(before + 1);
            });
  }

  @Test
  void aSilentPortFailsAtTheDeadline() throws Exception {
    try (ServerSocket mute = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      HostPort address = new HostPort("127.0.0.1", mute.getLocalPort());
      Cluster client = fakes.impatientClient(List.of(address));
      long start = System.nanoTime();

      KuduException failure = failureOf(list(client, Deadline.after(3_000)));

      assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
      assertThat(failure).hasMessageContaining("No sign of life from " + address);
      assertThat(System.nanoTime() - start).isLessThan(30_000_000_000L);
    }
  }

  @Test
  void transientErrorsAreRetried() {
    FakeMaster master = fakes.master();
    Cluster client = fakes.client(master);
    get(client.introduction(seconds(60)));
    master.refuseNext(2);
    master.errNext(
        MasterErrorPB.Code.CATALOG_MANAGER_NOT_INITIALIZED,
        AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE,
        "loading");
    master.errNext(
        MasterErrorPB.Code.UNKNOWN_ERROR, AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE, "later");

    get(list(client, seconds(60)));

    assertThat(master.calls("ListTables")).isEqualTo(5);
  }

  @Test
  void permanentErrorsFailImmediately() {
    FakeMaster master = fakes.master();
    Cluster client = fakes.client(master);
    master.errNext(
        MasterErrorPB.Code.TABLE_NOT_FOUND, AppStatusPB.ErrorCode.NOT_FOUND, "no such table");

    KuduException failure = failureOf(list(client, seconds(60)));

    assertThat(failure).isInstanceOf(MasterFailure.class).hasMessage("no such table");
    assertThat(failure.code()).isEqualTo(StatusCode.NOT_FOUND);
    assertThat(((MasterFailure) failure).error()).isEqualTo(MasterErrorPB.Code.TABLE_NOT_FOUND);
    assertThat(master.calls("ListTables")).isEqualTo(1);
  }

  @Test
  void aMissingFeatureOfTheMasterIsReported() {
    FakeMaster master = fakes.master();
    Cluster client = fakes.client(master);

    KuduException failure =
        failureOf(
            client.callMaster(
                LIST.requiring(List.of(99)),
                ListTablesRequestPB.getDefaultInstance(),
                seconds(60)));

    assertThat(failure.code()).isEqualTo(StatusCode.NOT_SUPPORTED);
    assertThat(failure).hasMessageContaining("99").hasMessageContaining("upgrade");
  }

  @Test
  void anErrorAfterALostConnectionIsMarked() throws Exception {
    FakeMaster master = fakes.master();
    Cluster client = fakes.client(master);
    master.hold("ListTables");
    CompletableFuture<ListTablesResponsePB> listing = list(client, seconds(60));
    master.nextHeld("ListTables");
    master.stop(); // after it received the request, before it responds

    FakeMaster again = master;
    again.hold("ListTables");
    again.start();
    again
        .nextHeld("ListTables")
        .respond(
            ListTablesResponsePB.newBuilder()
                .setError(
                    MasterErrorPB.newBuilder()
                        .setCode(MasterErrorPB.Code.TABLE_ALREADY_PRESENT)
                        .setStatus(
                            AppStatusPB.newBuilder()
                                .setCode(AppStatusPB.ErrorCode.ALREADY_PRESENT)
                                .setMessage("there")))
                .build());

    assertThat(((MasterFailure) failureOf(listing)).afterBrokenTry()).isTrue();
  }

  @Test
  void closingFailsCallsThatWaitForARetry() throws Exception {
    FakeMaster master = fakes.master().leads(false);
    Cluster client = fakes.client(master);
    CompletableFuture<ListTablesResponsePB> listing = list(client, seconds(3_600));
    await("the master gets another request").until(() -> master.calls("ConnectToMaster") >= 4);

    client.close();

    assertThat(failureOf(listing).code()).isEqualTo(StatusCode.ABORTED);
    assertThat(failureOf(list(client, seconds(3_600))).code()).isEqualTo(StatusCode.ABORTED);
  }

  @Test
  void closingFailsPendingCalls() throws Exception {
    FakeMaster master = fakes.master();
    Cluster client = fakes.client(master);
    master.hold("ListTables");
    CompletableFuture<ListTablesResponsePB> listing = list(client, seconds(60));
    master.nextHeld("ListTables");

    client.close();

    assertThat(failureOf(listing).code()).isEqualTo(StatusCode.ABORTED);
    assertThat(failureOf(list(client, seconds(60))).code()).isEqualTo(StatusCode.ABORTED);
  }
}
