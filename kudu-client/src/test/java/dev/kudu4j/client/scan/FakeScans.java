package dev.kudu4j.client.scan;

import com.google.protobuf.ByteString;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.ColumnarRowBlockPB;
import dev.kudu4j.common.proto.common.KeyRangePB;
import dev.kudu4j.common.proto.common.OrderMode;
import dev.kudu4j.common.proto.common.RowwiseRowBlockPB;
import dev.kudu4j.common.proto.tserver.NewScanRequestPB;
import dev.kudu4j.common.proto.tserver.RowFormatFlags;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScanResponsePB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveResponsePB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

/**
 * Scans for a {@link FakeTabletServer}, on tablets whose rows are ranges of numbers. Supports
 * sequence numbers, resuming after a key, limits and scans of given keys. Tests can let it lose
 * scanners.
 */
public final class FakeScans implements FakeTabletServer.ScanHandler {
  private static final int ROWS_PER_BATCH = 10;

  private final Map<String, int[]> tablets = new HashMap<>();
  private final Map<String, Scanner> scanners = new HashMap<>();
  private final List<ScanRequestPB> requests = new CopyOnWriteArrayList<>();
  private final long snapshot;
  private int emptyAnswers;
  private int losses;
  private boolean torn;
  private int nextId;
  private int keepAlives;

  private static final class Scanner {
    int next;
    int end;
    int step;
    boolean ordered;
    boolean columnar;
    int sequence = 1;

    /** The keys of the requested rows; null for all rows. */
    List<ByteString> keys;

    int take() {
      int taken = next;
      do {
        next += step;
      } while (keys != null && next < end && !keys.contains(key(next)));
      return taken;
    }

    int left() {
      int left = Math.max(0, end - next + step - 1) / step;
      return keys == null ? left : (int) IntStream.range(next, end).filter(this::isWanted).count();
    }

    private boolean isWanted(int number) {
      return (number - next) % step == 0 && keys.contains(key(number));
    }
  }

  /**
   * @param snapshot that the server chooses
   */
  public FakeScans(long snapshot) {
    this.snapshot = snapshot;
  }

  public synchronized FakeScans tablet(String id, int from, int to) {
    return tablet(id, from, to, 1);
  }

  /** Adds a tablet with the numbers {@code from}, {@code from + step}, … below {@code to}. */
  public synchronized FakeScans tablet(String id, int from, int to, int step) {
    tablets.put(id, new int[] {from, to, step});
    return this;
  }

  synchronized void forget(String tablet) {
    tablets.remove(tablet);
  }

  /** The next responses contain no rows, but say that there are more. */
  synchronized FakeScans emptyAnswers(int count) {
    emptyAnswers = count;
    return this;
  }

  /** From now on, responses contain fewer bytes than their rows need. */
  public synchronized void tear() {
    torn = true;
  }

  public synchronized void forgetScanners() {
    scanners.clear();
  }

  /** The next {@code count} calls that continue a scanner do not find it. */
  public synchronized void loseScanners(int count) {
    losses = count;
  }

  /** The number of received keep-alive requests. */
  public synchronized int keepAlives() {
    return keepAlives;
  }

  public synchronized int openScanners() {
    return scanners.size();
  }

  public List<ScanRequestPB> requests() {
    return requests;
  }

  public List<NewScanRequestPB> openings() {
    return requests.stream()
        .filter(ScanRequestPB::hasNewScanRequest)
        .map(ScanRequestPB::getNewScanRequest)
        .toList();
  }

  @Override
  public synchronized void scan(ScanRequestPB request, RpcCall call) {
    requests.add(request);
    ScanResponsePB.Builder answer = ScanResponsePB.newBuilder().setPropagatedTimestamp(snapshot);
    String id;
    if (request.hasNewScanRequest()) {
      id = open(request.getNewScanRequest(), answer);
      if (id == null) {
        fail(call, TabletServerErrorPB.Code.TABLET_NOT_FOUND, "Tablet not found");
        return;
      }
    } else {
      id = request.getScannerId().toStringUtf8();
      if (losses > 0) {
        losses--;
        scanners.remove(id);
      }
      Scanner scanner = scanners.get(id);
      if (request.getCloseScanner()) {
        scanners.remove(id);
        call.respond(answer.setHasMoreResults(false).build());
        return;
      }
      if (scanner == null) {
        fail(call, TabletServerErrorPB.Code.SCANNER_EXPIRED, "Scanner " + id + " not found");
        return;
      }
      if (request.getCallSeqId() != scanner.sequence) {
        scanners.remove(id);
        fail(call, TabletServerErrorPB.Code.INVALID_SCAN_CALL_SEQ_ID, "Invalid call sequence ID");
        return;
      }
      scanner.sequence++;
    }
    ByteBuf rows = fill(id, answer);
    call.respond(answer.build(), List.of(rows));
  }

