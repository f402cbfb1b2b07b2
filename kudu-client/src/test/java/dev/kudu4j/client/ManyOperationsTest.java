package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.write.WriteMemory;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.PartitionSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One client, many threads, and far more concurrent operations than fit into its memory. */
@Timeout(120)
class ManyOperationsTest {
  private static final Schema SCHEMA =
      new Schema(List.of(new ColumnSchemaBuilder("key", Type.INT32).key(true).build()), List.of(0));
  private static final int THREADS = 16;
  private static final int SESSIONS_OF_THREAD = 50;
  private static final int OPERATIONS_OF_SESSION = 40;
  private static final long MEMORY_BYTES = 1 << 20;

  @Test
  void manyThreadsShareAClientWithLittleMemory() throws Exception {
    WriteMemory memory = new WriteMemory(MEMORY_BYTES);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (FakeMaster master = FakeMaster.open();
        FakeTabletServer server = FakeTabletServer.open("the-server");
        AsyncKuduClient client =
            new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString())
                .writeMemory(memory)
                .build()) {
      master.addTablet("t", new byte[0], new byte[0], server);
      KuduTable table =
          new KuduTable(
              client,
              "table-id",
              "numbers",
              SCHEMA,
              new PartitionSchema(List.of(), List.of(0), List.of()),
              new KuduTable.Properties(1, Map.of(), "", ""));
      List<Future<Integer>> written = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        written.add(threads.submit(() -> write(client, table, memory)));
      }
      for (Future<Integer> part : written) {
        assertThat(part.get()).isEqualTo(SESSIONS_OF_THREAD * OPERATIONS_OF_SESSION);
      }
      assertThat(memory.takenBytes()).as("memory in use at the end").isZero();
    } finally {
      threads.shutdownNow();
    }
  }

  /**
   * Applies single operations in many sessions at the same time; returns the number of written
   * rows.
   */
  private static int write(AsyncKuduClient client, KuduTable table, WriteMemory memory)
      throws Exception {
    List<AsyncKuduSession> sessions = new ArrayList<>();
    for (int s = 0; s < SESSIONS_OF_THREAD; s++) {
      sessions.add(client.newSession());
    }
    List<CompletableFuture<OperationResponse>> answers = new ArrayList<>();
    for (int i = 0; i < OPERATIONS_OF_SESSION; i++) {
      for (AsyncKuduSession session : sessions) {
        Insert insert = table.newInsert();
        insert.getRow().addInt(0, i);
        answers.add(apply(session, insert));
        assertThat(memory.takenBytes())
            .isLessThanOrEqualTo(MEMORY_BYTES + THREADS * WriteMemory.STEP_BYTES);
      }
    }
    int written = 0;
    for (CompletableFuture<OperationResponse> answer : answers) {
      written += answer.get().hasRowError() ? 0 : 1;
    }
    for (AsyncKuduSession session : sessions) {
      session.close().get();
    }
    return written;
  }

  private static CompletableFuture<OperationResponse> apply(
      AsyncKuduSession session, Operation operation) throws Exception {
    while (true) {
      try {
        return session.apply(operation);
      } catch (PleaseThrottleException full) {
        full.getDeferred().get(Patience.SECONDS, TimeUnit.SECONDS);
      }
    }
  }
}
