package dev.kudu4j.tserver.copy;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.id.HexId;
import dev.kudu4j.common.id.UntrustedText;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.CopiedFilePB;
import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.proto.copy.DataIdPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.FetchDataRequestPB;
import dev.kudu4j.common.proto.copy.FetchDataResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.tablet.log.LogPosition;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** The target's client of the server that is the source of a copy. Thread-safe. */
final class CopySource {
  /** The timeout is long because the source may flush the tablet before it answers. */
  private static final int BEGIN_TIMEOUT_MILLIS = 60_000;

  /** The timeout allows for the time that a chunk waits in the source's throttle. */
  private static final int FETCH_TIMEOUT_MILLIS = 30_000;

  private static final int END_TIMEOUT_MILLIS = 5_000;

  private final RpcClient client;
  private final String uuid;
  private final HostPort address;

  /**
   * @param uuid the server that must answer at {@code address}
   */
  CopySource(RpcClient client, String uuid, HostPort address) {
    this.client = client;
    this.uuid = uuid;
    this.address = address;
  }

  String uuid() {
    return uuid;
  }

  /**
   * The checkpoint that the source provides while the session exists.
   *
   * @param files the length of each file, by name
   * @param lastLogged the last entry of the source's log
   */
  record Offer(
      BeginTabletCopySessionResponsePB message,
      SuperblockPB superblock,
      Map<String, Long> files,
      LogPosition lastLogged) {
    ByteString sessionId() {
      return message.getSessionId();
    }

    long bytes() {
      return files.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /**
   * Begins a session.
   *
   * @param requestorUuid this server
   * @throws KuduException the failure of the source, or a network error
   */
  Offer begin(String requestorUuid, String tabletId) {
    BeginTabletCopySessionRequestPB request =
        BeginTabletCopySessionRequestPB.newBuilder()
            .setRequestorUuid(ByteString.copyFromUtf8(requestorUuid))
            .setTabletId(ByteString.copyFromUtf8(tabletId))
            .build();
    BeginTabletCopySessionResponsePB answer =
        join(
            call(
                "BeginTabletCopySession",
                request,
                BeginTabletCopySessionResponsePB.parser(),
                BEGIN_TIMEOUT_MILLIS));
    String found = answer.getResponderUuid().toStringUtf8();
    if (!found.equals(uuid)) {
      throw KuduException.notFound(
          "The server at %s is %s, not %s", address, UntrustedText.format(found), uuid);
    }
    return offer(answer, tabletId);
  }

  private Offer offer(BeginTabletCopySessionResponsePB answer, String tabletId) {
    if (!answer.hasCheckpoint()) {
      throw KuduException.notSupported(
          "Server %s at %s sent Apache Kudu's blocks, which this server cannot read",
          uuid, address);
    }
    SuperblockPB superblock;
    try {
      superblock = SuperblockPB.parseFrom(answer.getCheckpoint());
    } catch (InvalidProtocolBufferException e) {
      throw KuduException.corruption(
          "Invalid superblock from server %s: %s", uuid, String.valueOf(e.getMessage()));
    }
    SuperblockMessages.checkNames(superblock, "server " + uuid);
    Map<String, Long> files = new HashMap<>();
    for (CopiedFilePB file : answer.getFilesList()) {
      files.put(file.getName(), file.getBytes());
    }
    HexId.require("table_id of the superblock", superblock.getTableId());
    if (!superblock.getTabletId().equals(tabletId)
        || !files.keySet().equals(SuperblockMessages.fileNames(superblock))) {
      throw KuduException.corruption(
          "The superblock from server %s is of tablet %s, or names other files than the session",
          uuid, UntrustedText.format(superblock.getTabletId()));
    }
    return new Offer(
        answer,
        superblock,
        Map.copyOf(files),
        new LogPosition(answer.getLastLogged().getTerm(), answer.getLastLogged().getIndex()));
  }

  /** Requests a part of a file. */
  CompletableFuture<DataChunkPB> fetch(Offer offer, String file, long offset, int length) {
    FetchDataRequestPB request =
        FetchDataRequestPB.newBuilder()
            .setSessionId(offer.sessionId())
            .setDataId(DataIdPB.newBuilder().setType(DataIdPB.IdType.BLOCK).setFileName(file))
            .setOffset(offset)
            .setMaxLength(length)
            .build();
    return call("FetchData", request, FetchDataResponsePB.parser(), FETCH_TIMEOUT_MILLIS)
        .thenApply(FetchDataResponsePB::getChunk);
  }

  /**
   * Ends a session; does not wait for the response.
   *
   * @param failure null after success
   */
  void end(Offer offer, @Nullable KuduException failure) {
    EndTabletCopySessionRequestPB.Builder request =
        EndTabletCopySessionRequestPB.newBuilder()
            .setSessionId(offer.sessionId())
            .setIsSuccess(failure == null);
    if (failure != null) {
      request.setError(StatusWire.toWire(failure));
    }
    call(
            "EndTabletCopySession",
            request.build(),
            EndTabletCopySessionResponsePB.parser(),
            END_TIMEOUT_MILLIS)
        // If the request is lost, the source ends the session after its idle timeout.
        .exceptionally(unreachable -> null);
  }

  private <R extends Message> CompletableFuture<R> call(
      String method, Message request, Parser<R> parser, int timeoutMillis) {
    return client
        .call(
            address.unresolved(),
            TabletCopyService.NAME,
            method,
            request,
            parser,
            RpcCallOptions.timeoutMillis(timeoutMillis))
        .thenApply(CopySource::message);
  }

  private static <R extends Message> R message(RpcResponse<R> response) {
    try (response) {
      return response.message();
    }
  }

  /** Waits for a response; rethrows the failure of the call. */
  static <R> R join(CompletableFuture<R> answer) {
    try {
      return answer.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KuduException known
          ? known
          : new KuduException(StatusCode.NETWORK_ERROR, String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "The copy was interrupted", e);
    }
  }
}