  private String open(NewScanRequestPB request, ScanResponsePB.Builder answer) {
    int[] tablet = tablets.get(request.getTabletId().toStringUtf8());
    if (tablet == null) {
      return null;
    }
    Scanner scanner = new Scanner();
    scanner.next = tablet[0];
    scanner.end = tablet[1];
    scanner.step = tablet[2];
    while (request.hasStartPrimaryKey()
        && scanner.next < scanner.end
        && isBefore(key(scanner.next), request.getStartPrimaryKey())) {
      scanner.next += scanner.step;
    }
    while (request.hasStopPrimaryKey()
        && scanner.next < scanner.end
        && !isBefore(key(scanner.end - 1), request.getStopPrimaryKey())) {
      scanner.end--;
    }
    if (request.hasLastPrimaryKey()) {
      while (scanner.next < scanner.end
          && ByteString.unsignedLexicographicalComparator()
                  .compare(key(scanner.next), request.getLastPrimaryKey())
              <= 0) {
        scanner.next += scanner.step;
      }
    }
    if (request.hasLimit()) {
      scanner.end = (int) Math.min(scanner.end, scanner.next + request.getLimit() * scanner.step);
    }
    if (request.getPrimaryKeysCount() > 0) {
      scanner.keys = request.getPrimaryKeysList();
      scanner.next -= scanner.step;
      scanner.take();
    }
    scanner.columnar = request.getRowFormatFlags() == RowFormatFlags.COLUMNAR_LAYOUT_VALUE;
    scanner.ordered = request.getOrderMode() == OrderMode.ORDERED;
    String id = "scanner-" + nextId++ + "-" + snapshot;
    scanners.put(id, scanner);
    answer.setScannerId(ByteString.copyFromUtf8(id));
    answer.setSnapTimestamp(request.hasSnapTimestamp() ? request.getSnapTimestamp() : snapshot);
    return id;
  }

  private static boolean isBefore(ByteString a, ByteString b) {
    return ByteString.unsignedLexicographicalComparator().compare(a, b) < 0;
  }

  private ByteBuf fill(String id, ScanResponsePB.Builder answer) {
    Scanner scanner = scanners.get(id);
    int count = Math.min(ROWS_PER_BATCH, scanner.left());
    if (emptyAnswers > 0) {
      emptyAnswers--;
      count = 0;
    }
    ByteBuf rows = Unpooled.buffer(4 * count);
    int lastTaken = 0;
    for (int i = 0; i < count; i++) {
      lastTaken = scanner.take();
      rows.writeIntLE(lastTaken);
    }
    if (torn) {
      rows.writerIndex(rows.writerIndex() - 1);
    }
    if (scanner.ordered && count > 0) {
      answer.setLastPrimaryKey(key(lastTaken));
    }
    boolean more = scanner.next < scanner.end;
    if (!more) {
      scanners.remove(id);
      answer.clearScannerId();
    }
    answer.setHasMoreResults(more);
    if (scanner.columnar) { // the only column's cells are the rows
      answer.setColumnarData(
          ColumnarRowBlockPB.newBuilder()
              .setNumRows(count)
              .addColumns(ColumnarRowBlockPB.Column.newBuilder().setDataSidecar(0)));
    } else {
      answer.setData(RowwiseRowBlockPB.newBuilder().setNumRows(count).setRowsSidecar(0));
    }
    return rows;
  }

  public static ByteString key(int value) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendInt(value, key);
    return ByteString.copyFrom(key.toByteArray());
  }

  private static TabletServerErrorPB error(TabletServerErrorPB.Code code, String text) {
    return FakeTabletServer.error(code, AppStatusPB.ErrorCode.NOT_FOUND, text);
  }

  private static void fail(RpcCall call, TabletServerErrorPB.Code code, String text) {
    call.respond(ScanResponsePB.newBuilder().setError(error(code, text)).build());
  }

  @Override
  public synchronized void keepAlive(ScannerKeepAliveRequestPB request, RpcCall call) {
    keepAlives++;
    ScannerKeepAliveResponsePB.Builder answer = ScannerKeepAliveResponsePB.newBuilder();
    if (!scanners.containsKey(request.getScannerId().toStringUtf8())) {
      answer.setError(error(TabletServerErrorPB.Code.SCANNER_EXPIRED, "Scanner not found"));
    }
    call.respond(answer.build());
  }

  /** Cuts a tablet in two at its middle. */
  @Override
  public synchronized void split(SplitKeyRangeRequestPB request, RpcCall call) {
    int[] tablet = tablets.get(request.getTabletId().toStringUtf8());
    ByteString middle = key((tablet[0] + tablet[1]) / 2);
    call.respond(
        SplitKeyRangeResponsePB.newBuilder()
            .addRanges(KeyRangePB.newBuilder().setStopPrimaryKey(middle).setSizeBytesEstimates(1))
            .addRanges(KeyRangePB.newBuilder().setStartPrimaryKey(middle).setSizeBytesEstimates(1))
            .build());
  }
}
