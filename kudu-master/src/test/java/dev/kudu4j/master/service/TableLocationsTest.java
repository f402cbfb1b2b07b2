package dev.kudu4j.master.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.GetTabletLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTabletLocationsResponsePB;
import dev.kudu4j.common.proto.master.PartitionKeyPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers of real masters to the same requests. */
class TableLocationsTest {
  private final FakeCluster cluster = new FakeCluster(1, 11);

  private void create(String name, int buckets, int... ranges) {
    cluster.tables.createTable(Requests.create(name, 1, buckets, ranges).build(), "alice");
    cluster.time.pass(10);
  }

  private static GetTableLocationsRequestPB.Builder of(String name) {
    return GetTableLocationsRequestPB.newBuilder()
        .setTable(Requests.named(name))
        .setInternTsInfosInResponse(true);
  }

  private GetTableLocationsResponsePB answer(GetTableLocationsRequestPB.Builder request) {
    return cluster.lookups.getTableLocations(request.build());
  }

  /** The start keys of the tablets in the response. */
  private List<String> starts(GetTableLocationsRequestPB.Builder request) {
    return answer(request).getTabletLocationsList().stream()
        .map(location -> location.getPartition().getPartitionKeyStart())
        .map(key -> HexFormat.of().formatHex(key.toByteArray()))
        .toList();
  }

  private static ByteString hex(String key) {
    return ByteString.copyFrom(HexFormat.of().parseHex(key));
  }

  /** The range key of an INT32. */
  private static ByteString key(int value) {
    return hex(String.format("%08x", value ^ 0x80000000));
  }

  @Test
  void keyInAGapStartsAtTheTabletBeforeIt() {
    create("t", 0, 0, 10, 20, 30);
    for (int start : new int[] {-5, 0, 5, 10, 15}) {
      assertThat(starts(of("t").setPartitionKeyStart(key(start))))
          .as("from %d", start)
          .containsExactly("80000000", "80000014");
      assertThat(starts(of("t").setPartitionKeyStart(key(start)).setMaxReturnedLocations(1)))
          .as("one from %d", start)
          .containsExactly("80000000");
    }
    for (int start : new int[] {20, 29, 30, 35}) {
      assertThat(starts(of("t").setPartitionKeyStart(key(start))))
          .as("from %d", start)
          .containsExactly("80000014");
    }
    assertThat(starts(of("t"))).containsExactly("80000000", "80000014");
  }

  @Test
  void tabletThatStartsAtTheEndKeyIsIncluded() {
    create("t", 5);
    assertThat(
            starts(
                of("t").setPartitionKeyStart(hex("00000001")).setPartitionKeyEnd(hex("00000003"))))
        .containsExactly("00000001", "00000002", "00000003");
  }

  @Test
  void separatePartitionKeysHavePriorityOverEncodedKeys() {
    create("t", 4);
    PartitionKeyPB start =
        PartitionKeyPB.newBuilder().setHashKey(hex("00000002")).setRangeKey(key(7)).build();
    assertThat(starts(of("t").setKeyStart(start).setPartitionKeyStart(hex("00000000"))))
        .containsExactly("00000002", "00000003");
    PartitionKeyPB end = PartitionKeyPB.newBuilder().setHashKey(hex("00000001")).build();
    assertThat(starts(of("t").setKeyEnd(end))).containsExactly("00000000", "00000001");
  }

  @Test
  void keysBeyondTheLastTabletOfAHashTableReturnThatTablet() {
    create("t", 4);
    assertThat(starts(of("t").setPartitionKeyStart(hex("00000009")))).containsExactly("00000003");
  }

  @Test
  void aRequestWithoutALimitReturnsAllTablets() {
    create("t", 25);
    assertThat(starts(of("t"))).hasSize(25);
    assertThat(starts(of("t").setMaxReturnedLocations(10))).hasSize(10);
  }

  @Test
  void badBoundsAreRefused() {
    create("t", 4);
    assertThatThrownBy(() -> answer(of("t").setMaxReturnedLocations(0)))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
    assertThatThrownBy(
            () ->
                answer(
                    of("t")
                        .setPartitionKeyStart(hex("00000003"))
                        .setPartitionKeyEnd(hex("00000001"))))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.INVALID_ARGUMENT));
  }

  @Test
  void tableWithoutRangesHasNoTablets() {
    cluster.tables.createTable(
        Requests.create("t", 1, 0).setAllowEmptyPartition(true).build(), "alice");
    cluster.time.pass(10);
    assertThat(starts(of("t"))).isEmpty();
  }

  @Test
  void serversAreListedOnceAndReferencedByIndex() {
    create("t", 4);
    GetTableLocationsResponsePB interned = answer(of("t"));
    assertThat(interned.getTtlMillis()).isEqualTo(300_000);
    assertThat(interned.getTsInfosCount()).isEqualTo(1);
    assertThat(interned.getTabletLocationsList())
        .allSatisfy(
            location -> {
              assertThat(location.getInternedReplicas(0).getTsInfoIdx()).isZero();
              assertThat(location.getDEPRECATEDReplicasCount()).isZero();
            });
    GetTableLocationsResponsePB inlined = answer(of("t").setInternTsInfosInResponse(false));
    assertThat(inlined.getTsInfosCount()).isZero();
    assertThat(inlined.getTabletLocations(0).getDEPRECATEDReplicas(0).getTsInfo())
        .isEqualTo(interned.getTsInfos(0));
  }

  @Test
  void tabletsAreFoundByIdAndUnknownIdsGetTheirOwnErrors() {
    create("t", 2);
    TabletLocationsPB known = answer(of("t")).getTabletLocations(1);
    GetTabletLocationsResponsePB answer =
        cluster.lookups.getTabletLocations(
            GetTabletLocationsRequestPB.newBuilder()
                .addTabletIds(ByteString.copyFromUtf8("d".repeat(32)))
                .addTabletIds(known.getTabletId())
                .setInternTsInfosInResponse(true)
                .build());
    assertThat(answer.getTabletLocationsList()).containsExactly(known);
    assertThat(answer.getErrorsCount()).isEqualTo(1);
    assertThat(answer.getErrors(0).getStatus().getCode().getNumber())
        .isEqualTo(StatusCode.NOT_FOUND.wireNumber());
  }
}
