package dev.kudu4j.server.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GroupOrderTest {
  private final ExecutorService executor = Executors.newFixedThreadPool(4);
  private final GroupOrder order = new GroupOrder(executor);

  @AfterEach
  void stop() {
    executor.shutdownNow();
  }

  @Test
  void tasksOfAGroupRunInOrder() throws Exception {
    Map<Integer, List<Integer>> ran = new ConcurrentHashMap<>();
    CountDownLatch done = new CountDownLatch(1_000);
    for (int i = 0; i < 1_000; i++) {
      int task = i;
      order.execute(
          task % 10,
          () -> {
            ran.computeIfAbsent(task % 10, g -> new ArrayList<>()).add(task); // one at a time
            done.countDown();
          });
    }
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    for (List<Integer> tasks : ran.values()) {
      assertThat(tasks).hasSize(100).isSorted();
    }
  }

  @Test
  void aStuckGroupDoesNotBlockOthers() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    List<String> ran = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch done = new CountDownLatch(2);
    order.execute("slow", () -> await(stuck));
    for (int i = 0; i < 10; i++) {
      order.execute("slow", () -> ran.add("slow"));
    }
    order.execute("fast", done::countDown);
    order.execute("fast", done::countDown);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).isEmpty();
    stuck.countDown();
  }

  @Test
  void aFailingTaskDoesNotStopItsGroup() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    order.execute(
        "group",
        () -> {
          throw new IllegalStateException("expected by the test");
        });
    order.execute("group", done::countDown);
    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
