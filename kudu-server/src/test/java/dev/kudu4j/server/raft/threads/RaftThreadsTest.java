package dev.kudu4j.server.raft.threads;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RaftThreadsTest {
  private static final int SECONDS = 30;

  private final RaftThreads threads = new RaftThreads(2);

  @AfterEach
  void close() {
    threads.close();
  }

  @Test
  void everySignalIsFollowedByARunAndRunsNeverOverlap() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    SerialTask task =
        threads.task(
            "task",
            () -> {
              overlaps.addAndGet(running.getAndIncrement());
              seen.set(asked.get());
              running.decrementAndGet();
            });
    List<Thread> signalers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      boolean next = i % 2 == 0;
      Thread signaler =
          new Thread(
              () -> {
                for (int n = 0; n < 20_000; n++) {
                  asked.incrementAndGet();
                  if (next) {
                    task.signalNext();
                  } else {
                    task.signal();
                  }
                }
              });
      signalers.add(signaler);
      signaler.start();
    }
    for (Thread signaler : signalers) {
      signaler.join();
    }
    await().until(() -> seen.get() == asked.get());
    assertThat(overlaps).hasValue(0);
  }

  @Test
  void aTaskThatFailsRunsAgainWhenItIsSignaled() {
    AtomicInteger runs = new AtomicInteger();
    SerialTask task =
        threads.task(
            "task that fails",
            () -> {
              runs.incrementAndGet();
              throw new IllegalStateException("on purpose");
            });
    task.signal();
    await().until(() -> runs.get() == 1);
    task.signal();
    await().until(() -> runs.get() == 2);
  }

  @Test
  void theNextTaskRunsOnTheSameThreadUnlessItIsHandedOver() throws Exception {
    AtomicReference<Thread> first = new AtomicReference<>();
    AtomicReference<Thread> second = new AtomicReference<>();
    CountDownLatch ran = new CountDownLatch(1);
    SerialTask next =
        threads.task(
            "next",
            () -> {
              second.set(Thread.currentThread());
              ran.countDown();
            });
    threads
        .task(
            "first",
            () -> {
              first.set(Thread.currentThread());
              next.signalNext();
              assertThat(second.get()).isNull(); // it waits for the end of this run
            })
        .signal();
    assertThat(ran.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(second.get()).isSameAs(first.get());

    CountDownLatch passedOn = new CountDownLatch(1);
    SerialTask waitedFor = threads.task("waited for", passedOn::countDown);
    AtomicReference<Boolean> came = new AtomicReference<>();
    threads
        .task(
            "waiting",
            () -> {
              waitedFor.signalNext();
              threads.passOn();
              try {
                came.set(passedOn.await(SECONDS, TimeUnit.SECONDS));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            })
        .signal();
    await().until(() -> came.get() != null);
    assertThat(came.get()).isTrue();
  }

  @Test
  void blockedTasksDoNotBlockOthers() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger blocked = new AtomicInteger();
    for (int i = 0; i < 50; i++) {
      threads
          .task(
              "blocked " + i,
              () -> {
                blocked.incrementAndGet();
                try {
                  release.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              })
          .signal();
    }
    CountDownLatch ran = new CountDownLatch(1);
    threads.task("other", ran::countDown).signal();
    assertThat(ran.await(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(blocked).hasValue(50);
    release.countDown();
    await().until(() -> threads.size() <= 2); // idle threads end
  }

  @Test
  void closedThreadsRejectTimeoutsAndIgnoreTasks() {
    AtomicInteger runs = new AtomicInteger();
    SerialTask task = threads.task("task", runs::incrementAndGet);
    threads.close();
    task.signal();
    assertThatThrownBy(() -> threads.after(1, runs::incrementAndGet))
        .isInstanceOf(IllegalStateException.class);
    assertThat(runs).hasValue(0);
  }

  // ---- the gate of elections

  @Test
  void atMost32CandidatesAskForVotesAtATimeAndAllGetTheirTurn() {
    List<ElectionGate.Place> places = new ArrayList<>();
    AtomicInteger entered = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      places.add(threads.elections().enter(entered::incrementAndGet, () -> false));
    }
    assertThat(entered).hasValue(32);
    places.get(0).leave();
    places.get(0).leave(); // has no effect
    assertThat(entered).hasValue(33);
    await().until(() -> entered.get() == 100); // the others get no responses and lose their places
  }

  @Test
  void aCandidateThatGaveUpIsSkipped() {
    List<ElectionGate.Place> places = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      places.add(threads.elections().enter(() -> {}, () -> false));
    }
    AtomicInteger skipped = new AtomicInteger();
    AtomicInteger entered = new AtomicInteger();
    threads.elections().enter(skipped::incrementAndGet, () -> true);
    threads.elections().enter(entered::incrementAndGet, () -> false);
    places.get(0).leave();
    assertThat(entered).hasValue(1);
    assertThat(skipped).hasValue(0);
  }
}
