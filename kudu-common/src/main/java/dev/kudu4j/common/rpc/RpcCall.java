package dev.kudu4j.common.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.ResponseHeader;
import dev.kudu4j.common.rpc.frame.FrameReader;
import dev.kudu4j.common.rpc.frame.FrameWriter;
import dev.kudu4j.common.rpc.frame.RequestFrame;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.thread.WouldBlock;
import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A call on a server, from arrival to response. The handler responds once, from any thread, with
 * one of {@code respond} and {@code fail}; a second response is dropped.
 *
 * <p>The frame of the call is charged to the connection's {@link
 * dev.kudu4j.common.rpc.frame.InboundAccount} until the call is answered or, if the connection is
 * closed, until no worker thread uses the call.
 *
 * <p>Thread-safe.
 */
public final class RpcCall {
  private static final Logger log = LoggerFactory.getLogger(RpcCall.class);

  private final ServerConnection connection;
  private final RequestHeader header;
  private final List<ByteString> sidecars;
  private final int requestBytes;
  private final long receivedNanos = System.nanoTime();
  private final AtomicBoolean answered = new AtomicBoolean();
  private final CallCancellation cancellation = new CallCancellation();
  private volatile @Nullable ByteString message; // null once a worker thread has started the call
  private volatile long startedNanos;
  private final AtomicBoolean frameReleased = new AtomicBoolean();
  private long parsedBytes; // guarded by this
  private volatile boolean heldByWorker = true; // queued for a worker thread, or running on one
  private volatile boolean connectionClosed;

  private final @Nullable CallTimeline timeline;
  private ServiceCalls.@Nullable Handling handling; // set before the call is passed to a thread

  /**
   * @param timeline records the stages of the call; null if the call is not sampled
   */
  RpcCall(ServerConnection connection, RequestFrame frame, @Nullable CallTimeline timeline) {
    this.timeline = timeline;
    this.connection = connection;
    this.header = frame.header();
    this.message = frame.message();
    this.sidecars = frame.sidecars();
    this.requestBytes = frame.frameBytes();
  }

  public String service() {
    return header.getRemoteMethod().getServiceName();
  }

  public String method() {
    return header.getRemoteMethod().getMethodName();
  }

  public Caller caller() {
    return connection.caller();
  }

  /**
   * Present if the call must take effect exactly once, even if it is retried.
   *
   * @throws KuduException INVALID_ARGUMENT for an invalid client id
   */
  public Optional<RpcRequestId> requestId() {
    return header.hasRequestId()
        ? Optional.of(RpcRequestId.fromWire(header.getRequestId()))
        : Optional.empty();
  }

  /** Raw bytes after the request, as views of the request's frame. Current clients send none. */
  public List<ByteString> sidecars() {
    return sidecars;
  }

  /** Length of the request's frame. Keeping any part of the request keeps this many heap bytes. */
  public int requestBytes() {
    return requestBytes;
  }

  /** When the call arrived, on the scale of {@link System#nanoTime}. */
  public long receivedNanos() {
    return receivedNanos;
  }

  /** Time that the call waited for a worker thread; 0 while it waits. */
  public long queuedNanos() {
    return startedNanos == 0 ? 0 : startedNanos - receivedNanos;
  }

