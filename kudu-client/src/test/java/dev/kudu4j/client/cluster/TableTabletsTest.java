package dev.kudu4j.client.cluster;

import static dev.kudu4j.client.cluster.FakeCluster.TABLE;
import static dev.kudu4j.client.cluster.FakeCluster.UNBOUNDED;
import static dev.kudu4j.client.cluster.FakeCluster.failureOf;
import static dev.kudu4j.client.cluster.FakeCluster.get;
import static dev.kudu4j.client.cluster.FakeCluster.key;
import static dev.kudu4j.client.cluster.FakeCluster.seconds;
import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.cluster.TableTablets.Cover;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tablet locations that a client gets from the master. */
@Timeout(120)
final class TableTabletsTest {
  private final FakeCluster fakes = new FakeCluster();
  private FakeMaster master;
  private FakeTabletServer server;
  private Cluster client;
  private TableTablets tablets;

  @BeforeEach
  void open() {
    master = fakes.master();
    server = fakes.tabletServer("a");
    client = fakes.client(master);
    tablets = client.tabletsOf(TABLE);
  }

  @AfterEach
  void close() throws Exception {
    fakes.close();
  }

  private Cover at(int... key) {
    return get(tablets.at(key(key), seconds(60)));
  }

  private static KeyBuffer buffer(byte[] key) {
    KeyBuffer buffer = new KeyBuffer(1);
    buffer.append(key, 0, key.length);
    return buffer;
  }

  private List<String> between(byte[] start, byte[] end) {
    return get(tablets.between(start, end, seconds(60))).stream()
        .map(RemoteTablet::tabletId)
        .toList();
  }

  private void addTenWithGaps() {
    master.addTablet("ten", key(10), key(20), server);
    master.addTablet("thirty", key(30), key(40), server);
  }

  private int questions() {
    return master.calls("GetTableLocations");
  }

  @Test
  void oneRequestAlsoReturnsTheNextTablets() {
    addTenWithGaps();

    assertThat(at(12).tablet().tabletId()).isEqualTo("ten");
    assertThat(at(35).tablet().tabletId()).isEqualTo("thirty");

    assertThat(questions()).isEqualTo(1);
    assertThat(tablets.cached(buffer(key(19, 255))).tabletId()).isEqualTo("ten");
    assertThat(tablets.cached(buffer(key(20)))).isNull();
  }

  @Test
  void gapsAreKnownBeforeBetweenAndAfter() {
    addTenWithGaps();

    assertThat(at(20).isGap()).isTrue();
    assertThat(at(25).start()).containsExactly(20);
    assertThat(at(29, 9).end()).containsExactly(30);
    assertThat(at(40).isGap()).isTrue();
    assertThat(at(200).end()).isEmpty();
    assertThat(questions()).isEqualTo(1);

    assertThat(at(9).isGap()).isTrue();
    assertThat(at().start()).isEmpty();
    assertThat(at(3).end()).containsExactly(10);
    assertThat(questions()).isEqualTo(2);
  }

  @Test
  void anEmptyTableIsOneGap() {
    assertThat(at(7).isGap()).isTrue();
    assertThat(at().isGap()).isTrue();
    assertThat(between(UNBOUNDED, UNBOUNDED)).isEmpty();
    assertThat(questions()).isEqualTo(1);
  }

  @Test
  void concurrentLookupsShareOneRequest() throws Exception {
    addTenWithGaps();
    master.hold("GetTableLocations");
    List<CompletableFuture<Cover>> asking = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      asking.add(tablets.at(key(10, i), seconds(60)));
    }
    RpcCall call = master.nextHeld("GetTableLocations");
    call.respond(master.locate(GetTableLocationsRequestPB.newBuilder(request(key(10))).build()));

