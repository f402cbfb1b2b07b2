package dev.kudu4j.tserver.copy;

import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.rpc.TabletCopyTarget;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.tablets.CopyLifeCycle;
import dev.kudu4j.tserver.tablets.CopyProgress;
import dev.kudu4j.tserver.tablets.HostedTablet;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers StartTabletCopy: rejects it, or starts a copy and answers when the source has provided a
 * checkpoint. Limits the number of copies that run at a time. Thread-safe.
 */
final class CopyTarget implements TabletCopyTarget {
  private final TabletCopy.Settings settings;
  private final CopyLifeCycle copies;
  private final RpcClient client;
  private final HostPortPB raftAddress;
  private final CopyMeters meters;
  private final ExecutorService executor;
  private final Semaphore permits;
  private final LongSupplier nanoTime;

  /**
   * @param raftAddress this server's Raft address, which each response contains for the leader
   * @param executor runs each copy, which occupies a thread
   * @param max the maximum number of copies at a time
   */
  CopyTarget(
      TabletCopy.Settings settings,
      CopyLifeCycle copies,
      RpcClient client,
      HostPortPB raftAddress,
      CopyMeters meters,
      ExecutorService executor,
      int max,
      LongSupplier nanoTime) {
    this.settings = settings;
    this.copies = copies;
    this.client = client;
    this.raftAddress = raftAddress;
    this.meters = meters;
    this.executor = executor;
    this.permits = new Semaphore(max);
    this.nanoTime = nanoTime;
  }

  @Override
  public void startTabletCopy(StartTabletCopyRequestPB request, RpcCall call) {
    if (!permits.tryAcquire()) {
      answer(call, full(request));
      return;
    }
    executor.execute(
        () -> {
          try {
            copy(request, call);
          } finally {
            permits.release();
          }
        });
  }

  private static TabletServerError full(StartTabletCopyRequestPB request) {
    return new TabletServerError(
        TabletServerErrorPB.Code.THROTTLED,
        StatusCode.SERVICE_UNAVAILABLE,
        "The maximum number of tablets is being copied to this server; request tablet "
            + UntrustedText.format(request.getTabletId())
            + " later");
  }

  private void copy(StartTabletCopyRequestPB request, RpcCall call) {
    TabletCopy copy;
    try {
      String sourceUuid = HexId.require("copy_peer_uuid", request.getCopyPeerUuid());
      HostPort address = HostPort.fromWire("copy_peer_addr", request.getCopyPeerAddr());
      HostedTablet hosted =
          copies.begin(
              HexId.require("tablet_id", request.getTabletId()),
              request.getCallerTerm(),
              new CopyProgress(sourceUuid, nanoTime.getAsLong()));
      copy =
          new TabletCopy(
              settings,
              copies,
              new CopySource(client, sourceUuid, address),
              hosted,
              request.getCallerTerm() == Long.MAX_VALUE,
              meters,
              nanoTime);
    } catch (IOException | RuntimeException e) {
      answer(call, e);
      return;
    }
    copy.begun().whenComplete((done, failure) -> answer(call, failure));
    copy.run();
  }

  private void answer(RpcCall call, @Nullable Throwable failure) {
    StartTabletCopyResponsePB.Builder reply =
        StartTabletCopyResponsePB.newBuilder().setRaftAddr(raftAddress);
    if (failure == null) {
      call.respond(reply.build());
    } else {
      TabletServerError.answer(call, failure, error -> call.respond(reply.setError(error).build()));
    }
  }
}
