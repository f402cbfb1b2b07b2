package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.common.proto.common.RowwiseRowBlockPB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.rpc.RpcCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups of rows by key on scripted servers, which behave like ours or like Apache Kudu's. */
@Timeout(120)
@ParameterizedClass
@ValueSource(booleans = {true, false})
class KeyLookupTest {
  private final boolean ours;
  private final ScriptedTable numbers;

  KeyLookupTest(boolean ours) {
    this.ours = ours;
    this.numbers = ours ? ScriptedTable.onOurServers() : new ScriptedTable();
  }

  @AfterEach
  void close() {
    numbers.close();
  }

  private static List<Integer> values(List<Optional<RowResult>> rows) {
    return rows.stream().map(row -> row.map(found -> found.getInt("k")).orElse(null)).toList();
  }

  @Test
  void anExistingKeyReturnsItsRowInOneRequest() throws Exception {
    assertThat(numbers.table().get(numbers.row(17)).orElseThrow().getInt("k")).isEqualTo(17);
    assertThat(numbers.low().requests()).hasSize(1);
    assertThat(numbers.high().requests()).isEmpty();
    assertThat(numbers.low().openScanners()).isZero();
  }

  @Test
  void anAbsentKeyReturnsNoRow() throws Exception {
    assertThat(numbers.table().get(numbers.row(25))).isEmpty();
    assertThat(numbers.table().get(numbers.row(-1))).isEmpty();
  }

  @Test
  void aKeyOutsideOfAllRangesNeedsNoRequest() throws Exception {
    assertThat(numbers.table().get(numbers.row(1_000))).isEmpty();
    assertThat(numbers.low().requests()).isEmpty();
    assertThat(numbers.high().requests()).isEmpty();
  }

  @Test
  void aLookupOfTheGreatestKeyNeedsNoSuccessor() throws Exception {
    assertThat(numbers.table().get(numbers.row(Integer.MAX_VALUE))).isEmpty();
  }

  @Test
  void rowsAreReturnedInTheOrderOfTheRequestedKeys() throws Exception {
    List<PartialRow> keys = IntStream.of(110, 3, 500, 3, 40, 124).mapToObj(numbers::row).toList();
    assertThat(values(numbers.table().getAll(keys))).containsExactly(110, 3, null, 3, null, 124);
  }

  @Test
  void keysOfATabletAreOneRequestIfTheServerSupportsIt() throws Exception {
    List<PartialRow> keys = IntStream.of(110, 3, 500, 3, 4, 24).mapToObj(numbers::row).toList();
    for (int i = 0; i < 3; i++) {
      assertThat(values(numbers.table().getAll(keys))).containsExactly(110, 3, null, 3, 4, 24);
    }
    assertThat(numbers.low().requests()).hasSize(ours ? 3 : 12);
    assertThat(numbers.high().requests()).hasSize(3);
  }

  @Test
  void rowsOfSeveralResponsesAreAllReturned() throws Exception {
    List<PartialRow> keys = IntStream.range(0, 25).mapToObj(numbers::row).toList();
    assertThat(values(numbers.table().getAll(keys)))
        .isEqualTo(IntStream.range(0, 25).boxed().toList());
    assertThat(numbers.low().requests()).hasSize(ours ? 3 : 25);
    assertThat(numbers.low().openScanners()).isZero();
  }

  @Test
  void allRowsAreReturnedAfterAServerLosesItsScanners() throws Exception {
    numbers.low().loseScanners(3);
    List<PartialRow> keys = IntStream.range(0, 30).mapToObj(numbers::row).toList();
    List<Integer> found = values(numbers.table().getAll(keys));
    assertThat(found.subList(0, 25)).isEqualTo(IntStream.range(0, 25).boxed().toList());
    assertThat(found.subList(25, 30)).containsOnlyNulls();
  }

  @Test
  void moreKeysThanTheRequestLimitAreAllLookedUp() throws Exception {
    List<PartialRow> keys = IntStream.range(0, 1_000).mapToObj(i -> numbers.row(i % 230)).toList();
    List<Integer> found = values(numbers.table().getAll(keys));
    for (int i = 0; i < found.size(); i++) {
      int k = i % 230;
      boolean isThere = k < 25 || (k >= 100 && k < 125);
      assertThat(found.get(i)).isEqualTo(isThere ? (Integer) k : null);
    }
  }

  @Test
  @SuppressWarnings("try") // an interrupt ends the test
  void concurrentLookupsAreLimited() throws Exception {
    int max = ours ? 16 : 48;
    try (SlowScans slow = new SlowScans(max)) {
      numbers.firstServer().scans(slow);
      List<PartialRow> keys =
          IntStream.rangeClosed(1, 20_000).mapToObj(i -> numbers.row(-i)).toList();
      List<Optional<RowResult>> rows = numbers.table().getAll(keys);
      assertThat(rows).hasSize(20_000).containsOnly(Optional.empty());
      assertThat(slow.maxConcurrent()).isEqualTo(max);
    }
  }

  /** Waits for many requests, then answers one after the other: no row. */
  @SuppressWarnings("try") // an interrupt ends the test
  private static final class SlowScans implements FakeTabletServer.ScanHandler, AutoCloseable {
    private final BlockingQueue<RpcCall> calls = new LinkedBlockingQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger max = new AtomicInteger();
    private final CountDownLatch many;
    private final Thread answering = new Thread(this::answer, "answering");

    SlowScans(int many) {
      this.many = new CountDownLatch(many);
      answering.start();
    }

    int maxConcurrent() {
      return max.get();
    }

    @Override
    public void scan(ScanRequestPB request, RpcCall call) {
      max.accumulateAndGet(underWay.incrementAndGet(), Math::max);
      calls.add(call);
      many.countDown();
    }

    private void answer() {
      ScanResponsePB nothing =
          ScanResponsePB.newBuilder()
              .setData(RowwiseRowBlockPB.newBuilder().setNumRows(0))
              .setHasMoreResults(false)
              .build();
      try {
        many.await();
        while (true) {
          RpcCall call = calls.take();
          underWay.decrementAndGet();
          call.respond(nothing);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // closed
      }
    }

    @Override
    public void keepAlive(ScannerKeepAliveRequestPB request, RpcCall call) {
      throw new AssertionError("no scanner is left open");
    }

    @Override
    public void split(SplitKeyRangeRequestPB request, RpcCall call) {
      throw new AssertionError("nobody splits");
    }

    @Override
    public void close() throws InterruptedException {
      answering.interrupt();
      answering.join();
    }
  }

  @Test
  void noKeysReturnNoRows() throws Exception {
    assertThat(numbers.table().getAll(List.of())).isEmpty();
  }

  @Test
  void aRowStaysValidAfterTheNextLookup() throws Exception {
    RowResult row = numbers.table().get(numbers.row(1)).orElseThrow();
    numbers.table().get(numbers.row(2));
    assertThat(row.getInt("k")).isEqualTo(1);
  }

  @Test
  void anIncompleteKeyIsRejected() {
    assertThatThrownBy(() -> numbers.table().get(numbers.table().getSchema().newPartialRow()))
        .isInstanceOf(IllegalStateException.class);
    List<PartialRow> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      keys.add(numbers.row(i));
    }
    keys.add(numbers.table().getSchema().newPartialRow());
    assertThatThrownBy(() -> numbers.table().getAll(keys))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theFailureOfOneLookupFailsAll() {
    numbers.low().tear();
    assertThatThrownBy(() -> numbers.table().getAll(List.of(numbers.row(100), numbers.row(3))))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("Scan response has 3 bytes");
  }
}
