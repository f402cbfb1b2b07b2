package dev.kudu4j.client.cluster;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.tserver.PingRequestPB;
import dev.kudu4j.common.proto.tserver.PingResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RequestId;
import dev.kudu4j.common.rpc.RpcService;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tablet server that leads all of its tablets, or errs in the way it was told. */
public final class FakeTabletServer extends FakeServer {
  private final String uuid;
  private final List<RequestId> requestIds = new CopyOnWriteArrayList<>();
  private volatile TabletServerErrorPB error;

  private FakeTabletServer(String uuid) {
    this.uuid = uuid;
  }

  public static FakeTabletServer open(String uuid) {
    return (FakeTabletServer) new FakeTabletServer(uuid).start();
  }

  public String uuid() {
    return uuid;
  }

  /** Every write is answered with this error from now on. */
  public FakeTabletServer err(
      TabletServerErrorPB.Code code, AppStatusPB.ErrorCode status, String text) {
    error =
        TabletServerErrorPB.newBuilder()
            .setCode(code)
            .setStatus(AppStatusPB.newBuilder().setCode(status).setMessage(text))
            .build();
    return this;
  }

  /** As published servers say that they do not lead. */
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

  /** The names of the writes that came, in order. */
  public List<RequestId> requestIds() {
    return requestIds;
  }

  public int writes() {
    return calls("Write");
  }

  @Override
  RpcService service() {
    RpcService.Builder service = RpcService.builder(ServerLinks.TABLET_SERVICE);
    add(
        service,
        "Ping",
        PingRequestPB.parser(),
        (request, call) -> call.respond(PingResponsePB.getDefaultInstance()));
    add(
        service,
        "Write",
        WriteRequestPB.parser(),
        (request, call) -> {
          call.requestId().ifPresent(requestIds::add);
          TabletServerErrorPB now = error;
          call.respond(
              now == null
                  ? WriteResponsePB.newBuilder().setTimestamp(1).build()
                  : WriteResponsePB.newBuilder().setError(now).build());
        });
    return service.build();
  }
}
