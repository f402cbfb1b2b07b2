package dev.kudu4j.server.rpc;

import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;

/** A server that takes replicas from others. Thread-safe. */
@FunctionalInterface
public interface TabletCopyTarget {
  /** A server that does not. */
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
                                  "This server has no tablets that could be copied")))
                  .build());

  /**
   * Refuses, or begins a copy and answers when it has begun. The request is meant for this server.
   */
  void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call);
}
