package dev.kudu4j.benchmarks.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

class PhaseTest {
  private static final int RECORDS = 300;
  private static final int OPERATIONS = 2_000;

  private final ConcurrentSkipListMap<String, Map<String, String>> records =
      new ConcurrentSkipListMap<>();

  /** A database backed by a sorted map. */
  private final class MapDb extends DB {
    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return records.containsKey(key) ? Status.OK : Status.NOT_FOUND;
    }

    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return records.containsKey(key) ? Status.OK : Status.NOT_FOUND;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      Map<String, String> fields = StringByteIterator.getStringMap(values);
      return records.putIfAbsent(key, fields) == null ? Status.OK : Status.ERROR;
    }

    @Override
    public Status delete(String table, String key) {
      return records.remove(key) == null ? Status.NOT_FOUND : Status.OK;
    }
  }

  private static YcsbSettings settings() {
    return new YcsbSettings(
        List.of(StandardWorkload.values()),
        List.of(RequestDistribution.values()),
        RECORDS,
        OPERATIONS,
        3,
        1,
        1,
        1,
        1,
        1,
        1,
        0,
        Map.of("fieldcount", "4", "fieldlength", "7"));
  }

  private Phase.Outcome load() throws Exception {
    Properties properties = settings().loading("", "usertable");
    return new Phase(Phase.Kind.LOAD, MapDb::new, properties, 3, RECORDS).run();
  }

  private Phase.Outcome run(StandardWorkload workload, RequestDistribution distribution)
      throws Exception {
    Properties properties =
        settings().running("", "usertable", workload, distribution, records.size());
    return new Phase(Phase.Kind.TRANSACTIONS, MapDb::new, properties, 3, OPERATIONS).run();
  }

  @Test
  void loadInsertsEachRecordOnce() throws Exception {
    Phase.Outcome outcome = load();
    assertThat(outcome.latencies().count(OperationKind.INSERT)).isEqualTo(RECORDS);
    assertThat(outcome.latencies().failures()).isEmpty();
    assertThat(records).hasSize(RECORDS);
    assertThat(records.firstEntry().getValue()).hasSize(4);
    assertThat(records.firstEntry().getValue().get("field0")).hasSize(7);
  }

  @ParameterizedTest
  @EnumSource(StandardWorkload.class)
  void workloadsDoWhatTheirLinesSay(StandardWorkload workload) throws Exception {
    load();
    for (RequestDistribution distribution : RequestDistribution.values()) {
      int before = records.size();
      Phase.Outcome outcome = run(workload, distribution);
      Latencies latencies = outcome.latencies();
      assertThat(outcome.operations()).isEqualTo(OPERATIONS);
      assertThat(latencies.failures()).isEmpty();
      for (OperationKind kind : OperationKind.values()) {
        assertThat(latencies.count(kind) > 0)
            .as("%s of %s", kind, workload)
            .isEqualTo(workload.kinds().contains(kind));
      }
      assertThat(records.size() - before)
          .isEqualTo((int) latencies.count(OperationKind.INSERT)); // new keys in each run
    }
  }

  @Test
  void readWithUpdateIsTimedAsOneToo() throws Exception {
    load();
    Latencies latencies = run(StandardWorkload.F, RequestDistribution.ZIPFIAN).latencies();
    long both = latencies.count(OperationKind.READ_MODIFY_WRITE);
    assertThat(both).isEqualTo(latencies.count(OperationKind.UPDATE)).isBetween(800L, 1_200L);
    assertThat(latencies.count(OperationKind.READ)).isEqualTo(OPERATIONS);
  }

  @Test
  void refusedCallsAreCountedByTheirAnswer() throws Exception {
    Phase.Outcome outcome =
        new Phase(
                Phase.Kind.TRANSACTIONS,
                MapDb::new,
                settings()
                    .running(
                        "", "usertable", StandardWorkload.C, RequestDistribution.UNIFORM, RECORDS),
                2,
                50)
            .run();
    assertThat(outcome.latencies().failures()).isEqualTo(Map.of("read: NOT_FOUND", 50L));
  }
}
