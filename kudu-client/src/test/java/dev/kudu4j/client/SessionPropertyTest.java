package dev.kudu4j.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.PartitionSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Random sessions against servers that fail randomly. */
class SessionPropertyTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new ColumnSchemaBuilder("key", Type.INT32).key(true).build(),
              new ColumnSchemaBuilder("version", Type.INT32).build(),
              new ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()),
          List.of(0, 1, 2));
  private static final int KEYS = WriteModel.COVERED_KEYS + 16;

  static KuduTable table(AsyncKuduClient client) {
    return new KuduTable(
        client,
        "table-id",
        "history",
        SCHEMA,
        new PartitionSchema(List.of(), List.of(0), List.of()),
        new KuduTable.Properties(1, Map.of(), "", ""));
  }

  static Operation upsert(KuduTable table, int key, int version) {
    Upsert upsert = table.newUpsert();
    upsert.getRow().addInt(0, key);
    upsert.getRow().addInt(1, version);
    if (version % 3 == 0) {
      upsert.getRow().addString(2, "text of " + version);
    }
    return upsert;
  }

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void everyOperationCompletesOnceAndRowsKeepTheirOrder(@ForAll long seed) throws Exception {
    Random random = new Random(seed);
    try (WriteModel model = new WriteModel(SCHEMA.toCommon(), seed, true);
        AsyncKuduClient client =
            new AsyncKuduClient.AsyncKuduClientBuilder(model.masterAddress()).build()) {
      Play play = new Play(client, random);
      for (FlushMode mode : List.of(mode(random), mode(random))) {
        play.session.setFlushMode(mode);
        play.session.setMutationBufferSpace(
            1 + random.nextInt(20), random.nextBoolean() ? -1 : 200);
        play.session.setFlushInterval(1 + random.nextInt(10));
        for (int i = 0; i < 150; i++) {
          play.step();
        }
        play.finishPhase();
      }
      play.session.close().get(Patience.SECONDS, TimeUnit.SECONDS);

      assertThat(model.broken()).isEmpty();
      play.check(model);
    }
  }

  private static FlushMode mode(Random random) {
    return FlushMode.values()[random.nextInt(FlushMode.values().length)];
  }

  /** One session, and what is expected of it. */
  private static final class Play {
    private final Random random;
    private final AsyncKuduSession session;
    private final KuduSession waiting;
    private final KuduTable table;
    private final List<CompletableFuture<OperationResponse>> answers = new ArrayList<>();
    private final List<int[]> applied = new ArrayList<>();
    private final Map<Integer, List<Integer>> expected = new HashMap<>();
    private int appliedSinceFlush;

    Play(AsyncKuduClient client, Random random) {
      this.random = random;
      this.session = client.newSession();
      this.waiting = new KuduSession(session);
      this.table = table(client);
    }

    void step() throws Exception {
      if (random.nextInt(25) == 0) {
        flush();
        return;
      }
      int version = applied.size();
      int key = random.nextInt(KEYS);
      applied.add(new int[] {key, version});
      if (key < WriteModel.COVERED_KEYS && !WriteModel.isRefused(version)) {
        expected.computeIfAbsent(key, k -> new ArrayList<>()).add(version);
      }
      apply(upsert(table, key, version));
    }

    private void apply(Operation operation) throws Exception {
      boolean async = session.getFlushMode() == FlushMode.AUTO_FLUSH_SYNC || random.nextBoolean();
      while (true) {
        try {
          if (async) {
            answers.add(session.apply(operation));
          } else {
            waiting.apply(operation);
            answers.add(null);
          }
          appliedSinceFlush++;
          return;
        } catch (PleaseThrottleException e) {
          e.getDeferred().get(Patience.SECONDS, TimeUnit.SECONDS);
        } catch (NonRecoverableException e) {
          assertThat(session.getFlushMode()).isEqualTo(FlushMode.MANUAL_FLUSH);
          assertThat(e.getStatus().isIllegalState()).isTrue();
          flush();
        }
      }
    }

    private void flush() throws Exception {
      FlushMode mode = session.getFlushMode();
      List<OperationResponse> responses = session.flush().get(Patience.SECONDS, TimeUnit.SECONDS);
      if (mode == FlushMode.MANUAL_FLUSH) {
        assertThat(responses).hasSize(appliedSinceFlush).doesNotContainNull();
        List<int[]> these = applied.subList(answers.size() - appliedSinceFlush, answers.size());
        for (int i = 0; i < these.size(); i++) {
          checkAnswer(these.get(i), responses.get(i));
        }
      } else if (mode == FlushMode.AUTO_FLUSH_BACKGROUND) {
        assertThat(responses).doesNotContainNull().hasSizeLessThanOrEqualTo(appliedSinceFlush);
      } else {
        assertThat(responses).isEmpty();
      }
      appliedSinceFlush = 0;
    }

    void finishPhase() throws Exception {
      flush();
      for (CompletableFuture<OperationResponse> answer : answers) {
        if (answer != null) {
          answer.get(Patience.SECONDS, TimeUnit.SECONDS);
        }
      }
      assertThat(session.hasPendingOperations()).isFalse();
    }

    void check(WriteModel model) throws Exception {
      for (int key = 0; key < KEYS; key++) {
        assertThat(model.versionsOf(key))
            .as("versions of row %d", key)
            .isEqualTo(expected.getOrDefault(key, List.of()));
      }
      assertThat(answers).hasSameSizeAs(applied);
      for (int i = 0; i < answers.size(); i++) {
        if (answers.get(i) != null) {
          checkAnswer(applied.get(i), answers.get(i).getNow(null));
        }
      }
    }

    private static void checkAnswer(int[] keyAndVersion, OperationResponse response) {
      if (keyAndVersion[0] >= WriteModel.COVERED_KEYS) {
        assertThat(response.getRowError().getErrorStatus().isNotFound()).isTrue();
      } else if (WriteModel.isRefused(keyAndVersion[1])) {
        assertThat(response.getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
        assertThat(response.getRowError().getTsUUID()).startsWith("server");
      } else {
        assertThat(response.hasRowError())
            .as(() -> "error of row: " + response.getRowError())
            .isFalse();
        assertThat(response.getWriteTimestampRaw()).isGreaterThan(1_000);
      }
      if (response.hasRowError()) {
        PartialRow row = response.getRowError().getOperation().getRow();
        assertThat(row.getInt(0)).isEqualTo(keyAndVersion[0]);
        assertThat(row.getInt(1)).isEqualTo(keyAndVersion[1]);
      }
    }
  }
}
