package dev.kudu4j.server.replica;

import static dev.kudu4j.server.replica.GroupHarness.adding;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.tablet.log.RequestId;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members come and go, over real connections, in one process, while a client writes. */
class MembershipTest {
  @TempDir Path directory;
  private GroupHarness group;
  private Writer writer;

  /** A client that writes one row after the other, whoever leads. */
  private final class Writer implements AutoCloseable {
    private final Thread thread = new Thread(this::run, "writer");
    private final AtomicLong acknowledged = new AtomicLong();
    private volatile boolean stopping;
    private volatile Throwable failure;

    Writer start() {
      thread.start();
      return this;
    }

    private void run() {
      try {
        while (!stopping) {
          long key = acknowledged.get();
          group.write(new RequestId("writer", key, key), "", key);
          acknowledged.set(key + 1);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    void awaitMore(int rows) {
      long wanted = acknowledged.get() + rows;
      Await.until(() -> acknowledged.get() >= wanted || failure != null);
      assertThat(failure).isNull();
    }

    @Override
    public void close() throws InterruptedException {
      stopping = true;
      thread.join();
    }
  }

  private void start(int members) throws Exception {
    group = new GroupHarness(directory, members).create();
    writer = new Writer().start();
    writer.awaitMore(10);
  }

  @AfterEach
  void stop() throws Exception {
    writer.close();
    group.close();
  }

  /** Every acknowledged row is at each of these, once and in order, and nothing else is. */
  private void assertAllAcknowledgedAt(GroupHarness.Server... members) throws Exception {
    writer.awaitMore(10);
    writer.close();
    assertThat(writer.failure).isNull();
    List<Long> rows = new ArrayList<>();
    for (long key = 0; key < writer.acknowledged.get(); key++) {
      rows.add(key);
    }
    for (GroupHarness.Server member : members) {
      Await.until(() -> member.state.rows().size() >= rows.size());
      assertThat(member.state.rows()).isEqualTo(rows);
    }
  }

  @Test
  void oneMemberBecomesThree() throws Exception {
    start(1);
    GroupHarness.Server second = group.addServer();
    GroupHarness.Server third = group.addServer();
    group.change(adding(second));
    group.change(adding(third));
    group.awaitVoters(group.servers.get(0), second, third);
    assertAllAcknowledgedAt(group.servers.get(0), second, third);
  }
}
