package dev.kudu4j.common.rpc;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.RemoteMethodPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.rpc.frame.FrameReader;
import dev.kudu4j.common.rpc.frame.FrameWriter;
import dev.kudu4j.common.rpc.frame.ResponseFrame;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A call of a client, from its start to its result. Owns the request's sidecars until they are
 * sent.
 */
@SuppressWarnings("FutureReturnValueIgnored") // failures reach the handler or the call
final class PendingCall<R extends Message> {
  private final String service;
  private final String method;
  private final Message request;
  private final Parser<R> parser;
  private final RpcCallOptions options;
  private final AtomicReference<@Nullable List<ByteBuf>> sidecars;
  private final long startNanos = System.nanoTime();
  private final CompletableFuture<RpcResponse<R>> future = new CompletableFuture<>();
  private int connectionsTried;
  private @Nullable KuduException
      lastConnectionEnd; // null unless a connection was closed before this call was sent

  PendingCall(
      String service,
      String method,
      Message request,
      Parser<R> parser,
      RpcCallOptions options,
      List<ByteBuf> sidecars) {
    this.service = service;
    this.method = method;
    this.request = request;
    this.parser = parser;
    this.options = options;
    this.sidecars = new AtomicReference<>(List.copyOf(sidecars));
    future.whenComplete((response, failure) -> releaseSidecars());
  }

  CompletableFuture<RpcResponse<R>> future() {
    return future;
  }

  boolean isDone() {
    return future.isDone();
  }

  boolean needsFeatures() {
    return !options.requiredFeatures().isEmpty();
  }

  boolean hasTimeout() {
    return options.timeoutMillis() > 0;
  }

  long nanosLeft() {
    long limit = TimeUnit.MILLISECONDS.toNanos(options.timeoutMillis());
    return limit - (System.nanoTime() - startNanos);
  }

  /** Counts one more connection that is tried for this call. Returns the count. */
  int countConnection() {
    return ++connectionsTried;
  }

  /** Records why a connection was closed before this call was sent. */
  void connectionEnded(KuduException cause) {
    lastConnectionEnd = cause;
  }

  @Nullable KuduException lastConnectionEnd() {
    return lastConnectionEnd;
  }

  String describe() {
    return service + "." + method;
  }

  /**
   * Encodes the request as a frame, in several buffers, which the caller then owns. The list is
   * empty if the call is already complete.
   */
  List<ByteBuf> encode(int callId, ByteBufAllocator allocator) {
    List<ByteBuf> taken = sidecars.getAndSet(null);
    if (taken == null) {
      return List.of();
    }
    try {
      RequestHeader.Builder header = header(callId);
      long bytes =
          FrameWriter.sidecarOffsets(request.getSerializedSize(), taken, header::addSidecarOffsets);
      List<ByteBuf> parts = new ArrayList<>(1 + taken.size());
      parts.add(FrameWriter.write(allocator, header.build(), request, Math.toIntExact(bytes)));
      parts.addAll(taken);
      return parts;
    } catch (RuntimeException e) {
      taken.forEach(ReferenceCountUtil::safeRelease);
      throw e;
    }
  }

  private RequestHeader.Builder header(int callId) {
    RequestHeader.Builder header =
        RequestHeader.newBuilder()
            .setCallId(callId)
            .setRemoteMethod(
                RemoteMethodPB.newBuilder().setServiceName(service).setMethodName(method));
    if (hasTimeout()) {
      header.setTimeoutMillis((int) Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanosLeft())));
    }
    options.requestId().ifPresent(id -> header.setRequestId(id.toWire()));
    return header.addAllRequiredFeatureFlags(options.requiredFeatures());
  }

  /** Completes the call with a response. Borrows the frame. */
  void complete(ResponseFrame frame) {
    try {
      if (frame.header().getIsError()) {
        fail(RpcException.fromWire(ErrorStatusPB.parseFrom(frame.message())));
      } else {
        succeed(frame);
      }
    } catch (IOException e) {
      fail(
          new KuduException(
              StatusCode.CORRUPTION,
              "Unreadable response to " + describe() + ": " + e.getMessage(),
              e));
    }
  }

  private void succeed(ResponseFrame frame) throws IOException {
    R message = FrameReader.parseAliased(frame.message(), parser);
    if (!message.isInitialized()) {
      throw new IOException("missing fields: " + message.getInitializationErrorString());
    }
    RpcResponse<R> response = new RpcResponse<>(message, frame.retainedSidecars());
    if (!future.complete(response)) {
      response.close(); // the call was cancelled concurrently
    }
  }

  void fail(KuduException cause) {
    future.completeExceptionally(cause);
  }

  private void releaseSidecars() {
    List<ByteBuf> unsent = sidecars.getAndSet(null);
    if (unsent != null) {
      unsent.forEach(ReferenceCountUtil::safeRelease);
    }
  }
}
