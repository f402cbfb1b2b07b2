package dev.kudu4j.client.cluster;

import static dev.kudu4j.client.cluster.FakeCluster.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.common.Patience;
import dev.kudu4j.common.rpc.EventLoops;
import dev.kudu4j.common.status.StatusCode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A scheduled step is executed, or its future fails because the timers are closed. */
@Timeout(120)
class TimersTest {
  private static final int ROUNDS = 100;
  private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

  @Test
  void scheduledStepsAreExecuted() throws Exception {
    try (EventLoops loops = EventLoops.open("timers-test", 2);
        Timers timers = new Timers(loops.group())) {
      CompletableFuture<String> waiting = new CompletableFuture<>();
      timers.resume(() -> waiting.complete("done"), 1, waiting);
      assertThat(waiting.get(Patience.SECONDS, TimeUnit.SECONDS)).isEqualTo("done");
    }
  }

  @Test
  void waitersFailWhenTheTimersAreClosed() {
    try (EventLoops loops = EventLoops.open("timers-test", 2)) {
      Timers timers = new Timers(loops.group());
      CompletableFuture<String> before = new CompletableFuture<>();
      timers.resume(() -> {}, HOUR_NANOS, before);
      timers.close();
      CompletableFuture<String> after = new CompletableFuture<>();
      timers.resume(() -> {}, HOUR_NANOS, after);
      assertThat(failureOf(before).code()).isEqualTo(StatusCode.ABORTED);
      assertThat(failureOf(after).code()).isEqualTo(StatusCode.ABORTED);
    }
  }

  /** One thread repeatedly schedules a step while the other closes the timers. */
  @Test
  void waitersThatStartDuringTheCloseFail() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      EventLoops loops = EventLoops.open("timers-test", 2);
      Timers timers = new Timers(loops.group());
      List<CompletableFuture<?>> all = new ArrayList<>();
      CompletableFuture<Void> begun = new CompletableFuture<>();
      Thread waiter =
          new Thread(
              () -> {
                CompletableFuture<Void> last;
                do {
                  last = new CompletableFuture<>();
                  all.add(last);
                  timers.resume(() -> {}, HOUR_NANOS, last);
                  begun.complete(null);
                } while (!last.isDone());
              },
              "waiter");
      waiter.start();
      begun.get(Patience.SECONDS, TimeUnit.SECONDS);
      timers.close();
      loops.close();
      waiter.join();
      for (CompletableFuture<?> one : all) {
        assertThat(failureOf(one).code()).isEqualTo(StatusCode.ABORTED);
      }
    }
  }
}
