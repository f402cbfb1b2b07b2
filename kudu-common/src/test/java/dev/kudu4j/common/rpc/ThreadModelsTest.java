package dev.kudu4j.common.rpc;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.proto.rpc.NegotiatePB;
import dev.kudu4j.common.proto.rpc.NegotiatePB.NegotiateStep;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.rpc.execution.ThreadModel;
import dev.kudu4j.common.thread.EventLoopThread;
import dev.kudu4j.common.thread.WouldBlock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Which threads run the calls of a server. */
@Timeout(120)
@ParameterizedClass
@EnumSource(ThreadModel.class)
final class ThreadModelsTest {
  private static final String SERVICE = "test.Threads";
  private static final RpcCallOptions PATIENT =
      RpcCallOptions.timeout(Duration.ofSeconds(Patience.SECONDS));

  private final ThreadModel model;
  private final AtomicInteger starts = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final CountDownLatch gate = new CountDownLatch(1);
  private RpcServer server;
  private RpcClient client;

  ThreadModelsTest(ThreadModel model) {
    this.model = model;
  }

  @BeforeEach
  void open() {
    server =
        RpcServer.builder("Test")
            .options(
                RpcServerOptions.defaults()
                    .withThreads(model, 1)
                    .withWorkerThreads(2)
                    .withServiceQueue(2, 1 << 20))
            .service(
                RpcService.builder(SERVICE)
                    .method(
                        "Short", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), this::name)
                    .method("Long", Access.CLIENT, CallCost.LONG, NegotiatePB.parser(), this::name)
                    .method("Blocking", Access.CLIENT, NegotiatePB.parser(), this::block)
                    .method("Read", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), this::read)
                    .method("Rest", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), this::rest)
                    .method("Busy", Access.CLIENT, CallCost.SHORT, NegotiatePB.parser(), this::busy)
                    .build())
            .start();
    client = new RpcClient(RpcClientOptions.defaults());
  }

  @AfterEach
  void close() {
    gate.countDown();
    client.close();
    server.close();
  }

  /** Answers with the kind of the current thread. */
  private void name(NegotiatePB request, RpcCall call) {
    starts.incrementAndGet();
    call.respond(message(EventLoopThread.current() == null ? "pool" : "loop"));
  }

  private void block(NegotiatePB request, RpcCall call) throws InterruptedException {
    running.incrementAndGet();
    gate.await();
    name(request, call);
  }

  /** Like a read of a row that is not cached. */
  private void read(NegotiatePB request, RpcCall call) {
    starts.incrementAndGet();
    WouldBlock.check("a read");
    name(request, call);
  }

  private void rest(NegotiatePB request, RpcCall call) {
    starts.incrementAndGet();
    call.runBlocking(
        () -> {
          if (request.getToken().size() == 0) {
            throw new IllegalStateException("the rest fails");
          }
          name(request, call);
        });
  }

  private void busy(NegotiatePB request, RpcCall call) {
    long end = System.nanoTime() + 2_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    name(request, call);
  }

  private static NegotiatePB message(String text) {
    return NegotiatePB.newBuilder()
        .setStep(NegotiateStep.NEGOTIATE)
        .setToken(ByteString.copyFromUtf8(text))
        .build();
  }

  private CompletableFuture<String> call(String method, int bytes) {
    return client
        .call(
            server.boundAddresses().get(0),
            SERVICE,
            method,
            message("x".repeat(bytes)),
            NegotiatePB.parser(),
            PATIENT)
        .thenApply(
            response -> {
              try (response) {
                return response.message().getToken().toStringUtf8();
              }
            });
  }

  @Test
  void theCostOfACallDeterminesItsThread() {
    boolean shortOnLoop = model == ThreadModel.ADAPTIVE || model == ThreadModel.SHARED;
    assertThat(call("Short", 1).join()).isEqualTo(shortOnLoop ? "loop" : "pool");
    assertThat(call("Long", 1).join()).isEqualTo(model == ThreadModel.SHARED ? "loop" : "pool");
    gate.countDown();
    assertThat(call("Blocking", 1).join()).isEqualTo("pool");
  }

  @Test
  void aLargeRequestIsNotTreatedAsShort() {
    String expected = model == ThreadModel.SHARED ? "loop" : "pool";
    assertThat(call("Short", 100_000).join()).isEqualTo(expected);
  }

  /** {@code shared} lets its loops wait for disks; {@code adaptive} runs the handler twice. */
  @Test
  void handlerThatWouldBlockRunsOnThePool() {
    assertThat(call("Read", 1).join()).isEqualTo(model == ThreadModel.SHARED ? "loop" : "pool");
    assertThat(starts.get()).isEqualTo(model == ThreadModel.ADAPTIVE ? 3 : 2);
  }

  @Test
  void theRestOfAHandlerRunsOnAThreadThatMayBlock() {
    assertThat(call("Rest", 1).join()).isEqualTo(model == ThreadModel.SHARED ? "loop" : "pool");
    assertThat(starts.get()).isEqualTo(2);
    assertThat(call("Rest", 0))
        .failsWithin(Duration.ofSeconds(Patience.SECONDS))
        .withThrowableThat()
        .withMessageContaining("Test.Rest".substring(4) + " failed inside the server");
  }

  @Test
  void tooManyCallsAreRejectedAndTheOthersAnswered() {
    List<CompletableFuture<String>> admitted = new ArrayList<>();
    int atOnce = model == ThreadModel.PER_REQUEST ? 4 : 2;
    for (int i = 0; i < 4; i++) {
      admitted.add(call("Blocking", 1));
    }
    await().until(() -> running.get() == atOnce);
    assertThat(call("Blocking", 1))
        .failsWithin(Duration.ofSeconds(Patience.SECONDS))
        .withThrowableThat()
        .withMessageContaining("queue of the service is full");
    gate.countDown();
    admitted.forEach(answer -> assertThat(answer.join()).isEqualTo("pool"));
    assertThat(call("Blocking", 1).join()).isEqualTo("pool");
  }

  /** A hundred calls of 2 ms that arrive together: the loop must turn to its other connections. */
  @Test
  void busyLoopPassesCallsToThePool() {
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      answers.add(call("Busy", 1).exceptionally(rejected -> "rejected"));
    }
    List<String> threads = answers.stream().map(CompletableFuture::join).toList();
    switch (model) {
      case ADAPTIVE -> assertThat(threads).contains("pool");
      case SHARED -> assertThat(threads).containsOnly("loop");
      default -> assertThat(threads).doesNotContain("loop");
    }
  }

  @Test
  void closeWaitsForRunningHandlersAndRejectsLaterCalls() {
    CompletableFuture<String> last = call("Blocking", 1);
    await().until(() -> running.get() == 1);
    gate.countDown();
    server.close();
    assertThat(starts.get()).isEqualTo(1);
    await().until(last::isDone);
    assertThat(call("Short", 1)).failsWithin(Duration.ofSeconds(Patience.SECONDS));
  }
}
