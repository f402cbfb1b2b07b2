package dev.kudu4j.common.rpc;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.proto.rpc.RemoteMethodPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.rpc.execution.ThreadModel;
import dev.kudu4j.common.rpc.frame.FrameWriter;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.wire.HeapBytes;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Client and server together, under each thread model. */
@Timeout(120)
@ParameterizedClass
@EnumSource(ThreadModel.class)
final class RpcEndToEndTest {
  private static final String SERVICE = "test.EchoService";
  private static final RpcCallOptions PATIENT =
      RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));

  /** Calls to "Hold", which a test answers at its own time. */
  private final BlockingQueue<RpcCall> held = new LinkedBlockingQueue<>();

  /** "Block" occupies its worker until this opens. */
  private final CountDownLatch gate = new CountDownLatch(1);

  private final AtomicInteger blocked = new AtomicInteger();

  /** Number of responses of "Big". */
  private final AtomicInteger big = new AtomicInteger();

  private final ThreadModel model;
  private RpcServer server;
  private RpcClient client;

  RpcEndToEndTest(ThreadModel model) {
    this.model = model;
  }

  private RpcServerOptions options() {
    return RpcServerOptions.defaults().withThreads(model, 2);
  }

  /** The assumption of tests that occupy all threads. */
  private void assumePool() {
    assumeThat(model).isNotEqualTo(ThreadModel.PER_REQUEST);
  }

  @BeforeAll
  static void watchForLeaks() {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
  }

  @BeforeEach
  void start() {
    serve(options());
    client = new RpcClient(RpcClientOptions.defaults().withUser("tester"));
  }

  private void serve(RpcServerOptions options) {
    server = RpcServer.builder("Test").options(options).service(echoService()).start();
  }

  private void serveInstead(RpcServerOptions options) {
    server.close();
    serve(options);
  }

  private RpcService echoService() {
    return RpcService.builder(SERVICE)
        .features(1, 2)
        .method("Echo", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), RpcEndToEndTest::echo)
        .method("Who", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), RpcEndToEndTest::who)
        .method(
            "Hold",
            Access.CLIENT,
            CallCost.LONG,
            NegotiatePB.parser(),
            (request, call) -> held.add(call))
        .method("Block", Access.CLIENT, NegotiatePB.parser(), this::block)
        .method("Fail", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), RpcEndToEndTest::fail)
        .method("Big", Access.CLIENT, NegotiatePB.parser(), this::big)
        .build();
  }

  private static void echo(NegotiatePB request, RpcCall call) {
    List<ByteBuf> sidecars = new ArrayList<>();
    for (ByteString sidecar : call.sidecars()) {
      sidecars.add(
          PooledByteBufAllocator.DEFAULT.directBuffer().writeBytes(sidecar.asReadOnlyByteBuffer()));
    }
    call.respond(request, sidecars);
  }

  private static void who(NegotiatePB request, RpcCall call) {
    String text = call.caller().user() + " " + call.requestId().map(RpcRequestId::sequence);
    call.respond(message(text));
  }

  private void block(NegotiatePB request, RpcCall call) throws InterruptedException {
    blocked.incrementAndGet();
    gate.await();
    call.respond(request);
  }

  private static void fail(NegotiatePB request, RpcCall call) {
    String how = request.getToken().toStringUtf8();
    if (how.equals("known")) {
      throw KuduException.notFound("no table %s", "t");
    } else if (how.equals("later")) {
      throw KuduException.serviceUnavailable("starting");
    }
    throw new IllegalStateException("secret detail");
  }

  private void big(NegotiatePB request, RpcCall call) {
    big.incrementAndGet();
    call.respond(
        request, List.of(PooledByteBufAllocator.DEFAULT.directBuffer(4 << 20).writeZero(4 << 20)));
  }

  @Test
  void negotiationCanBeDelayedForTests() {
    serveInstead(options().withNegotiationDelay(() -> 200));
    long start = System.nanoTime();
    assertThat(text(call("Echo", "x").join())).isEqualTo("x");
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
  }

  @AfterEach
  void stop() {
    gate.countDown();
    client.close();
    server.close();
  }

  private InetSocketAddress address() {
    return server.boundAddresses().get(0);
  }

  private static NegotiatePB message(String text) {
    return message(ByteString.copyFrom(text, StandardCharsets.UTF_8));
  }

  private static NegotiatePB message(ByteString token) {
    return NegotiatePB.newBuilder().setStep(NegotiateStep.NEGOTIATE).setToken(token).build();
  }

  private CompletableFuture<RpcResponse<NegotiatePB>> call(String method, String text) {
    return call(method, text, PATIENT);
  }

  private CompletableFuture<RpcResponse<NegotiatePB>> call(
      String method, String text, RpcCallOptions options) {
    return client.call(address(), SERVICE, method, message(text), NegotiatePB.parser(), options);
  }

  private static String text(RpcResponse<NegotiatePB> response) {
    try (response) {
      return response.message().getToken().toStringUtf8();
    }
  }

  /** A call to "Hold", as the caller has it and as the server has it. */
  private record HeldCall(CompletableFuture<?> answer, RpcCall call) {}

  /** Calls "Hold" until a call arrives before it is cancelled, which may fail on a slow machine. */
  private HeldCall callHold(RpcCallOptions options) throws InterruptedException {
    while (true) {
      var answer = call("Hold", "", options);
      RpcCall call = null;
      while (call == null && !answer.isDone()) {
        call = held.poll(5, TimeUnit.MILLISECONDS);
      }
      if (call != null) {
        return new HeldCall(answer, call);
      }
    }
  }

  private static @Nullable Throwable failureOf(CompletableFuture<?> future) {
    Throwable failure = catchThrowable(() -> future.get(Patience.SECONDS, TimeUnit.SECONDS));
    return failure instanceof ExecutionException ? failure.getCause() : failure;
  }

  private static RpcException rpcFailureOf(CompletableFuture<?> future) {
    Throwable failure = failureOf(future);
    assertThat(failure).isInstanceOf(RpcException.class);
    return (RpcException) Objects.requireNonNull(failure);
  }

  @Test
  void echoesSidecarsOfAllSizes() throws Exception {
    for (int[] sizes : new int[][] {{}, {0}, {1, 0, 3}, {100_000, 3 << 20, 1}}) {
      List<ByteBuf> sidecars = new ArrayList<>();
      for (int i = 0; i < sizes.length; i++) {
        byte[] bytes = new byte[sizes[i]];
        java.util.Arrays.fill(bytes, (byte) (i + 1));
        sidecars.add(Unpooled.buffer(Math.max(1, sizes[i])).writeBytes(bytes));
      }
      List<ByteBuf> sent = List.copyOf(sidecars);
      try (var response =
          client
              .call(address(), SERVICE, "Echo", message("x"), NegotiatePB.parser(), PATIENT, sent)
              .get()) {
        assertThat(response.message()).isEqualTo(message("x"));
        assertThat(response.sidecars()).hasSameSizeAs(sent);
        for (int i = 0; i < sizes.length; i++) {
          assertThat(response.sidecars().get(i).readableBytes()).isEqualTo(sizes[i]);
          assertThat(response.sidecars().get(i).forEachByte(new SameByte((byte) (i + 1))))
              .isEqualTo(-1);
        }
      }
      await("request sidecars released").until(() -> sent.stream().allMatch(s -> s.refCnt() == 0));
    }
  }

  private record SameByte(byte expected) implements io.netty.util.ByteProcessor {
    @Override
    public boolean process(byte value) {
      return value == expected;
    }
  }

  @Test
  void handlerSeesUserAndRequestId() throws Exception {
    RpcCallOptions options = PATIENT.withRequestId(new RpcRequestId("c", 7, 5, 2));
    assertThat(text(call("Who", "", options).get())).isEqualTo("tester Optional[7]");
    assertThat(text(call("Who", "").get())).isEqualTo("tester " + Optional.empty());
  }

  @Test
  void requestBytesAliasTheFrame() throws Exception {
    var unused = call("Hold", "aliased bytes");
    RpcCall call = held.take();
    call.fail(new RpcException(RpcErrorCode.ERROR_APPLICATION, StatusCode.ABORTED, "enough"));
    ByteString whole =
        UnsafeByteOperations.unsafeWrap("..aliased..".getBytes(StandardCharsets.UTF_8));
    HeapBytes part = HeapBytes.of(whole.substring(2, 9));
    assertThat(part.array()).isSameAs(HeapBytes.of(whole).array());
    assertThat(part.offset()).isEqualTo(2);
    assertThat(part.length()).isEqualTo(7);
    NegotiatePB parsed =
        dev.kudu4j.common.rpc.frame.FrameReader.parseAliased(
            message("rows").toByteString(), NegotiatePB.parser());
    assertThat(HeapBytes.of(parsed.getToken()).array().length).isGreaterThan(4);
  }

  @Test
  void concurrentCallsGetTheirOwnResponses() throws Exception {
    serveInstead(options().withServiceQueue(10_000, 1 << 30));
    List<CompletableFuture<RpcResponse<NegotiatePB>>> calls = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      calls.add(call("Echo", "call " + i));
    }
    for (int i = 0; i < calls.size(); i++) {
      assertThat(text(calls.get(i).get())).isEqualTo("call " + i);
    }
  }

  @Test
  void failuresKeepTheirCodeAndHideInternalErrors() {
    RpcException known = rpcFailureOf(call("Fail", "known"));
    assertThat(known.errorCode()).isEqualTo(RpcErrorCode.ERROR_APPLICATION);
    assertThat(known.code()).isEqualTo(StatusCode.NOT_FOUND);
    assertThat(known).hasMessage("no table t");

    RpcException later = rpcFailureOf(call("Fail", "later"));
    assertThat(later.errorCode()).isEqualTo(RpcErrorCode.ERROR_UNAVAILABLE);

    RpcException internal = rpcFailureOf(call("Fail", "bug"));
    assertThat(internal.errorCode()).isEqualTo(RpcErrorCode.ERROR_APPLICATION);
    assertThat(internal.code()).isEqualTo(StatusCode.RUNTIME_ERROR);
    assertThat(internal.getMessage()).contains("Fail").doesNotContain("secret");
  }

  @Test
  void unknownServicesAndMethodsAreRejected() {
    assertThat(rpcFailureOf(call("Nothing", "")).errorCode())
        .isEqualTo(RpcErrorCode.ERROR_NO_SUCH_METHOD);
    assertThat(
            rpcFailureOf(
                    client.call(
                        address(), "no.Such", "X", message(""), NegotiatePB.parser(), PATIENT))
                .errorCode())
        .isEqualTo(RpcErrorCode.ERROR_NO_SUCH_SERVICE);
    RpcException features = rpcFailureOf(call("Echo", "", PATIENT.withFeatures(1, 9, 2, 8)));
    assertThat(features.errorCode()).isEqualTo(RpcErrorCode.ERROR_INVALID_REQUEST);
    assertThat(features.unsupportedFeatures()).containsExactly(9, 8);
  }

  @Test
  void timedOutCallIsCancelledOnBothSidesAndItsLateAnswerIgnored() throws Exception {
    HeldCall slow = callHold(RpcCallOptions.timeoutMillis(200));
    RpcCall call = slow.call();
    CountDownLatch cancelled = new CountDownLatch(1);
    call.onCancel(cancelled::countDown);
    assertThat(failureOf(slow.answer()))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("timeout");
    assertThat(cancelled.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(call.isCancelled()).isTrue();
    call.respond(message("late"));
    assertThat(text(call("Echo", "next").get())).isEqualTo("next");
  }

  /** Simulates a broken link: no packets arrive, not even a reset. */
  @Test
  void aSilentServersConnectionIsClosedAndTheNextCallReconnects() throws Exception {
    client.close();
    client = new RpcClient(RpcClientOptions.defaults().withAllTimeoutsMillis(1_000));
    HeldCall unanswered = callHold(PATIENT);
    CountDownLatch lineIsCut = new CountDownLatch(1);
    unanswered.call().onCancel(lineIsCut::countDown);
    assertThat(failureOf(unanswered.answer()))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NETWORK_ERROR))
        .hasMessageContaining("does not respond");
    assertThat(lineIsCut.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    await("the next call") // the next call, too, fails if the server is slow for a second
        .ignoreException(ExecutionException.class)
        .until(() -> text(call("Echo", "next").get()).equals("next"));
  }

  @Test
  void cancelledFutureRemovesTheCall() throws Exception {
    var given = call("Hold", "");
    RpcCall call = held.take();
    given.cancel(false);
    ByteBuf sidecar = PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1000);
    call.respond(message("late"), List.of(sidecar));
    assertThat(text(call("Echo", "next").get())).isEqualTo("next");
    await("sidecar released").until(() -> sidecar.refCnt() == 0);
  }

  @Test
  void closedConnectionCancelsItsCallsAndReleasesSidecars() throws Exception {
    var lost = call("Hold", "");
    RpcCall call = held.take();
    CountDownLatch cancelled = new CountDownLatch(1);
    call.onCancel(cancelled::countDown);
    client.close();
    assertThat(failureOf(lost)).isInstanceOf(KuduException.class);
    assertThat(cancelled.await(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
    ByteBuf sidecar = PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1000);
    call.respond(message("nobody"), List.of(sidecar));
    await("sidecar released").until(() -> sidecar.refCnt() == 0);
    ByteBuf second = PooledByteBufAllocator.DEFAULT.directBuffer().writeZero(1000);
    call.respond(message("twice"), List.of(second));
    assertThat(second.refCnt()).isZero();
  }

  @Test
  void lostServerFailsCallsAndTheNextCallReconnects() throws Exception {
    var lost = call("Hold", "");
    held.take();
    InetSocketAddress address = address();
    server.close();
    assertThat(failureOf(lost))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NETWORK_ERROR));
    assertThat(failureOf(call("Echo", "", PATIENT, address)))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NETWORK_ERROR));
    server =
        await("the port is free; a client that tries to connect may occupy it for a moment")
            .ignoreException(KuduException.class)
            .until(
                RpcServer.builder("Test").bindAddress(address).service(echoService())::start,
                started -> true);
    assertThat(text(call("Echo", "again").get())).isEqualTo("again");
  }

  private CompletableFuture<RpcResponse<NegotiatePB>> call(
      String method, String text, RpcCallOptions options, InetSocketAddress to) {
    return client.call(to, SERVICE, method, message(text), NegotiatePB.parser(), options);
  }

  @Test
  void fullQueueIsTooBusyAndDrainsAfterwards() throws Exception {
    assumePool();
    serveInstead(options().withWorkerThreads(1).withServiceQueue(2, 1 << 20));
    var running = call("Block", "0");
    await("worker busy").until(() -> blocked.get() == 1);
    var second = call("Block", "1");
    var third = call("Block", "2");
    assertThat(rpcFailureOf(call("Block", "3")).errorCode())
        .isEqualTo(RpcErrorCode.ERROR_SERVER_TOO_BUSY);
    gate.countDown();
    assertThat(text(running.get()) + text(second.get()) + text(third.get())).isEqualTo("012");
  }

  @Test
  void callExpiredInTheQueueIsTooBusyAndNeverRuns() throws Exception {
    assumePool();
    serveInstead(options().withWorkerThreads(1));
    try (RawConnection raw = RawConnection.negotiated(address())) {
      var running = call("Block", "0");
      await("worker busy").until(() -> blocked.get() == 1);
      raw.send(frame(5, "Block", 1));
      awaitTaken(raw);
      assertThat(failureOf(call("Block", "", RpcCallOptions.timeoutMillis(50)))).isNotNull();
      gate.countDown();
      text(running.get());
      byte[] reply = raw.readFrame();
      assertThat(new String(reply, StandardCharsets.UTF_8)).contains("Timed out: ");
      assertThat(reply[reply.length - 1]).isEqualTo((byte) 4);
      assertThat(blocked.get()).isEqualTo(1);
    }
  }

  private static byte[] frame(int callId, String method, int timeoutMillis) {
    return frame(SERVICE, callId, method, timeoutMillis);
  }

  private static byte[] frame(String service, int callId, String method, int timeoutMillis) {
    RequestHeader header =
        RequestHeader.newBuilder()
            .setCallId(callId)
            .setRemoteMethod(
                RemoteMethodPB.newBuilder().setServiceName(service).setMethodName(method))
            .setTimeoutMillis(timeoutMillis)
            .build();
    ByteBuf frame = FrameWriter.write(UnpooledByteBufAllocator.DEFAULT, header, message("raw"), 0);
    byte[] bytes = ByteBufUtil.getBytes(frame);
    frame.release();
    return bytes;
  }

  @Test
  void aDuplicateCallIdEndsTheConnection() throws Exception {
    try (RawConnection raw = RawConnection.negotiated(address())) {
      raw.send(frame(-7, "Echo", 0));
      raw.readFrame();
      raw.send(frame(-7, "Echo", 0)); // reuse after the response is valid
      raw.readFrame();
      raw.send(frame(1, "Hold", 0));
      RpcCall call = held.take();
      raw.send(frame(1, "Hold", 0));
      assertThat(raw.isEnded()).isTrue();
      await("cancelled").until(call::isCancelled);
    }
  }

  @Test
  void connectionThatDoesNotNegotiateIsClosed() throws Exception {
    serveInstead(options().withTimeouts(500, 60_000, 1_000));
    try (RawConnection stuck = new RawConnection(address())) {
      assertThat(stuck.isEnded()).isTrue();
    }
  }

  @Test
  void silentConnectionIsClosedUnlessACallIsInFlight() throws Exception {
    serveInstead(options().withTimeouts(60_000, 500, 1_000));
    try (RawConnection busy = RawConnection.negotiated(address(), frame(1, "Hold", 0));
        RawConnection idle = RawConnection.negotiated(address())) {
      RpcCall call = held.take();
      assertThat(idle.isEnded()).isTrue();
      call.respond(message("still here"));
      assertThat(busy.readFrame()).isNotEmpty();
    }
  }

  @Test
  void aClientThatDoesNotReadOccupiesLittleServerMemory() throws Exception {
    serveInstead(
        options()
            .withWorkerThreads(2)
            .withServiceQueue(500, 1 << 30)
            .withConnectionLimits(4096, 4 << 20));
    long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    try (RawConnection lazy = RawConnection.negotiated(address())) {
      for (int i = 0; i < 200; i++) {
        lazy.send(frame(i, "Big", 0));
      }
      assertThat(text(call("Echo", "others are served").get())).isEqualTo("others are served");
      assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
          .isLessThan(100L << 20); // of 800 MiB asked for
      for (int i = 0; i < 200; i++) {
        assertThat(lazy.readFrame().length).isGreaterThan(4 << 20);
      }
    }
  }

  /**
   * Bytes that were handed over count as unsent; otherwise worker threads would fill the memory.
   */
  @Test
  void aBlockedEventLoopGetsFewUnsentBytes() throws Exception {
    assumePool();
    server.close();
    try (EventLoops stalling = EventLoops.open("stalling", 1)) {
      server =
          RpcServer.builder("Test")
              .eventLoops(stalling)
              .options(
                  options()
                      .withWorkerThreads(1)
                      .withServiceQueue(500, 1 << 30)
                      .withConnectionLimits(4096, 4 << 20))
              .service(echoService())
              .start();
      try (RawConnection asking = RawConnection.negotiated(address());
          RawConnection last = RawConnection.negotiated(address())) {
        var running = call("Block", "0");
        await("worker busy").until(() -> blocked.get() == 1);
        for (int i = 0; i < 50; i++) {
          asking.send(frame(i, "Big", 0));
        }
        awaitTaken(asking);
        last.send(frame(0, "Block", 0));
        awaitTaken(last);
        CountDownLatch standsStill = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        stalling.group().execute(standsStill::countDown);
        stalling.group().execute(() -> hold(goOn));
        standsStill.await();
        gate.countDown();
        await("the worker has processed the queue").until(() -> blocked.get() == 2);
        int answered = big.get();
        goOn.countDown();
        assertThat(answered).as("answers of 4 MiB").isBetween(1, 2);
        for (int i = 0; i < 50; i++) {
          assertThat(asking.readFrame().length).isGreaterThan(4 << 20);
        }
        assertThat(text(running.get())).isEqualTo("0");
      }
      client.close();
      server.close();
    }
  }

  /**
   * Frames of a connection are processed in order: once one is rejected, the previous ones are
   * queued.
   */
  private static void awaitTaken(RawConnection connection) throws Exception {
    connection.send(frame("no.such.Service", 1_000, "Big", 0));
    connection.readFrame();
  }

  private static void hold(CountDownLatch goOn) {
    try {
      goOn.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aServerThatDoesNotReadOccupiesLittleClientMemory() throws Exception {
    server.close();
    try (EventLoops stalling = EventLoops.open("stalling", 1)) {
      server = RpcServer.builder("Test").eventLoops(stalling).service(echoService()).start();
      assertThat(text(call("Echo", "connected").get())).isEqualTo("connected");
      CountDownLatch goOn = new CountDownLatch(1);
      stalling.group().execute(() -> hold(goOn));
      long before = PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
      String megabyte = "x".repeat(1 << 20);
      List<CompletableFuture<?>> lost = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        lost.add(call("Echo", megabyte, RpcCallOptions.timeout(Duration.ofMillis(500))));
      }
      CompletableFuture<RpcResponse<NegotiatePB>> kept = call("Echo", "patient");
      for (CompletableFuture<?> call : lost) {
        assertThat(failureOf(call))
            .isInstanceOfSatisfying(
                KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.TIMED_OUT));
      }
      assertThat(PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory() - before)
          .isLessThan(40L << 20); // of 100 MiB asked for
      goOn.countDown();
      assertThat(text(kept.get(Patience.SECONDS, TimeUnit.SECONDS))).isEqualTo("patient");
      client.close();
      server.close();
    }
  }

  @Test
  void oversizeReplyIsAnErrorAndReleasesItsSidecars() throws Exception {
    serveInstead(options().withMaxFrameBytes(1 << 20));
    RpcException tooBig = rpcFailureOf(call("Big", ""));
    assertThat(tooBig.errorCode()).isEqualTo(RpcErrorCode.ERROR_APPLICATION);
    assertThat(tooBig.getMessage()).contains("request less");
  }

  @Test
  void callsAfterCloseAreRejected() {
    client.close();
    assertThat(failureOf(call("Echo", "")))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ABORTED));
  }

  @Test
  void anOccupiedPortIsReported() {
    assertThatThrownBy(() -> RpcServer.builder("Other").bindAddress(address()).start())
        .isInstanceOf(KuduException.class)
        .hasMessageContaining(String.valueOf(address().getPort()));
  }
}