  /**
   * Time at which the caller stops waiting, on the scale of {@link System#nanoTime}; empty if
   * never.
   */
  public OptionalLong deadlineNanos() {
    long timeoutMillis = Integer.toUnsignedLong(header.getTimeoutMillis());
    return timeoutMillis == 0
        ? OptionalLong.empty()
        : OptionalLong.of(receivedNanos + TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
  }

  /** Whether the caller no longer waits: the connection is closed, or the deadline has passed. */
  public boolean isCancelled() {
    return cancellation.isCancelled() || isExpired();
  }

  /**
   * Runs {@code listener} once when the caller stops waiting, or immediately if it already has. It
   * runs on an event loop, so it must not block. It does not run if the call is answered first.
   */
  public void onCancel(Runnable listener) {
    cancellation.add(listener);
    deadlineNanos().ifPresent(deadline -> connection.cancelAt(deadline, this));
  }

  /**
   * Runs the rest of a handler on a thread that may block: on the current thread, or, if it must
   * not block, later on another thread. The handler calls it on its own thread, last, and at most
   * once.
   */
  public void runBlocking(Runnable rest) {
    if (!WouldBlock.isForbidden()) {
      rest.run();
      return;
    }
    assert handling != null : "a handler runs only after the call was admitted";
    handling.moveOn(rest);
  }

  /** Records the stages of the call; null if the call is not sampled. */
  public @Nullable CallTimeline timeline() {
    return timeline;
  }

  void reached(CallTimeline.Stage stage) {
    if (timeline != null) {
      timeline.reached(stage);
    }
  }

  boolean isStarted() {
    return startedNanos != 0;
  }

  void handling(ServiceCalls.Handling value) {
    handling = value;
  }

  /** Sends the response of the method. */
  public void respond(Message reply) {
    respond(reply, List.of());
  }

  /**
   * Sends the response of the method. Takes the sidecars: they are released after they are sent or
   * discarded.
   */
  public void respond(Message reply, List<ByteBuf> replySidecars) {
    if (!beginAnswer()) {
      replySidecars.forEach(ReferenceCountUtil::safeRelease);
      log.warn("Second response to {}.{} dropped", service(), method());
      return;
    }
    List<ByteBuf> unsent = replySidecars;
    try {
      ByteBuf head = encodeReply(reply, replySidecars);
      unsent = List.of();
      send(head, replySidecars, false);
    } catch (RuntimeException | OutOfMemoryError e) {
      unsent.forEach(ReferenceCountUtil::safeRelease);
      sendError(internalError(e));
    }
  }

  private ByteBuf encodeReply(Message reply, List<ByteBuf> replySidecars) {
    ResponseHeader.Builder builder = responseHeader(false);
    long sidecarBytes =
        FrameWriter.sidecarOffsets(
            reply.getSerializedSize(), replySidecars, builder::addSidecarOffsets);
    ResponseHeader responseHeader = builder.build();
    long frameBytes = FrameWriter.frameBytes(responseHeader, reply, sidecarBytes);
    if (frameBytes > connection.maxFrameBytes()) {
      throw new KuduException(
          StatusCode.INCOMPLETE,
          String.format(
              "Response to %s.%s has %d bytes, which exceeds the maximum frame of %d bytes;"
                  + " request less data at a time",
              service(), method(), frameBytes, connection.maxFrameBytes()));
    }
    return FrameWriter.write(connection.allocator(), responseHeader, reply, (int) sidecarBytes);
  }

  /**
   * Fails the call with an RPC error.
   *
   * @param text sent to the caller unchanged; by convention {@code <status prefix>: <detail>}
   */
  public void fail(RpcErrorCode code, String text) {
    answerError(ErrorStatusPB.newBuilder().setMessage(text).setCode(code.wire()).build());
  }

  /**
   * Fails the call with an RPC error. The error has the code of an {@link RpcException}, the
   * retriable code "unavailable" for {@link StatusCode#SERVICE_UNAVAILABLE}, or else the code of an
   * application error, which clients do not retry.
   */
  public void fail(KuduException cause) {
    if (cause.code().category() == StatusCode.Category.INTERNAL) {
      log.error("{}.{} failed", service(), method(), cause);
    }
    answerError(errorOf(cause));
  }

  /**
   * Fails the call with an exception. An exception other than {@link KuduException} is logged, and
   * the caller gets no details.
   */
  public void fail(Throwable cause) {
    if (cause instanceof KuduException known) {
      fail(known);
    } else if (!beginAnswer()) {
      log.error("{}.{} failed after its response", service(), method(), cause);
    } else {
      sendError(internalError(cause));
    }
  }

  private static ErrorStatusPB errorOf(KuduException cause) {
    if (cause instanceof RpcException rpc) {
      return rpc.toWire();
    }
    RpcErrorCode code =
        cause.code() == StatusCode.SERVICE_UNAVAILABLE
            ? RpcErrorCode.ERROR_UNAVAILABLE
            : RpcErrorCode.ERROR_APPLICATION;
    return ErrorStatusPB.newBuilder().setMessage(cause.describe()).setCode(code.wire()).build();
  }

  private ErrorStatusPB internalError(Throwable cause) {
    if (cause instanceof KuduException known) {
      return errorOf(known);
    }
    log.error("{}.{} failed", service(), method(), cause);
    String text =
        String.format(
            "%s: %s.%s failed inside the server (%s); see the log of the server",
            StatusCode.RUNTIME_ERROR.prefix(),
            service(),
            method(),
            cause.getClass().getSimpleName());
    return ErrorStatusPB.newBuilder()
        .setMessage(text)
        .setCode(RpcErrorCode.ERROR_APPLICATION.wire())
        .build();
  }

  private void answerError(ErrorStatusPB error) {
    if (beginAnswer()) {
      sendError(error);
    }
  }

  private boolean beginAnswer() {
    boolean first = answered.compareAndSet(false, true);
    if (first) {
      reached(CallTimeline.Stage.ANSWERED);
      releaseFrame();
    }
    return first;
  }

  private void sendError(ErrorStatusPB error) {
    connection.metrics().callFailed(service(), method(), RpcErrorCode.of(error.getCode()));
    ResponseHeader responseHeader = responseHeader(true).build();
    send(FrameWriter.write(connection.allocator(), responseHeader, error, 0), List.of(), true);
  }

  private ResponseHeader.Builder responseHeader(boolean error) {
    return ResponseHeader.newBuilder().setCallId(callId()).setIsError(error);
  }

  private void send(ByteBuf head, List<ByteBuf> replySidecars, boolean error) {
    List<ByteBuf> parts = new ArrayList<>(1 + replySidecars.size());
    parts.add(head);
    parts.addAll(replySidecars);
    long bytes = 0;
    for (ByteBuf part : parts) {
      bytes += part.readableBytes();
    }
    if (startedNanos != 0) {
      long handlerNanos = System.nanoTime() - startedNanos;
      connection.metrics().callAnswered(service(), method(), handlerNanos, bytes, error);
      connection.answered(this, handlerNanos);
    }
    connection.send(this, parts, bytes);
  }

  int callId() {
    return header.getCallId();
  }

  List<Integer> requiredFeatures() {
    return header.getRequiredFeatureFlagsList();
  }

  ServerConnection connection() {
    return connection;
  }

  ConnectionView.CallView view() {
    long nanos = System.nanoTime() - receivedNanos;
    return new ConnectionView.CallView(service(), method(), nanos, startedNanos != 0);
  }

  boolean isConnectionClosed() {
    return cancellation.isCancelled() && !isExpired();
  }

  boolean isExpired() {
    OptionalLong deadline = deadlineNanos();
    return deadline.isPresent() && System.nanoTime() - deadline.getAsLong() >= 0;
  }

  /**
   * Returns the bytes of the request. The call drops its reference to them, so that a call whose
   * handler responds later does not retain them. May be called once.
   */
  ByteString start() {
    startedNanos = System.nanoTime();
    reached(CallTimeline.Stage.STARTED);
    connection.metrics().callStarted(service(), method(), startedNanos - receivedNanos);
    ByteString taken = message;
    assert taken != null : "a pool starts each call once";
    message = null;
    return taken;
  }

  /**
   * Reserves the memory that the parsed request will need, if it may be large.
   *
   * @throws RpcException if there is not enough memory now, or the request is too large to ever fit
   */
  <Q extends Message> void reserveParsed(ByteString request, Parser<Q> parser) throws IOException {
    long max = connection.account().memory().capacityBytes() / 2;
    long bytes = FrameReader.parsedBytes(request, parser, max);
    if (bytes > max) {
      throw new RpcException(
          RpcErrorCode.ERROR_INVALID_REQUEST,
          StatusCode.INVALID_ARGUMENT,
          String.format(
              "Request of %s.%s has %d bytes and so many elements that it would need more"
                  + " than %d bytes of memory; request less data at a time",
              service(), method(), request.size(), max));
    }
    if (bytes > 0 && !holdParsed(bytes)) {
      throw new RpcException(
          RpcErrorCode.ERROR_SERVER_TOO_BUSY,
          StatusCode.SERVICE_UNAVAILABLE,
          "the memory for requests is used up; retry later");
    }
  }

  private synchronized boolean holdParsed(long bytes) {
    if (frameReleased.get()) {
      return true; // the caller no longer waits
    }
    boolean held = connection.account().hold(bytes);
    parsedBytes = held ? bytes : 0;
    return held;
  }

  private synchronized void releaseParsed() {
    if (parsedBytes > 0) {
      connection.account().give(parsedBytes);
      parsedBytes = 0;
    }
  }

  /** Records that the call is queued for a worker thread or runs on one. */
  void workerAssigned() {
    heldByWorker = true;
  }

  /**
   * Records that no worker thread uses the call any more: it is parked, or its handler has
   * returned.
   */
  void workerReleased() {
    heldByWorker = false;
    releaseIfAbandoned();
  }

  /** Records that the connection was closed. The event loop calls it. */
  void connectionClosed() {
    cancel();
    connectionClosed = true;
    releaseIfAbandoned();
  }

  private void releaseIfAbandoned() {
    if (connectionClosed && !heldByWorker) {
      releaseFrame();
    }
  }

  private void releaseFrame() {
    if (frameReleased.compareAndSet(false, true)) {
      connection.account().release(requestBytes);
      releaseParsed();
    }
  }

  /** Runs the cancellation listeners, unless the call is answered. The event loop calls it. */
  void cancel() {
    if (!answered.get()) {
      cancellation.cancel();
    }
  }
}
