package dev.kudu4j.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.web.Query;
import dev.kudu4j.server.web.Rendered;
import dev.kudu4j.server.web.WebPage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StartupTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Startup startup = new Startup(nanos::get);
  private final CompletableFuture<Void> tablets = new CompletableFuture<>();
  private final AtomicInteger opened = new AtomicInteger();

  private void pass(long seconds) {
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
  }

  private String page() {
    WebPage.Html page = (WebPage.Html) StartupPage.of(startup);
    return Rendered.html(page.answer().apply(Query.NONE));
  }

  private void openTablets() {
    startup.run("Open the files", () -> pass(2));
    startup.watch(
        "Open the tablets", tablets, () -> new Startup.Progress(opened.get(), 1_200, "tablets"));
  }

  @Test
  void aRunningStepShowsItsProgress() {
    openTablets();
    opened.set(300);
    pass(5);
    assertThat(startup.remaining()).isEqualTo(1);
    assertThat(startup.elapsedNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
    assertThat(page())
        .contains("1 of 2 steps are left after <span title=\"7,000,000 µs\">7.00 s<")
        .contains(">300 of 1,200 tablets<", ">running<", ">done<")
        .contains("<rect width=\"25.00\"")
        .contains(">2.00 s<", ">5.00 s<");
  }

  @Test
  void timesAreFixedWhenAllStepsHaveEnded() {
    openTablets();
    pass(5);
    tablets.complete(null);
    pass(3_600);
    assertThat(startup.remaining()).isZero();
    assertThat(startup.elapsedNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(7));
    assertThat(page()).contains("The server has started; it took").doesNotContain(">running<");
  }

  @Test
  void aFailedStepRemainsWithItsReason() {
    startup.watch("Start Raft", tablets);
    tablets.completeExceptionally(KuduException.illegalState("port <b>7</b> is in use"));
    assertThat(startup.remaining()).isEqualTo(1);
    assertThat(page())
        .contains(">failed<", "Start Raft failed: port &lt;b&gt;7&lt;/b&gt; is in use.");
  }

  @Test
  void aStepThatThrowsHasFailed() {
    assertThatThrownBy(
            () ->
                startup.run(
                    "Bind the RPC port",
                    () -> {
                      throw KuduException.illegalState("in use");
                    }))
        .hasMessage("in use");
    assertThat(startup.steps())
        .singleElement()
        .satisfies(step -> assertThat(step.failure()).isPresent());
  }
}
