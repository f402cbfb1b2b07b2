package dev.kudu4j.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.benchmarks.ycsb.BindingOptions.ReadFreshness;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class BindingOptionsTest {
  private static BindingOptions options(String... namesAndValues) {
    Properties properties = new Properties();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
    }
    return BindingOptions.of(properties);
  }

  @Test
  void nothingSaidMeansFourRangesAndWritesThatWait() {
    BindingOptions options = options();
    assertThat(options.masters()).isEqualTo("127.0.0.1:7051");
    assertThat(options.table()).isEqualTo("usertable");
    assertThat(options.fields()).hasSize(10).startsWith("field0", "field1");
    assertThat(options.hashPartitions()).isEqualTo(1);
    assertThat(options.rangeSplits()).hasSize(3).isSorted();
    assertThat(options.replicas()).isEmpty();
    assertThat(options.syncOps()).isTrue();
    assertThat(options.insertIsUpsert()).isFalse();
    assertThat(options.scanInKeyOrder()).isTrue();
    assertThat(options.readMode()).isEqualTo(ReadFreshness.READ_LATEST);
  }

  @Test
  void hashAndRangePartitionsGoTogether() {
    BindingOptions options = options("kudu_hash_partitions", "3", "kudu_range_partitions", "2");
    assertThat(options.hashPartitions()).isEqualTo(3);
    assertThat(options.rangeSplits()).containsExactly("user5111500");
  }

  @Test
  void splitsAreTakenAsTheyAreGiven() {
    assertThat(options("kudu_range_splits", "user7, user3").rangeSplits())
        .containsExactly("user3", "user7");
  }

  @Test
  void namesOfTheOlderBindingStillHold() {
    BindingOptions hashed =
        options(
            "kudu_partition_schema", "hashPartition",
            "kudu_pre_split_num_tablets", "8",
            "kudu_table_num_replicas", "1",
            "kudu_sync_ops", "false",
            "kudu_buffer_num_ops", "50");
    assertThat(hashed.hashPartitions()).isEqualTo(8);
    assertThat(hashed.rangeSplits()).isEmpty();
    assertThat(hashed.replicas()).hasValue(1);
    assertThat(hashed.syncOps()).isFalse();
    assertThat(hashed.batchOps()).isEqualTo(50);
    BindingOptions ranged = options("kudu_pre_split_num_tablets", "6");
    assertThat(ranged.hashPartitions()).isEqualTo(1);
    assertThat(ranged.rangeSplits()).hasSize(5);
  }

  @Test
  void equalRangesHoldAboutAsManyHashedKeysEach() {
    int[] counts = new int[5];
    for (long i = 0; i < 100_000; i++) {
      String key = "user" + site.ycsb.Utils.hash(i);
      int range = 0;
      for (String split : BindingOptions.equalRanges(5)) {
        range += key.compareTo(split) >= 0 ? 1 : 0;
      }
      counts[range]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(17_000, 23_000);
    }
  }

  @Test
  void nonsenseIsRefusedByName() {
    assertThatThrownBy(() -> options("kudu_hash_partitions", "none"))
        .hasMessageContaining("kudu_hash_partitions")
        .hasMessageContaining("none");
    assertThatThrownBy(() -> options("kudu_buffer_num_ops", "0"))
        .hasMessageContaining("kudu_buffer_num_ops");
    assertThatThrownBy(() -> options("kudu_scan_order", "both")).hasMessageContaining("key, any");
    assertThatThrownBy(() -> options("kudu_sync_ops", "maybe"))
        .hasMessageContaining("kudu_sync_ops");
  }
}
