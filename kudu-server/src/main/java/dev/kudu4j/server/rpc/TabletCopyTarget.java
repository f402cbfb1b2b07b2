package dev.kudu4j.server.rpc;

import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;

/** Copies replicas from other servers to this one. Thread-safe. */
@FunctionalInterface
public interface TabletCopyTarget {
  /** Rejects all requests, for a server that accepts no copies. */
  TabletCopyTarget NONE =
      (request, call) ->
          call.respond(
              StartTabletCopyResponsePB.newBuilder()
                  .setError(
                      TabletServerErrorPB.newBuilder()
                          .setCode(TabletServerErrorPB.Code.UNKNOWN_ERROR)
                          .setStatus(
                              StatusWire.toWire(
                                  StatusCode.NOT_SUPPORTED,
                                  "This server does not accept tablet copies")))
                  .build());

  /**
   * Rejects the request, or begins a copy and answers when the copy has begun. The caller has
   * checked that the request is meant for this server.
   */
  void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call);
}
