package dev.kudu4j.tserver.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.rpc.Caller;
import dev.kudu4j.common.rpc.Role;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.memory.ScanMemoryGate;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.scan.TabletScanner;
import dev.kudu4j.tablet.scan.source.ScanWork;
import dev.kudu4j.tserver.tablets.ScanCounts;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The next batch of a scan is prepared between two calls, by one thread at a time. */
class ReadAheadTest {
  private static final Schema COLUMNS =
      new Schema(List.of(ColumnSchema.builder("n", DataType.INT64).build()));
  private static final long LIMIT = 1 << 10;

  private final BufferAllocator allocator = new RootAllocator();
  private final Queue<Runnable> tasks = new ArrayDeque<>();
  private final ReadAhead readAhead = readAhead(0);

  /** A reader next to other scans that hold {@code held} bytes of 8 KB. */
  private ReadAhead readAhead(long held) {
    ScanMemoryGate gate = new ScanMemoryGate(() -> held, 8 << 10);
    return new ReadAhead(gate, allocator, tasks::add, () -> true);
  }

  @AfterEach
  void nothingIsLeft() {
    allocator.close();
  }

  /** Batches of one row, which count from 0; fails at {@link #failAt}. */
  private static final class CountingScan implements TabletScanner {
    private final AtomicInteger users = new AtomicInteger();
    private volatile long failAt = -1;
    private long next;
    private volatile boolean closed;

    @Override
    public boolean next(ColumnBatch out, long softLimitBytes) {
      assertThat(users.incrementAndGet()).as("threads that use the scanner").isEqualTo(1);
      assertThat(closed).as("closed").isFalse();
      if (next == failAt) {
        throw KuduException.corruption("a damaged page");
      }
      byte[] cell =
          ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(next++).array();
      out.column(0).append(cell, 0, cell.length);
      out.setRowCount(1);
      users.decrementAndGet();
      return true;
    }

    @Override
    public byte[] lastKey() {
      return null;
    }

    @Override
    public long rowsScanned() {
      return next;
    }

    @Override
    public ScanWork work() {
      return new ScanWork();
    }

    @Override
    public long bytesRead() {
      return 0;
    }

    @Override
    public void close() {
      assertThat(closed).as("closed before").isFalse();
      closed = true;
    }
  }

  private static OpenScanner open(CountingScan scan) {
    ScanTrace.Query query =
        new ScanTrace.Query(
            "SELECT",
            "t",
            COLUMNS,
            List.of(),
            null,
            null,
            null,
            null,
            null,
            0,
            false,
            Long.MAX_VALUE,
            1);
    Caller caller =
        new Caller("alice", InetSocketAddress.createUnresolved("localhost", 1), Set.of(Role.USER));
    ScanTrace trace = new ScanTrace("id", "tablet", caller, new ScanCounts(), query, "", 0);
    OpenScanner scanner = new OpenScanner(trace, scan, COLUMNS, 0, false, List.of(), 0);
    scanner.enterFirst();
    scanner.endCall(true, true);
    return scanner;
  }

  /** The number in the only row of a batch, which is released. */
  private static long number(ScanBatch batch) {
    long number = batch.sidecars().get(0).getLongLE(0);
    batch.release();
    return number;
  }

  @Test
  void aCallGetsThePreparedBatch() {
    OpenScanner scanner = open(new CountingScan());
    for (int call = 1; call <= 3; call++) {
      readAhead.start(scanner, LIMIT, () -> {});
      assertThat(scanner.isNextReady()).isFalse();
      tasks.remove().run();
      assertThat(scanner.isNextReady()).isTrue();
      NextBatch next = scanner.enter(call);
      readAhead.take(next);
      assertThat(number(next.batch.join())).isEqualTo(call - 1);
      scanner.endCall(true, false);
    }
    scanner.close();
    assertThat(readAhead.prepared()).isEqualTo(3);
    assertThat(readAhead.ready()).isEqualTo(3);
  }

