package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.replica.members.TabletCopyRequests;
import dev.kudu4j.server.rpc.PeerAddresses;
import dev.kudu4j.server.rpc.ServerIdentity;
import java.util.concurrent.CompletableFuture;

/** Asks other servers, with StartTabletCopy, to copy a tablet from this server. Thread-safe. */
public final class PeerTabletCopyRequests implements TabletCopyRequests, AutoCloseable {
  private static final String SERVICE = "kudu.consensus.ConsensusService";

  /**
   * Long enough for a flush on this server: the response arrives when the copy has begun, and a
   * copy may begin with a flush.
   */
  private static final int TIMEOUT_MILLIS = 15_000;

  private final ServerIdentity identity;
  private final PeerAddresses addresses;
  private final RpcClient client;

  public PeerTabletCopyRequests(
      ServerIdentity identity, PeerAddresses addresses, RpcClientOptions calls) {
    this.client = new RpcClient(calls);
    this.identity = identity;
    this.addresses = addresses;
  }

  @Override
  public CompletableFuture<Answer> ask(Request request) {
    addresses.addFromConfiguration(request.serverUuid(), request.rpcAddress());
    HostPort address = addresses.find(request.serverUuid()).orElse(null);
    if (address == null) {
      return CompletableFuture.failedFuture(
          KuduException.serviceUnavailable(
              "The RPC address of server %s is unknown", request.serverUuid()));
    }
    StartTabletCopyRequestPB message =
        StartTabletCopyRequestPB.newBuilder()
            .setTabletId(ByteString.copyFromUtf8(request.tabletId()))
            .setDestUuid(ByteString.copyFromUtf8(request.serverUuid()))
            .setCopyPeerUuid(ByteString.copyFromUtf8(identity.uuid()))
            .setCopyPeerAddr(ServerIdentity.toWire(identity.rpcAddresses().get(0)))
            .setCallerTerm(request.term())
            .build();
    return client
        .call(
            address.unresolved(),
            SERVICE,
            "StartTabletCopy",
            message,
            StartTabletCopyResponsePB.parser(),
            RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS))
        .thenApply(response -> answer(request, response))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                addresses.failed(request.serverUuid(), address);
              }
            });
  }

  private static Answer answer(Request request, RpcResponse<StartTabletCopyResponsePB> response) {
    try (response) {
      StartTabletCopyResponsePB message = response.message();
      String raftAddress =
          message.hasRaftAddr()
              ? HostPort.fromWire("raft_addr", message.getRaftAddr()).toString()
              : "";
      if (!message.hasError()) {
        return new Answer(Progress.COPYING, raftAddress);
      }
      return switch (message.getError().getCode()) {
        case ALREADY_INPROGRESS, THROTTLED -> new Answer(Progress.COPYING, raftAddress);
        case TABLET_ALREADY_EXISTS -> new Answer(Progress.RUNS, raftAddress);
        default -> throw refusal(request, message.getError());
      };
    }
  }

  private static KuduException refusal(Request request, TabletServerErrorPB error) {
    return KuduException.serviceUnavailable(
        "Server %s does not copy tablet %s: %s",
        request.serverUuid(), request.tabletId(), error.getStatus().getMessage());
  }

  @Override
  public void close() {
    client.close();
  }
}
