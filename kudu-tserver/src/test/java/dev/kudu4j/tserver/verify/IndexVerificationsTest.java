package dev.kudu4j.tserver.verify;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tablet.check.IndexVerification;
import dev.kudu4j.tserver.verify.VerificationProgress.State;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests to verify replicas that are not real. */
@Timeout(60)
class IndexVerificationsTest {
  private static final IndexDefinition ONE = new IndexDefinition(0, "one", List.of(1), List.of());
  private static final IndexDefinition TWO = new IndexDefinition(1, "two", List.of(2), List.of());

  private final AtomicLong seconds = new AtomicLong(1000);
  private final IndexVerifications verifications =
      new IndexVerifications(() -> TimeUnit.SECONDS.toNanos(seconds.get()));

  @AfterEach
  void close() {
    verifications.close();
  }

  /** A replica whose verification lasts until it is told to end, or is cancelled. */
  private static final class Replica implements VerifiedReplica {
    private final String tabletId;
    private final List<List<IndexDefinition>> verified =
        Collections.synchronizedList(new ArrayList<>());
    private volatile boolean running = true;
    private volatile boolean ended;
    private volatile RuntimeException failure;

    Replica(String tabletId) {
      this.tabletId = tabletId;
    }

    @Override
    public String tabletId() {
      return tabletId;
    }

    @Override
    public boolean isRunning() {
      return running;
    }

    @Override
    public List<IndexDefinition> indexes() {
      return List.of(ONE, TWO);
    }

    @Override
    public void verify(IndexVerification verification, List<IndexDefinition> indexes)
        throws IOException {
      verified.add(indexes);
      while (!ended) {
        if (verification.isCancelled()) {
          throw new CancellationException();
        }
        Thread.onSpinWait();
      }
      if (failure != null) {
        throw failure;
      }
    }

    @Override
    public Throwable readFailed(Throwable cause) {
      return new KuduException(StatusCode.CORRUPTION, "the replica has failed", cause);
    }
  }

  private State state(Replica replica, String index) {
    return verifications.find(replica.tabletId(), index).state();
  }

  private void awaitState(Replica replica, String index, State state) {
    await(index + " of " + replica.tabletId() + " is " + state)
        .until(() -> state(replica, index) == state);
  }

  @Test
  void verificationsRunInSequenceAndAreRemembered() {
    Replica first = new Replica("a");
    Replica second = new Replica("b");
    verifications.request(first, "");
    awaitState(first, "", State.RUNNING);
    assertThat(verifications.request(second, "two").state()).isEqualTo(State.WAITING);
    assertThat(verifications.request(first, "").state()).as("joined").isEqualTo(State.RUNNING);
    seconds.addAndGet(3);
    assertThat(verifications.find("a", "").millis()).isEqualTo(3000);
    first.ended = true;
    awaitState(first, "", State.DONE);
    second.ended = true;
    awaitState(second, "two", State.DONE);
    assertThat(first.verified).containsExactly(List.of(ONE, TWO));
    assertThat(second.verified).containsExactly(List.of(TWO));
    verifications.request(first, "");
    awaitState(first, "", State.DONE);
    assertThat(first.verified).as("again").hasSize(2);
  }

  @Test
  void whatNobodyAsksAboutIsCancelled() {
    Replica running = new Replica("a");
    Replica waiting = new Replica("b");
    verifications.request(running, "");
    awaitState(running, "", State.RUNNING);
    verifications.request(waiting, "");
    seconds.addAndGet(59);
    assertThat(state(running, "")).as("asked about").isEqualTo(State.RUNNING);
    seconds.addAndGet(59);
    assertThat(state(running, "")).isEqualTo(State.RUNNING);
    seconds.addAndGet(61);
    Replica last = new Replica("c"); // to ask about the others would keep them
    last.ended = true;
    verifications.request(last, "");
    await("the others have ended").until(() -> !last.verified.isEmpty());
    for (Replica replica : List.of(running, waiting)) {
      VerificationProgress end = verifications.find(replica.tabletId(), "");
      assertThat(end.state()).isEqualTo(State.FAILED);
      assertThat(end.failure())
          .isInstanceOfSatisfying(
              KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.ABORTED));
    }
    assertThat(waiting.verified).isEmpty();
  }

  @Test
  void aReplicaThatStopsEndsItsVerification() {
    Replica replica = new Replica("a");
    verifications.request(replica, "");
    awaitState(replica, "", State.RUNNING);
    replica.running = false;
    awaitState(replica, "", State.FAILED);
    assertThat(verifications.find("a", "").failure())
        .isInstanceOfSatisfying(
            KuduException.class,
            e -> assertThat(e.code()).isEqualTo(StatusCode.SERVICE_UNAVAILABLE));
  }

  @Test
  void aStoppingServerEndsTheVerification() {
    Replica replica = new Replica("a");
    verifications.request(replica, "");
    awaitState(replica, "", State.RUNNING);
    verifications.close();
    assertThat(state(replica, "")).isEqualTo(State.FAILED);
  }

  @Test
  void theReplicaJudgesFailures() {
    Replica replica = new Replica("a");
    replica.failure = new IllegalStateException("broken");
    replica.ended = true;
    verifications.request(replica, "");
    awaitState(replica, "", State.FAILED);
    assertThat(verifications.find("a", "").failure())
        .hasMessageContaining("the replica has failed");
  }

  @Test
  void unknownIndexesAndRequestsAreNotFound() {
    Replica replica = new Replica("a");
    assertThatThrownBy(() -> verifications.request(replica, "three"))
        .hasMessageContaining("Tablet a has no index three");
    assertThatThrownBy(() -> verifications.find("a", ""))
        .isInstanceOfSatisfying(
            KuduException.class, e -> assertThat(e.code()).isEqualTo(StatusCode.NOT_FOUND));
  }
}
