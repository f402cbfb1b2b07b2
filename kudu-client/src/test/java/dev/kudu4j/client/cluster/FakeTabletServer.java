package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.tserver.PingRequestPB;
import dev.kudu4j.common.proto.tserver.PingResponsePB;
import dev.kudu4j.common.proto.tserver.ScanRequestPB;
import dev.kudu4j.common.proto.tserver.ScannerKeepAliveRequestPB;
import dev.kudu4j.common.proto.tserver.SplitKeyRangeRequestPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.TabletServerFeatures;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcHandler;
import dev.kudu4j.common.rpc.RpcRequestId;
import dev.kudu4j.common.rpc.RpcService;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tablet server that leads all of its tablets, or fails in the configured way. */
public final class FakeTabletServer extends FakeServer {
  private final String uuid;
  private final List<RpcRequestId> requestIds = new CopyOnWriteArrayList<>();
  private volatile TabletServerErrorPB error;
  private volatile ScanHandler scans;
  private int[] features = {1, 5, 6};

  /** Handles the scan calls of clients. */
  public interface ScanHandler {
    void scan(ScanRequestPB request, RpcCall call);

    void keepAlive(ScannerKeepAliveRequestPB request, RpcCall call);

    void split(SplitKeyRangeRequestPB request, RpcCall call);
  }

  private final RpcHandler<WriteRequestPB> writes;

  private FakeTabletServer(String uuid, RpcHandler<WriteRequestPB> writes) {
    this.uuid = uuid;
    this.writes = writes == null ? this::write : writes;
  }

  public static FakeTabletServer open(String uuid) {
    return open(uuid, null);
  }

  /** A server that does not know the columnar layout. */
  public static FakeTabletServer openOlder(String uuid) {
    FakeTabletServer server = new FakeTabletServer(uuid, null);
    server.features = new int[] {1, 6};
    return (FakeTabletServer) server.start();
  }

  /** A server that knows scans of given keys, as ours do and Apache Kudu's do not. */
  public static FakeTabletServer openOurs(String uuid) {
    FakeTabletServer server = new FakeTabletServer(uuid, null);
    server.features = new int[] {1, 5, 6, TabletServerFeatures.PRIMARY_KEYS_VALUE};
    return (FakeTabletServer) server.start();
  }

  /** A Kudu4j server of a version that knows conditions and aggregations, but no samples. */
  public static FakeTabletServer openBeforeSamples(String uuid) {
    FakeTabletServer server = new FakeTabletServer(uuid, null);
    server.features =
        new int[] {
          1,
          5,
          6,
          TabletServerFeatures.PRIMARY_KEYS_VALUE,
          TabletServerFeatures.CONDITIONS_VALUE,
          TabletServerFeatures.AGGREGATION_VALUE,
          TabletServerFeatures.TOP_N_VALUE
        };
    return (FakeTabletServer) server.start();
  }

  /** A server that passes writes to the test's handler. */
  public static FakeTabletServer open(String uuid, RpcHandler<WriteRequestPB> writes) {
    return (FakeTabletServer) new FakeTabletServer(uuid, writes).start();
  }

  public FakeTabletServer scans(ScanHandler value) {
    scans = value;
    return this;
  }

  /** Restarts on the same port after a stop. */
  public void restart() {
    start();
  }

  public String uuid() {
    return uuid;
  }

  /** Every write is answered with this error from now on. */
  public FakeTabletServer err(
      TabletServerErrorPB.Code code, AppStatusPB.ErrorCode status, String text) {
    error = error(code, status, text);
    return this;
  }

  /** An error response of a tablet server. */
  public static TabletServerErrorPB error(
      TabletServerErrorPB.Code code, AppStatusPB.ErrorCode status, String text) {
    return TabletServerErrorPB.newBuilder()
        .setCode(code)
        .setStatus(AppStatusPB.newBuilder().setCode(status).setMessage(text))
        .build();
  }

  /** From now on, writes fail with the error of Apache Kudu's servers that do not lead. */
  public FakeTabletServer follow() {
    return err(
        TabletServerErrorPB.Code.UNKNOWN_ERROR,
        AppStatusPB.ErrorCode.ILLEGAL_STATE,
        "replica is not leader");
  }

  public FakeTabletServer lead() {
    error = null;
    return this;
  }

  /** The ids of the received writes, in order. */
  public List<RpcRequestId> requestIds() {
    return requestIds;
  }

  public int writes() {
    return calls("Write");
  }

  @Override
  RpcService service() {
    RpcService.Builder service = RpcService.builder(ServerLinkCache.TABLET_SERVICE);
    add(
        service,
        "Ping",
        PingRequestPB.parser(),
        (request, call) -> call.respond(PingResponsePB.getDefaultInstance()));
    add(service, "Write", WriteRequestPB.parser(), writes);
    service.features(features);
    add(service, "Scan", ScanRequestPB.parser(), (request, call) -> scans.scan(request, call));
    add(
        service,
        "ScannerKeepAlive",
        ScannerKeepAliveRequestPB.parser(),
        (request, call) -> scans.keepAlive(request, call));
    add(
        service,
        "SplitKeyRange",
        SplitKeyRangeRequestPB.parser(),
        (request, call) -> scans.split(request, call));
    return service.build();
  }

  private void write(WriteRequestPB request, RpcCall call) {
    call.requestId().ifPresent(requestIds::add);
    TabletServerErrorPB now = error;
    call.respond(
        now == null
            ? WriteResponsePB.newBuilder().setTimestamp(1).build()
            : WriteResponsePB.newBuilder().setError(now).build());
  }
}
