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

/** A proxy in front of the source of a copy: forwards calls, and changes or rejects some. */
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

  /** Forwards calls to another address from now on. */
  void standsBefore(InetSocketAddress other) {
    behind = other;
    chunksLeft.set(Integer.MAX_VALUE);
  }

  /** Rejects connections after this many chunks, as if the source were down. */
  void breaksDownAfter(int chunks) {
    chunksLeft.set(chunks);
  }

  boolean isDown() {
    return chunksLeft.get() <= 0;
  }

  /** Changes the bytes of chunks, but not their checksums. */
  void spoils(UnaryOperator<byte[]> how) {
    spoil = how;
  }

  /**
   * Changes the source's offer.
   *
   * @param how changes the offer
   * @param names names of files at the true source, by their names in the changed offer
   */
  void forges(UnaryOperator<BeginTabletCopySessionResponsePB> how, UnaryOperator<String> names) {
    forge = how;
    trueName = names;
  }

  /** Files of which data were sent since the last call. */
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
