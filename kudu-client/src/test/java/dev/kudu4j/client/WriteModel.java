package dev.kudu4j.client;

import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcException;
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.common.schema.LittleEndian;
import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.RowOperationsWire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * A cluster with one table, range-partitioned by an INT32 key, that records all writes in the order
 * of their arrival. It fails at random: it is too busy or does not lead, loses responses after the
 * write, and replaces ranges by new ones with other bounds and ids. Each request takes effect once.
 *
 * <p>Column 0 is the key, column 1 an INT32 that identifies the version of a row.
 */
final class WriteModel implements AutoCloseable {
  static final int COVERED_KEYS = 64;

  private final RowLayout layout;
  private final Random random;
  private final boolean errs;
  private final FakeMaster master = FakeMaster.open();
  private final List<FakeTabletServer> servers = new ArrayList<>();
  private final ScheduledExecutorService late = Executors.newSingleThreadScheduledExecutor();
  private final TreeMap<Integer, Tablet> tablets = new TreeMap<>();
  private final Map<String, WriteResponsePB> answered = new HashMap<>();
  private final Map<Integer, List<Integer>> versions = new HashMap<>();
  private final Map<String, String> inFlight = new HashMap<>();
  private final Set<String> broken = new HashSet<>();
  private int nextTablet;
  private long timestamp = 1_000;
  private int writes;
  private int largestBatch;

  /** Keys from {@code start} to {@code end}. */
  private record Tablet(String id, int start, int end, FakeTabletServer server) {}

  WriteModel(Schema schema, long seed, boolean errs) {
    this.layout = RowLayout.of(schema);
    this.random = new Random(seed);
    this.errs = errs;
    for (int i = 0; i < 2; i++) {
      servers.add(FakeTabletServer.open("server" + i, this::write));
    }
    for (int start = 0; start < COVERED_KEYS; start += 16) {
      add(start, start + 16);
    }
  }

  String masterAddress() {
    return master.address().toString();
  }

  static boolean isRefused(int version) {
    return version % 17 == 3;
  }

  private void add(int start, int end) {
    String id = "tablet" + nextTablet++;
    Tablet tablet = new Tablet(id, start, end, servers.get(random.nextInt(servers.size())));
    tablets.put(start, tablet);
    master.addTablet(id, key(start), key(end), tablet.server());
  }

  private static byte[] key(int value) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendInt(value, key);
    return key.toByteArray();
  }

  /**
   * Drops a range and adds it again, sometimes as two halves, so that the locations cached by
   * clients are out of date. Keeps ranges with a write in flight: the client would repeat this
   * write, correctly.
   */
  private void reshape() {
    Tablet tablet = new ArrayList<>(tablets.values()).get(random.nextInt(tablets.size()));
    if (inFlight.containsKey(tablet.id())) {
      return;
    }
    synchronized (master) {
      tablets.remove(tablet.start());
      master.dropTablet(tablet.id());
      int middle = (tablet.start() + tablet.end()) / 2;
      if (tablet.end() - tablet.start() > 4 && random.nextBoolean()) {
        add(tablet.start(), middle);
        add(middle, tablet.end());
      } else {
        add(tablet.start(), tablet.end());
      }
    }
  }

  private synchronized void write(WriteRequestPB request, RpcCall call) {
    String tabletId = request.getTabletId().toStringUtf8();
    RpcRequestId id = call.requestId().orElseThrow();
    String name = id.clientId() + "/" + id.sequence();
    if (errs && random.nextInt(40) == 0) {
      reshape();
    }
    int chance = errs ? random.nextInt(20) : -1;
    if (chance == 0) {
      call.fail(tooBusy());
      return;
    } else if (chance == 1) {
      call.respond(
          error(
              TabletServerErrorPB.Code.UNKNOWN_ERROR,
              AppStatusPB.ErrorCode.ILLEGAL_STATE,
              "not the leader"));
      return;
    }
    WriteResponsePB response = answered.get(name);
    if (response == null) {
      Tablet tablet = find(tabletId);
      if (tablet == null) {
        call.respond(
            error(
                TabletServerErrorPB.Code.TABLET_NOT_FOUND,
                AppStatusPB.ErrorCode.NOT_FOUND,
                "Tablet not found"));
        return;
      }
      String other = inFlight.putIfAbsent(tabletId, name);
      if (other != null && !other.equals(name)) {
        broken.add("two batches in flight for " + tabletId);
      }
      response = apply(request, tablet);
      answered.put(name, response);
    }
    WriteResponsePB answer = response;
    if (chance == 2) {
      call.fail(tooBusy()); // the write has taken effect, but its response is lost
    } else if (errs && chance < 8) {
      late.schedule(
          () -> respond(call, tabletId, answer), random.nextInt(2_000), TimeUnit.MICROSECONDS);
    } else {
      inFlight.remove(tabletId);
      call.respond(answer);
    }
  }

  private synchronized void respond(RpcCall call, String tabletId, WriteResponsePB answer) {
    inFlight.remove(tabletId);
    call.respond(answer);
  }

  private Tablet find(String tabletId) {
    return tablets.values().stream().filter(t -> t.id().equals(tabletId)).findAny().orElse(null);
  }

  private WriteResponsePB apply(WriteRequestPB request, Tablet tablet) {
    WriteResponsePB.Builder response = WriteResponsePB.newBuilder().setTimestamp(++timestamp);
    RowOperationsReader reader =
        RowOperationsWire.fromWire(request.getRowOperations(), layout).reader();
    while (reader.next()) {
      int key = LittleEndian.getInt(reader.cellArray(0), reader.cellOffset(0));
      int version = LittleEndian.getInt(reader.cellArray(1), reader.cellOffset(1));
      if (key < tablet.start() || key >= tablet.end()) {
        broken.add("key " + key + " sent to " + tablet);
      }
      if (isRefused(version)) {
        response
            .addPerRowErrorsBuilder()
            .setRowIndex(reader.rowIndex())
            .setError(
                AppStatusPB.newBuilder()
                    .setCode(AppStatusPB.ErrorCode.ALREADY_PRESENT)
                    .setMessage("key already present"));
      } else {
        versions.computeIfAbsent(key, k -> new ArrayList<>()).add(version);
      }
    }
    writes++;
    largestBatch = Math.max(largestBatch, reader.rowIndex() + 1);
    return response.build();
  }

  private static RpcException tooBusy() {
    return new RpcException(
        RpcErrorCode.ERROR_SERVER_TOO_BUSY, StatusCode.SERVICE_UNAVAILABLE, "busy");
  }

  /** The response to a write that has not taken effect. */
  static WriteResponsePB error(
      TabletServerErrorPB.Code code, AppStatusPB.ErrorCode status, String message) {
    return WriteResponsePB.newBuilder()
        .setError(FakeTabletServer.error(code, status, message))
        .build();
  }

  /** The written versions of a row, in the order of the writes. */
  synchronized List<Integer> versionsOf(int key) {
    return List.copyOf(versions.getOrDefault(key, List.of()));
  }

  synchronized int rowCount() {
    return versions.values().stream().mapToInt(List::size).sum();
  }

  /** The rules that clients have broken. */
  synchronized Set<String> broken() {
    return Set.copyOf(broken);
  }

  synchronized int writes() {
    return writes;
  }

  synchronized int largestBatch() {
    return largestBatch;
  }

  @Override
  public void close() {
    master.close();
    servers.forEach(FakeTabletServer::close);
    late.shutdownNow();
  }
}