    for (CompletableFuture<Cover> one : asking) {
      assertThat(get(one).tablet().tabletId()).isEqualTo("ten");
    }
    assertThat(questions()).isEqualTo(1);
  }

  private static GetTableLocationsRequestPB request(byte[] key) {
    return GetTableLocationsRequestPB.newBuilder()
        .setTable(dev.kudu4j.common.proto.master.TableIdentifierPB.getDefaultInstance())
        .setPartitionKeyStart(com.google.protobuf.ByteString.copyFrom(key))
        .setMaxReturnedLocations(64)
        .build();
  }

  @Test
  void aCallerWithAnEarlierDeadlineDoesNotWaitForTheRequestOfAnother() throws Exception {
    addTenWithGaps();
    master.hold("GetTableLocations");
    CompletableFuture<Cover> patient = tablets.at(key(10), seconds(60));
    RpcCall call = master.nextHeld("GetTableLocations");

    KuduException failure = failureOf(tablets.at(key(10), Deadline.after(50)));

    assertThat(failure.code()).isEqualTo(StatusCode.TIMED_OUT);
    call.respond(master.locate(request(key(10))));
    assertThat(get(patient).tablet().tabletId()).isEqualTo("ten");
  }

  @Test
  void aCallerWithALaterDeadlineSurvivesTheTimeoutOfAnother() throws Exception {
    addTenWithGaps();
    master.hold("GetTableLocations");
    CompletableFuture<Cover> hasty = tablets.at(key(10), Deadline.after(500));
    CompletableFuture<Cover> patient = tablets.at(key(10), seconds(60)); // shares the request

    assertThat(failureOf(hasty).code()).isEqualTo(StatusCode.TIMED_OUT);
    assertThat(patient).isNotDone();
    await("the patient call is done") // both requests may arrive, in any order
        .until(
            () -> {
              for (RpcCall call : master.heldNow("GetTableLocations")) {
                call.respond(master.locate(request(key(10))));
              }
              return patient.isDone();
            });
    assertThat(get(patient).tablet().tabletId()).isEqualTo("ten");
  }

  @Test
  void tabletsBeyondOneResponseAreRequested() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] end = i == 199 ? UNBOUNDED : key(i + 1);
      master.addTablet("t" + i, i == 0 ? UNBOUNDED : key(i), end, server);
      all.add("t" + i);
    }

    for (int i = 0; i < 200; i++) {
      assertThat(at(i, 1).tablet().tabletId()).isEqualTo("t" + i);
    }
    assertThat(questions()).isBetween(4, 5);
    tablets.forgetAll();
    assertThat(between(UNBOUNDED, UNBOUNDED)).isEqualTo(all);
    assertThat(questions()).isLessThanOrEqualTo(6);
  }

  @Test
  void betweenReturnsOverlappingTablets() {
    addTenWithGaps();

    assertThat(between(UNBOUNDED, UNBOUNDED)).containsExactly("ten", "thirty");
    assertThat(between(key(15), key(30))).containsExactly("ten");
    assertThat(between(key(15), key(30, 0))).containsExactly("ten", "thirty");
    assertThat(between(key(20), key(30))).isEmpty();
    assertThat(between(key(39), UNBOUNDED)).containsExactly("thirty");
  }

  @Test
  void expiredLocationsAreRequestedAgain() {
    addTenWithGaps();
    master.ttlMillis(50); // long enough to use a response before it expires
    RemoteTablet before = at(12).tablet();
    master.addTablet("twenty", key(20), key(30), server);

    await("the gap is forgotten").until(() -> !at(22).isGap());

    assertThat(at(22).tablet().tabletId()).isEqualTo("twenty");
    assertThat(at(12).tablet()).isSameAs(before);
  }

  @Test
  void forgottenLocationsAreRequestedAgain() {
    addTenWithGaps();
    assertThat(at(25).isGap()).isTrue();
    master.addTablet("twenty", key(20), key(30), server);

    tablets.forget(key(25));
    assertThat(at(25).tablet().tabletId()).isEqualTo("twenty");
    master.dropTablet("ten");
    tablets.forgetAll();
    assertThat(at(12).isGap()).isTrue();
  }

  @Test
  void aForcedLookupBypassesTheCache() {
    addTenWithGaps();
    assertThat(between(UNBOUNDED, UNBOUNDED)).hasSize(2);
    master.addTablet("twenty", key(20), key(30), server);

    assertThat(between(UNBOUNDED, UNBOUNDED)).hasSize(2);
    assertThat(get(tablets.betweenAnew(UNBOUNDED, UNBOUNDED, seconds(60)))).hasSize(3);
    assertThat(between(UNBOUNDED, UNBOUNDED)).hasSize(3);
  }

  @Test
  void locationsFromATokenNeedNoRequest() {
    RemoteReplica replica =
        RemoteReplica.of("a", "127.0.0.1", 1, "", "", "", RemoteReplica.Role.LEADER);
    RemoteTablet told =
        tablets.remember(
            "ten", new Partition(new int[0], key(10), key(20)), List.of(replica), 60_000);

    assertThat(at(15).tablet()).isSameAs(told);
    assertThat(questions()).isZero();
    addTenWithGaps();
    assertThat(at(35).tablet().tabletId()).isEqualTo("thirty");
  }

  @Test
  void aMissingTableFailsAllCallers() {
    master.errNext(
        MasterErrorPB.Code.TABLE_NOT_FOUND, AppStatusPB.ErrorCode.NOT_FOUND, "table is gone");

    assertThat(failureOf(tablets.at(key(1), seconds(60))).code()).isEqualTo(StatusCode.NOT_FOUND);
  }

  @Test
  void lookupsWaitForTabletsThatAreNotReady() {
    addTenWithGaps();
    master.errNext(
        MasterErrorPB.Code.TABLET_NOT_RUNNING,
        AppStatusPB.ErrorCode.SERVICE_UNAVAILABLE,
        "not yet");

    assertThat(at(12).tablet().tabletId()).isEqualTo("ten");
    assertThat(questions()).isEqualTo(2);
  }

  /** Random tables: for any key, the cache returns the tablet, or the gap, that the master has. */
  @Test
  void cachedTabletsMatchTheMaster() {
    Random random = new Random(20_261_121);
    for (int round = 0; round < 30; round++) {
      String[] owner = new String[256];
      for (int i = 0; i < 256; ) {
        int length = 1 + random.nextInt(20);
        int to = Math.min(255, i + length);
        if (random.nextInt(3) > 0 && to > i) {
          String id = "r" + round + "-" + i;
          master.addTablet(id, key(i), key(to), server);
          java.util.Arrays.fill(owner, i, to, id);
        }
        i = Math.max(to, i + 1);
      }
      tablets.forgetAll();
      for (int i = 0; i < 100; i++) {
        int probe = random.nextInt(256);
        Cover cover = at(probe, random.nextInt(3));
        assertThat(cover.isGap() ? null : cover.tablet().tabletId())
            .as("round %d, key %d", round, probe)
            .isEqualTo(owner[probe]);
      }
      for (String id : owner) {
        if (id != null) {
          master.dropTablet(id);
        }
      }
    }
  }
}
