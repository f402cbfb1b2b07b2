package dev.kudu4j.master.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.ByteString;
import dev.kudu4j.common.TestVectors;
import dev.kudu4j.common.proto.common.PartitionPB;
import dev.kudu4j.common.proto.consensus.RaftConfigPB;
import dev.kudu4j.common.proto.master.SysTabletsEntryPB;
import dev.kudu4j.master.proto.catalog.TabletEntryPB;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TabletArrayTest {
  private static TabletInfo tablet(int number, JsonNode vector) {
    return new TabletInfo(
        "tablet" + number,
        TabletEntryPB.newBuilder()
            .setVersion(1)
            .setTableId(ByteString.copyFromUtf8("t"))
            .setState(SysTabletsEntryPB.State.RUNNING)
            .setGeneration(0)
            .setConfig(RaftConfigPB.getDefaultInstance())
            .setPartition(
                PartitionPB.newBuilder()
                    .setPartitionKeyStart(ByteString.copyFrom(TestVectors.hex(vector.get("start"))))
                    .setPartitionKeyEnd(ByteString.copyFrom(TestVectors.hex(vector.get("end")))))
            .build());
  }

  /** Partitions from a real master, in random order at first. */
  @Test
  void everyKeyOfARealTableFindsItsTablet() {
    TestVectors.group("partitions")
        .forEach(
            table -> {
              List<TabletInfo> tablets = new ArrayList<>();
              table.get("tablets").forEach(vector -> tablets.add(tablet(tablets.size(), vector)));
              List<TabletInfo> shuffled = new ArrayList<>(tablets);
              Collections.shuffle(shuffled, new Random(3));
              checkLookups(new TabletArray(shuffled), tablets);
            });
  }

  private static void checkLookups(TabletArray array, List<TabletInfo> tablets) {
    assertThat(array).hasSameSizeAs(tablets);
    for (TabletInfo tablet : tablets) {
      assertThat(array.get(array.floor(tablet.startKey()))).isSameAs(tablet);
      ByteString behind = tablet.startKey().concat(ByteString.copyFrom(new byte[] {0}));
      assertThat(array.get(array.floor(behind))).isSameAs(tablet);
    }
    if (!tablets.isEmpty() && !array.get(0).startKey().isEmpty()) {
      assertThat(array.floor(ByteString.EMPTY)).isEqualTo(-1);
    }
  }
}
