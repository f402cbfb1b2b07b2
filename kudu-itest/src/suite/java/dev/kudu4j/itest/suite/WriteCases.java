package dev.kudu4j.itest.suite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.ExternalConsistencyMode;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.KuduTable;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All kinds of writes: their effects and their errors. */
abstract class WriteCases extends ClientCase {
  private static final String KEY_TAKEN = "Already present: key already present";
  private static final String KEY_ABSENT = "Not found: key not found";

  @Test
  void anInsertNeedsAFreeKey() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    assertThat(apply(op(table.newInsert(), "k", 1, "v", 9), op(table.newInsert(), "k", 2, "v", 2)))
        .containsExactly(KEY_TAKEN, "ok", "{successful_inserts=1}");
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
  }

  @Test
  void anInsertIgnoreKeepsTheExistingRow() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    assertThat(
            apply(
                op(table.newInsertIgnore(), "k", 1, "v", 9),
                op(table.newInsertIgnore(), "k", 2, "v", 2)))
        .containsExactly("ok", "ok", "{insert_ignore_errors=1, successful_inserts=1}");
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1", "2 2");
  }

  @Test
  void anUpsertInsertsARowOrSetsItsColumns() throws Exception {
    Schema schema =
        schema(key("k", Type.INT32), nullable("v", Type.INT32), nullable("w", Type.INT32));
    KuduTable table = create(schema, oneTablet());
    assertThat(apply(op(table.newUpsert(), "k", 1, "v", 1, "w", 1)))
        .containsExactly("ok", "{successful_upserts=1}");
    apply(op(table.newUpsert(), "k", 1, "v", 2));
    assertThat(scan(table)).containsExactly("1 2 1");
    cluster.flush();
    apply(op(table.newUpsert(), "k", 1, "w", null));
    assertThat(scan(table)).containsExactly("1 2 null");
  }

  @Test
  void anUpdateNeedsItsRow() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    assertThat(apply(op(table.newUpdate(), "k", 9, "v", 9), op(table.newUpdate(), "k", 1, "v", 2)))
        .containsExactly(KEY_ABSENT, "ok", "{successful_updates=1}");
    assertThat(scan(table)).containsExactly("1 2");
  }

  @Test
  void anUpdateIgnoreIgnoresAnAbsentRow() throws Exception {
    KuduTable table = createWith(new int[] {1, 1});
    assertThat(
            apply(
                op(table.newUpdateIgnore(), "k", 9, "v", 9),
                op(table.newUpdateIgnore(), "k", 1, "v", 2)))
        .containsExactly("ok", "ok", "{successful_updates=1, update_ignore_errors=1}");
    assertThat(scan(table)).containsExactly("1 2");
  }

  @Test
  void aDeleteNeedsItsRow() throws Exception {
    KuduTable table = createWith(rows(1, 3));
    assertThat(apply(op(table.newDelete(), "k", 1), op(table.newDelete(), "k", 1)))
        .containsExactly("ok", KEY_ABSENT, "{successful_deletes=1}");
    assertThat(scan(table)).containsExactly("2 2");
  }

  @Test
  void aDeleteIgnoreIgnoresAnAbsentRow() throws Exception {
    KuduTable table = createWith(rows(1, 3));
    assertThat(apply(op(table.newDeleteIgnore(), "k", 1), op(table.newDeleteIgnore(), "k", 1)))
        .containsExactly("ok", "ok", "{delete_ignore_errors=1, successful_deletes=1}");
    assertThat(scan(table)).containsExactly("2 2");
  }

  private KuduTable createImmutable() throws Exception {
    return create(
        schema(
            key("k", Type.INT32),
            nullable("v", Type.INT32),
            column("im", Type.INT32).nullable(true).immutable(true).build()),
        oneTablet());
  }

  private static final String IMMUTABLE =
      "Immutable: UPDATE not allowed for immutable column: im INT32 NULLABLE IMMUTABLE";

  @Test
  void immutableColumnsCannotBeChanged() throws Exception {
    KuduTable table = createImmutable();
    apply(op(table.newInsert(), "k", 1, "v", 1, "im", 1));
    assertThat(
            apply(op(table.newUpdate(), "k", 1, "im", 2), op(table.newUpdate(), "k", 9, "im", 1)))
        .containsExactly(IMMUTABLE, IMMUTABLE, "{}");
    assertThat(
            apply(op(table.newUpsert(), "k", 1, "im", 9), op(table.newUpsert(), "k", 3, "im", 3)))
        .containsExactly(IMMUTABLE, "ok", "{successful_upserts=1}");
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1 1", "3 null 3");
  }

  @Test
  void anUpdateIgnoreKeepsImmutableColumns() throws Exception {
    KuduTable table = createImmutable();
    apply(op(table.newInsert(), "k", 1, "v", 1, "im", 1));
    assertThat(apply(op(table.newUpdateIgnore(), "k", 1, "im", 9, "v", 7)))
        .containsExactly("ok", "{successful_updates=1, update_ignore_errors=1}");
    assertThat(apply(op(table.newUpdateIgnore(), "k", 1, "im", 9)).get(0))
        .startsWith("Invalid argument: No fields updated, key is: (int32 k=");
    assertThat(scan(table)).containsExactly("1 7 1");
  }

  @Test
  void anUpsertIgnoreKeepsImmutableColumns() throws Exception {
    KuduTable table = createImmutable();
    apply(op(table.newInsert(), "k", 1, "v", 1, "im", 1));
    assertThat(
            apply(
                op(table.newUpsertIgnore(), "k", 1, "im", 9, "v", 8),
                op(table.newUpsertIgnore(), "k", 2, "im", 2)))
        .containsExactly("ok", "ok", "{successful_upserts=2, upsert_ignore_errors=1}");
    assertThat(scan(table)).containsExactlyInAnyOrder("1 8 1", "2 null 2");
  }

  @Test
  void rowsOfAutoIncrementingKeysAreNumbered() throws Exception {
    Schema schema =
        schema(column("a", Type.INT32).nonUniqueKey(true).build(), nullable("v", Type.STRING));
    String number = Schema.getAutoIncrementingColumnName();
    KuduTable table = create(schema, options().setRangePartitionColumns(List.of("a")));
    assertThat(table.getSchema().hasAutoIncrementingColumn()).isTrue();
    assertThat(table.getSchema().isPrimaryKeyUnique()).isFalse();
    apply(op(table.newInsert(), "a", 1, "v", "x"), op(table.newInsert(), "a", 1, "v", "y"));
    assertThat(apply(op(table.newUpsert(), "a", 1, "v", "z")).get(0))
        .contains("auto-incrementing column should be set for UPSERT/UPSERT_IGNORE operations");
    assertThat(apply(op(table.newUpsert(), "a", 1, number, -7L)).get(0))
        .contains("auto-incrementing column value must be greater than zero");
    apply(op(table.newUpsert(), "a", 7, number, 100L), op(table.newInsert(), "a", 3));
    assertThat(scan(table)).containsExactlyInAnyOrder("1 1 x", "1 2 y", "7 100 null", "3 101 null");
  }

  @Test
  void anInsertMustSetAllRequiredColumns() throws Exception {
    KuduTable table =
        create(schema(key("k", Type.INT32), column("w", Type.STRING).build()), oneTablet());
    String missing = "Invalid argument: No value provided for required column: w STRING NOT NULL";
    assertThat(
            apply(
                op(table.newInsert(), "k", 1, "w", "a"),
                op(table.newInsert(), "k", 2),
                op(table.newUpsert(), "k", 1),
                op(table.newUpsert(), "k", 2)))
        .containsExactly("ok", missing, missing, missing, "{successful_inserts=1}");
  }

  @Test
  void aWriteMustSetItsWholeKey() throws Exception {
    KuduTable table = create(schema(key("a", Type.INT32), key("b", Type.INT32)), oneTablet());
    assertThat(apply(op(table.newInsert(), "a", 1)).get(0))
        .startsWith("Invalid argument")
        .contains("b INT32");
    assertThat(apply(op(table.newDelete(), "a", 1)).get(0))
        .startsWith("Invalid argument")
        .contains("b INT32");
    assertThat(scan(table)).isEmpty();
  }

  @Test
  void largeCellsAndKeysAreRefused() throws Exception {
    KuduTable table =
        create(schema(key("k", Type.STRING), nullable("w", Type.STRING)), oneTablet());
    assertThat(apply(op(table.newUpsert(), "k", "a", "w", "x".repeat(65_537))).get(0))
        .contains("value too large for column 'w' (65537 bytes, maximum is 65536 bytes)");
    assertThat(apply(op(table.newUpsert(), "k", "a", "w", "x".repeat(65_536))).get(0))
        .isEqualTo("ok");
    assertThat(apply(op(table.newUpsert(), "k", "y".repeat(16_385))).get(0))
        .contains("encoded primary key too large (16385 bytes, maximum is 16384 bytes)");
    assertThat(scan(table)).hasSize(1);
  }

  @Test
  void oneBatchMayChangeARowRepeatedly() throws Exception {
    KuduTable table = createWith();
    assertThat(
            apply(
                op(table.newInsert(), "k", 1, "v", 1),
                op(table.newUpdate(), "k", 1, "v", 2),
                op(table.newDelete(), "k", 1),
                op(table.newInsert(), "k", 1, "v", 3),
                op(table.newUpsert(), "k", 1, "v", 4)))
        .startsWith("ok", "ok", "ok", "ok", "ok");
    assertThat(scan(table)).containsExactly("1 4");
  }

  @Test
  void aFlushedRowIsChangedDeletedAndReinserted() throws Exception {
    KuduTable table = createWith(rows(1, 4));
    cluster.flush();
    apply(op(table.newUpdate(), "k", 1, "v", 10), op(table.newDelete(), "k", 2));
    cluster.flush();
    apply(op(table.newInsert(), "k", 2, "v", 20), op(table.newUpdate(), "k", 3, "v", null));
    assertThat(scan(table)).containsExactlyInAnyOrder("1 10", "2 20", "3 null");
    cluster.flush();
    assertThat(scan(table)).containsExactlyInAnyOrder("1 10", "2 20", "3 null");
  }

  @Test
  void manyRowsAreWrittenInOneFlush() throws Exception {
    KuduTable table = create(keyAndValue(), options().addHashPartitions(List.of("k"), 3));
    KuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(20_000);
    for (int[] row : rows(0, 20_000)) {
      session.apply(op(table.newInsert(), "k", row[0], "v", row[1]));
    }
    assertThat(session.flush()).hasSize(20_000).noneMatch(OperationResponse::hasRowError);
    session.close();
    assertThat(scan(table, b -> b.setProjectedColumnNames(List.of()))).hasSize(20_000);
  }

  @Test
  void writesReturnTheirTimestamp() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    long first = session.apply(op(table.newInsert(), "k", 1)).getWriteTimestampRaw();
    long second = session.apply(op(table.newInsert(), "k", 2)).getWriteTimestampRaw();
    session.close();
    assertThat(second).isGreaterThan(first);
    assertThat(client.getLastPropagatedTimestamp()).isGreaterThanOrEqualTo(second);
  }

  @Test
  void commitWaitIsShortOnASynchronizedClock() throws Exception {
    KuduTable table = createWith();
    KuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    session.setTimeoutMillis(30_000); // the wait takes only some milliseconds of it
    session.setExternalConsistencyMode(ExternalConsistencyMode.COMMIT_WAIT);
    assertThat(session.apply(op(table.newInsert(), "k", 1)).hasRowError()).isFalse();
    session.close();
  }

  @Test
  void rowsMayBeWrittenFromSeveralThreads() throws Exception {
    KuduTable table = create(keyAndValue(), twoTablets());
    List<Thread> writers = new ArrayList<>();
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    for (int w = 0; w < 4; w++) {
      int from = w * 250;
      Thread writer =
          new Thread(
              () -> {
                try {
                  Operation[] inserts = new Operation[250];
                  for (int i = 0; i < inserts.length; i++) {
                    inserts[i] = op(table.newInsert(), "k", from + i, "v", i);
                  }
                  assertThat(apply(inserts)).filteredOn("ok"::equals).hasSize(250);
                } catch (Throwable e) {
                  failures.add(e);
                }
              });
      writers.add(writer);
      writer.start();
    }
    for (Thread writer : writers) {
      writer.join();
    }
    assertThat(failures).isEmpty();
    assertThat(scan(table)).hasSize(1_000);
  }
}