  @Test
  void aCallBeforeTheReaderReadsTheBatchItself() {
    CountingScan scan = new CountingScan();
    OpenScanner scanner = open(scan);
    readAhead.start(scanner, LIMIT, () -> {});
    assertThat(scanner.enter(1)).isNull();
    tasks.remove().run();
    assertThat(scan.rowsScanned()).isZero();
    scanner.endCall(true, false);
    readAhead.start(scanner, LIMIT, () -> {});
    readAhead.start(scanner, LIMIT, () -> {}); // replaces the one that has not started
    tasks.remove().run();
    assertThat(scan.rowsScanned()).isZero();
    tasks.remove().run();
    assertThat(number(scanner.enter(2).batch.join())).isZero();
    scanner.endCall(true, false);
    scanner.close();
  }

  @Test
  void anUnusedBatchIsReleased() {
    CountingScan scan = new CountingScan();
    OpenScanner scanner = open(scan);
    readAhead.start(scanner, LIMIT, () -> {});
    tasks.remove().run();
    assertThat(allocator.getAllocatedMemory()).isPositive();
    scanner.close();
    assertThat(allocator.getAllocatedMemory()).isZero();
    assertThat(scan.closed).isTrue();
    readAhead.start(scanner, LIMIT, () -> {});
    assertThat(tasks).isEmpty();
  }

  @Test
  void closingWaitsForTheReader() {
    CountingScan scan = new CountingScan();
    OpenScanner scanner = open(scan);
    readAhead.start(
        scanner,
        LIMIT,
        () -> {
          scanner.close();
          assertThat(scan.closed).isFalse();
        });
    tasks.remove().run();
    assertThat(scan.closed).isTrue();
  }

  @Test
  void failureIsReportedToTheNextCall() {
    CountingScan scan = new CountingScan();
    scan.failAt = 0;
    OpenScanner scanner = open(scan);
    readAhead.start(scanner, LIMIT, () -> {});
    tasks.remove().run();
    assertThat(scanner.isNextReady()).isFalse();
    NextBatch next = scanner.enter(1);
    assertThatThrownBy(next.batch::join).hasMessageContaining("a damaged page");
    scanner.endCall(false, false);
    scanner.close();
  }

  @Test
  void withoutMemoryTheCallReadsItself() {
    OpenScanner scanner = open(new CountingScan());
    readAhead(2 << 10).start(scanner, LIMIT, () -> {});
    tasks.remove().run();
    assertThat(scanner.isNextReady()).isFalse();
    assertThat(scanner.enter(1).batch.join()).isNull();
    scanner.endCall(true, false);
    scanner.close();
  }

  /** A client, a reader and a close at a random moment; rows come in order, and nothing is left. */
  @Test
  void rowsAreInOrderForAnyMixOfReaders() throws Exception {
    SplittableRandom random = new SplittableRandom(7);
    ExecutorService reader = Executors.newSingleThreadExecutor();
    ExecutorService closer = Executors.newSingleThreadExecutor();
    ReadAhead concurrent =
        new ReadAhead(
            new ScanMemoryGate(allocator::getAllocatedMemory, 1 << 30),
            allocator,
            reader,
            () -> true);
    for (int round = 0; round < 300; round++) {
      CountingScan scan = new CountingScan();
      OpenScanner scanner = open(scan);
      int calls = 1 + random.nextInt(30);
      int closeAt = random.nextInt(40);
      for (int call = 1; call <= calls; call++) {
        if (call == closeAt) {
          closer.execute(scanner::close);
        }
        NextBatch next;
        try {
          next = scanner.enter(call);
        } catch (KuduException closed) {
          break;
        }
        ScanBatch batch =
            next == null ? ScanBatch.read(scanner, allocator, LIMIT, () -> {}) : next.batch.join();
        assertThat(number(batch)).isEqualTo(call - 1);
        scanner.endCall(true, false);
        concurrent.start(scanner, LIMIT, () -> {});
      }
      scanner.close();
    }
    reader.shutdown();
    closer.shutdown();
    assertThat(reader.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
    assertThat(closer.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }
}
