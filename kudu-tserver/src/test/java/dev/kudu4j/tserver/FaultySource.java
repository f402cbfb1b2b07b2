package dev.kudu4j.tserver;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.BeginTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.DataChunkPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionRequestPB;
import dev.kudu4j.common.proto.copy.EndTabletCopySessionResponsePB;
import dev.kudu4j.common.proto.copy.FetchDataRequestPB;
import dev.kudu4j.common.proto.copy.FetchDataResponsePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcErrorCode;
import dev.kudu4j.common.rpc.RpcServer;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** Stands before the source of a copy: passes calls on, and spoils or refuses some. */
final class FaultySource implements AutoCloseable {
  private static final String SERVICE = "kudu.tserver.TabletCopyService";

  private final RpcServer server;
  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());
  private final Set<String> fetchedFiles = ConcurrentHashMap.newKeySet();
  private final AtomicInteger chunksLeft = new AtomicInteger(Integer.MAX_VALUE);
  private volatile InetSocketAddress behind;
  private volatile UnaryOperator<byte[]> spoil = UnaryOperator.identity();
  private volatile UnaryOperator<BeginTabletCopySessionResponsePB> forge = answer -> answer;
  private volatile UnaryOperator<String> trueName = name -> name;

  FaultySource(InetSocketAddress behind) {
    this.behind = behind;
    server =
        RpcServer.builder("faulty-source")
            .bindAddresses(List.of(new InetSocketAddress("127.0.0.1", 0)))
            .bind();
    server.register(
        RpcService.builder(SERVICE)
            .method(
                "BeginTabletCopySession",
                Access.SERVICE,
                BeginTabletCopySessionRequestPB.parser(),
                (rq, call) ->
                    pass(
                        "BeginTabletCopySession",
                        rq,
                        BeginTabletCopySessionResponsePB.parser(),
                        answer -> forge.apply(answer),
                        call))
            .method(
                "EndTabletCopySession",
                Access.SERVICE,
                EndTabletCopySessionRequestPB.parser(),
                (rq, call) ->
                    pass(
                        "EndTabletCopySession",
                        rq,
                        EndTabletCopySessionResponsePB.parser(),
                        answer -> answer,
                        call))
            .method("FetchData", Access.SERVICE, FetchDataRequestPB.parser(), this::fetch)
            .build());
    server.start();
  }

  InetSocketAddress address() {
    return server.boundAddresses().get(0);
  }

  /** The source has come back, elsewhere. */
  void standsBefore(InetSocketAddress other) {
    behind = other;
    chunksLeft.set(Integer.MAX_VALUE);
  }

  /** After so many chunks the source seems to be down. */
  void breaksDownAfter(int chunks) {
    chunksLeft.set(chunks);
  }

  boolean isDown() {
    return chunksLeft.get() <= 0;
  }

  /** What becomes of the bytes of a chunk, whose checksum stays. */
  void spoils(UnaryOperator<byte[]> how) {
    spoil = how;
  }

  /**
   * Lies about what there is to copy.
   *
   * @param how the offer is changed
   * @param names of files as the true source knows them, by those that the changed offer has
   */
  void forges(UnaryOperator<BeginTabletCopySessionResponsePB> how, UnaryOperator<String> names) {
    forge = how;
    trueName = names;
  }

  /** Files of which something was sent since the last call. */
  Set<String> takeFetchedFiles() {
    Set<String> taken = Set.copyOf(fetchedFiles);
    fetchedFiles.clear();
    return taken;
  }

  private void fetch(FetchDataRequestPB request, RpcCall call) {
    if (chunksLeft.get() <= 0 || chunksLeft.getAndDecrement() <= 0) {
      call.fail(RpcErrorCode.ERROR_UNAVAILABLE, "Service unavailable: down");
      return;
    }
    fetchedFiles.add(request.getDataId().getFileName());
    client
        .call(
            behind,
            SERVICE,
            "FetchData",
            request.toBuilder()
                .setDataId(
                    request.getDataId().toBuilder()
                        .setFileName(trueName.apply(request.getDataId().getFileName())))
                .build(),
            FetchDataResponsePB.parser(),
            RpcCallOptions.timeoutMillis(60_000))
        .whenComplete(
            (response, failure) -> {
              if (failure != null) {
                call.fail(failure.getCause() == null ? failure : failure.getCause());
                return;
              }
              try (response) {
                DataChunkPB chunk = response.message().getChunk();
                byte[] bytes = spoil.apply(chunk.getData().toByteArray());
                call.respond(
                    FetchDataResponsePB.newBuilder()
                        .setChunk(chunk.toBuilder().setData(ByteString.copyFrom(bytes)))
                        .build());
              }
            });
  }

  private <R extends Message> void pass(
      String method, Message request, Parser<R> parser, UnaryOperator<R> change, RpcCall call) {
    if (isDown()) {
      call.fail(RpcErrorCode.ERROR_UNAVAILABLE, "Service unavailable: down");
      return;
    }
    client
        .call(behind, SERVICE, method, request, parser, RpcCallOptions.timeoutMillis(60_000))
        .whenComplete(
            (response, failure) -> {
              if (failure != null) {
                call.fail(failure.getCause() == null ? failure : failure.getCause());
                return;
              }
              try (response) {
                call.respond(change.apply(response.message()));
              }
            });
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
