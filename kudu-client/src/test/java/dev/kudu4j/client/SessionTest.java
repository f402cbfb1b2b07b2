package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kudu4j.ColumnSchema.ColumnSchemaBuilder;
import dev.kudu4j.Schema;
import dev.kudu4j.Type;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Statistics.Statistic;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.write.WriteMemory;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.key.KeyBuffer;
import dev.kudu4j.common.key.KeyEncoder;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.ExternalConsistencyMode;
import dev.kudu4j.common.proto.tserver.ResourceMetricsPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.row.OperationType;
import dev.kudu4j.common.row.RowLayout;
import dev.kudu4j.common.row.RowOperationsReader;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.wire.RowOperationsWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions against one server that holds every write until the test answers it. */
@Timeout(120)
class SessionTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              new ColumnSchemaBuilder("key", Type.INT32).key(true).build(),
              new ColumnSchemaBuilder("text", Type.STRING).nullable(true).build()),
          List.of(0, 1));
  private static final RowLayout LAYOUT = RowLayout.of(SCHEMA.toCommon());
  private static final WriteResponsePB DONE =
      WriteResponsePB.newBuilder().setTimestamp(4_711).build();

  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();
  private FakeMaster master;
  private FakeTabletServer server;
  private AsyncKuduClient client;
  private KuduTable table;
  private volatile boolean over;

  /** A write that waits for its response. */
  private record Held(WriteRequestPB request, RpcCall call) {
    List<String> rows() {
      List<String> rows = new ArrayList<>();
      RowOperationsReader reader =
          RowOperationsWire.fromWire(request.getRowOperations(), LAYOUT).reader();
      while (reader.next()) {
        PartialRow row = SCHEMA.newPartialRow();
        row.setCell(0, reader.cell(0));
        rows.add(reader.type() + " " + row.getInt(0));
      }
      return rows;
    }
  }

  @BeforeEach
  void open() throws Exception {
    master = FakeMaster.open();
    server = FakeTabletServer.open("the-server", this::write);
    master.addTablet("low", key(0), key(100), server);
    master.addTablet("high", key(100), key(200), server);
    client = new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString()).build();
    table = openTable();
    // caches the locations, so that batches do not depend on the master's speed
    get(table.tablets().at(key(0), Deadline.after(30_000)));
  }

  private KuduTable openTable() {
    return openTable(client);
  }

  private static KuduTable openTable(AsyncKuduClient client) {
    return new KuduTable(
        client,
        "table-id",
        "texts",
        SCHEMA,
        new PartitionSchema(List.of(), List.of(0), List.of()),
        new KuduTable.Properties(1, Map.of(), "", ""));
  }

  private void write(WriteRequestPB request, RpcCall call) {
    held.add(new Held(request, call));
    if (over) {
      answerAll();
    }
  }

  private void answerAll() {
    Held left = held.poll();
    while (left != null) {
      left.call().respond(DONE);
      left = held.poll();
    }
  }

  @AfterEach
  void close() {
    over = true;
    answerAll();
    client.close();
    server.close();
    master.close();
  }

  private static byte[] key(int value) {
    KeyBuffer key = new KeyBuffer();
    KeyEncoder.appendInt(value, key);
    return key.toByteArray();
  }

  private Operation insert(int key) {
    Insert insert = table.newInsert();
    insert.getRow().addInt(0, key);
    return insert;
  }

  private Held next() throws InterruptedException {
    Held next = held.poll(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("a write that should come").isNotNull();
    return next;
  }

  private static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(Patience.SECONDS, TimeUnit.SECONDS);
  }

  private AsyncKuduSession session(FlushMode mode) {
    AsyncKuduSession session = client.newSession();
    session.setFlushMode(mode);
    return session;
  }

  private static WriteResponsePB errors(Map<Integer, AppStatusPB.ErrorCode> byRow) {
    WriteResponsePB.Builder response = WriteResponsePB.newBuilder().setTimestamp(5);
    byRow.forEach(
        (row, code) ->
            response
                .addPerRowErrorsBuilder()
                .setRowIndex(row)
                .setError(AppStatusPB.newBuilder().setCode(code).setMessage("no")));
    return response.build();
  }

  @Test
  void defaultsEqualThoseOfApacheKudu() {
    AsyncKuduSession session = client.newSession();
    assertThat(session.getFlushMode()).isEqualTo(FlushMode.AUTO_FLUSH_SYNC);
    assertThat(session.getTimeoutMillis()).isEqualTo(30_000);
    assertThat(session.isIgnoreAllDuplicateRows()).isFalse();
    assertThat(session.isIgnoreAllNotFoundRows()).isFalse();
    assertThat(session.isClosed()).isFalse();
    assertThat(session.hasPendingOperations()).isFalse();
  }

  @Test
  void autoFlushSyncSendsEachOperationImmediately() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    CompletableFuture<OperationResponse> answer = session.apply(insert(7));
    Held write = next();
    assertThat(write.request().getTabletId().toStringUtf8()).isEqualTo("low");
    assertThat(write.rows()).containsExactly("INSERT 7");
    assertThat(write.call().requestId()).isPresent();
    assertThat(write.request().getExternalConsistencyMode())
        .isEqualTo(ExternalConsistencyMode.CLIENT_PROPAGATED);
    assertThat(write.request().hasPropagatedTimestamp()).isFalse();
    write.call().respond(DONE);

    assertThat(get(answer).hasRowError()).isFalse();
    assertThat(get(answer).getWriteTimestampRaw()).isEqualTo(4_711);
    assertThat(get(answer).getTsUUID()).isEqualTo("the-server");
    assertThat(client.getLastPropagatedTimestamp()).isEqualTo(4_711);
  }

  @Test
  void timestampsArePropagatedWithTheNextWrite() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    session.setExternalConsistencyMode(dev.kudu4j.client.ExternalConsistencyMode.COMMIT_WAIT);
    CompletableFuture<OperationResponse> first = session.apply(insert(7));
    next().call().respond(DONE);
    get(first);
    CompletableFuture<OperationResponse> second = session.apply(insert(8));
    Held write = next();
    assertThat(write.request().getPropagatedTimestamp()).isEqualTo(4_711);
    assertThat(write.request().getExternalConsistencyMode())
        .isEqualTo(ExternalConsistencyMode.COMMIT_WAIT);
    write.call().respond(DONE);
    get(second);
  }

  @Test
  void operationsForABusyTabletAreBatched() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    session.apply(insert(1));
    Held first = next();
    session.apply(insert(2));
    session.apply(insert(150));
    session.apply(insert(3));
    Held other = next();
    assertThat(other.rows()).as("another tablet need not wait").containsExactly("INSERT 150");
    assertThat(held).isEmpty();
    first.call().respond(DONE);
    Held second = next();
    assertThat(second.rows()).containsExactly("INSERT 2", "INSERT 3");
    second.call().respond(DONE);
    other.call().respond(DONE);
    get(session.close());
  }

  @Test
  void manualFlushSendsOnFlushAndReturnsResponsesInOrder() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    for (int key : new int[] {1, 150, 2, 250, 151}) {
      session.apply(insert(key));
    }
    assertThat(session.hasPendingOperations()).isTrue();
    assertThat(held).isEmpty();
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    for (int i = 0; i < 2; i++) {
      Held write = next();
      write
          .call()
          .respond(
              write.request().getTabletId().toStringUtf8().equals("low")
                  ? errors(Map.of(1, AppStatusPB.ErrorCode.ALREADY_PRESENT))
                  : DONE);
    }
    List<OperationResponse> responses = get(flush);

    assertThat(responses).hasSize(5);
    assertThat(responses.stream().map(OperationResponse::hasRowError))
        .containsExactly(false, false, true, true, false);
    assertThat(responses.get(2).getRowError().getErrorStatus().isAlreadyPresent()).isTrue();
    assertThat(responses.get(2).getRowError().getOperation().getRow().getInt(0)).isEqualTo(2);
    assertThat(responses.get(3).getRowError().getErrorStatus().isNotFound()).isTrue();
    assertThat(OperationResponse.collectErrors(responses)).hasSize(2);
    assertThat(session.hasPendingOperations()).isFalse();
    assertThat(session.countPendingErrors()).isZero();
    assertThat(get(session.flush())).isEmpty();
  }

  @Test
  void writesOfARowKeepTheirOrderAcrossTwoOpenedTables() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    master.pause();
    table.tablets().forgetGaps(); // the location of row 1000 is unknown
    session.apply(insert(1_000));
    session.apply(insert(7));
    Delete delete = openTable().newDelete();
    delete.getRow().addInt(0, 7);
    CompletableFuture<OperationResponse> last = session.apply(delete);
    master.resume();
    for (String row : List.of("INSERT 7", "DELETE 7")) {
      Held write = next();
      assertThat(write.rows()).containsExactly(row);
      write.call().respond(DONE);
    }
    assertThat(get(last).hasRowError()).isFalse();
  }

  @Test
  void manualFlushRejectsOperationsBeyondTheBuffer() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(2);
    session.apply(insert(1));
    session.apply(insert(2));
    assertThatThrownBy(() -> session.apply(insert(3)))
        .isInstanceOf(KuduException.class)
        .hasMessageContaining("MANUAL_FLUSH is enabled but the buffer is too big");
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    next().call().respond(DONE);
    assertThat(get(flush)).hasSize(2);
    session.apply(insert(3));
  }

  @Test
  void manualFlushRejectsOperationsDuringTwoFlushes() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(insert(1));
    session.flush();
    session.apply(insert(2));
    CompletableFuture<List<OperationResponse>> second = session.flush();
    CompletableFuture<?> room = refused(session, insert(3));
    assertThat(room).isNotDone();
    next().call().respond(DONE);
    get(room);
    session.apply(insert(3));
    next().call().respond(DONE);
    assertThat(get(second)).hasSize(1);
  }

  /** Asserts that the session is full; the returned future completes when it has room again. */
  private static CompletableFuture<?> refused(AsyncKuduSession session, Operation operation) {
    PleaseThrottleException full =
        catchThrowableOfType(PleaseThrottleException.class, () -> session.apply(operation));
    assertThat(full.getFailedRpc()).isSameAs(operation);
    return full.getDeferred();
  }

  @Test
  void operationsOfAllSessionsShareTheMemory() throws Exception {
    WriteMemory memory = new WriteMemory(1 << 20);
    try (AsyncKuduClient small = anotherClient(memory)) {
      KuduTable texts = openTable(small);
      AsyncKuduSession first = small.newSession();
      List<CompletableFuture<OperationResponse>> answers = new ArrayList<>();
      CompletableFuture<?> room = null;
      while (room == null) {
        assertThat(answers.size()).as("operations of 200,000 bytes in a megabyte").isLessThan(10);
        try {
          answers.add(first.apply(large(texts, answers.size())));
        } catch (PleaseThrottleException full) {
          room = full.getDeferred();
        }
      }
      AsyncKuduSession second = small.newSession();
      answers.add(second.apply(large(texts, 50))); // one operation is always accepted
      refused(second, large(texts, 51));
      over = true;
      answerAll();
      get(room);
      for (CompletableFuture<OperationResponse> answer : answers) {
        assertThat(get(answer).hasRowError()).isFalse();
      }
      get(first.close());
      get(second.close());
      assertThat(memory.takenBytes()).isZero();
    }
  }

  private static Operation large(KuduTable texts, int key) {
    Insert large = texts.newInsert();
    large.getRow().addInt(0, key);
    large.getRow().addString(1, "x".repeat(100_000));
    return large;
  }

  private AsyncKuduClient anotherClient(WriteMemory memory) {
    return new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString())
        .writeMemory(memory)
        .build();
  }

  @Test
  void rowsBehindAnUnansweredBatchFailWithItsReason() {
    await() // retries if the rows were not applied shortly after one another
        .untilAsserted(this::assertRowsBehindABatchFailWithItsReason);
  }

  private void assertRowsBehindABatchFailWithItsReason() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    session.setTimeoutMillis(1_000);
    CompletableFuture<OperationResponse> first = session.apply(insert(1));
    CompletableFuture<OperationResponse> second = session.apply(insert(2));
    CompletableFuture<OperationResponse> third = session.apply(insert(3));
    Status why = get(first).getRowError().getErrorStatus();
    assertThat(why.isTimedOut()).isTrue();
    assertThat(why.getMessage()).contains("Write to tablet low of table texts");
    for (CompletableFuture<OperationResponse> late : List.of(second, third)) {
      Status status = get(late).getRowError().getErrorStatus();
      assertThat(status.isTimedOut()).isTrue();
      assertThat(status.getMessage())
          .contains("ms of their time-out, 1000 ms, behind earlier rows", why.getMessage());
    }
  }

  @Test
  void theTimeBeforeAFlushDoesNotCount() throws Exception {
    try (AsyncKuduClient newcomer = anotherClient(WriteMemory.ofThisJvm())) {
      AsyncKuduSession session = newcomer.newSession();
      session.setFlushMode(FlushMode.MANUAL_FLUSH);
      session.setTimeoutMillis(500);
      Insert insert = openTable(newcomer).newInsert(); // its tablet must be looked up
      insert.getRow().addInt(0, 1);
      session.apply(insert);
      get(newcomer.cluster().after(600));
      session.setTimeoutMillis(30_000);
      CompletableFuture<List<OperationResponse>> flush = session.flush();
      next().call().respond(DONE);
      assertThat(get(flush).get(0).hasRowError()).isFalse();
    }
  }

  @Test
  void manualBufferMayBeLimitedInBytes() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(1_000, 200);
    Insert large = table.newInsert();
    large.getRow().addInt(0, 1);
    large.getRow().addString(1, "x".repeat(1_000));
    session.apply(large); // one operation always fits
    assertThatThrownBy(() -> session.apply(insert(3))).isInstanceOf(KuduException.class);
  }

  @Test
  void settingsCannotChangeWhileOperationsAreBuffered() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(insert(1));
    assertThatThrownBy(() -> session.setFlushMode(FlushMode.AUTO_FLUSH_SYNC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot change flush mode when writes are buffered");
    assertThatThrownBy(() -> session.setMutationBufferSpace(7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                session.setExternalConsistencyMode(
                    dev.kudu4j.client.ExternalConsistencyMode.COMMIT_WAIT))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void backgroundFlushSendsAFullBuffer() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(3);
    session.setFlushInterval(1_000_000);
    session.apply(insert(1));
    session.apply(insert(2));
    assertThat(held).isEmpty();
    session.apply(insert(3));
    Held write = next();
    assertThat(write.rows()).hasSize(3);
    write.call().respond(errors(Map.of(0, AppStatusPB.ErrorCode.ALREADY_PRESENT)));
    get(session.flush());
    RowErrorsAndOverflowStatus pending = session.getPendingErrors();
    assertThat(pending.getRowErrors()).hasSize(1);
    assertThat(pending.getRowErrors()[0].getOperation().getRow().getInt(0)).isEqualTo(1);
    assertThat(pending.isOverflowed()).isFalse();
    assertThat(session.countPendingErrors()).isZero();
  }

  @Test
  void backgroundFlushSendsAfterTheInterval() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setFlushInterval(10);
    session.apply(insert(1));
    Held write = next();
    assertThat(write.rows()).containsExactly("INSERT 1");
    write.call().respond(DONE);
    get(session.flush());
    session.apply(insert(2));
    next().call().respond(DONE);
  }

  @Test
  void backgroundFlushRejectsOperationsBeyondTwoBuffersUntilResponses() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setMutationBufferSpace(2);
    session.setFlushInterval(1_000_000);
    for (int i = 0; i < 4; i++) {
      session.apply(insert(i));
    }
    PleaseThrottleException full = null;
    try {
      session.apply(insert(4));
    } catch (PleaseThrottleException e) {
      full = e;
    }
    assertThat(full).isNotNull();
    assertThat(full.getFailedRpc().getRow().getInt(0)).isEqualTo(4);
    assertThat(full.getDeferred()).isNotDone();

    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(
            () -> {
              try {
                new KuduSession(session).apply(insert(5));
              } catch (KuduException e) {
                throw new AssertionError(e);
              }
            });
    Held first = next();
    assertThat(first.rows()).containsExactly("INSERT 0", "INSERT 1");
    assertThat(waiting).isNotDone();
    first.call().respond(DONE);
    get(full.getDeferred());
    next().call().respond(DONE);
    get(waiting);
    CompletableFuture<List<OperationResponse>> closing = session.close();
    next().call().respond(DONE);
    get(closing);
  }

  @Test
  void ignoredErrorsAreNotReported() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setIgnoreAllDuplicateRows(true);
    session.setIgnoreAllNotFoundRows(true);
    for (int i = 0; i < 3; i++) {
      session.apply(insert(i));
    }
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    next()
        .call()
        .respond(
            errors(
                Map.of(
                    0, AppStatusPB.ErrorCode.ALREADY_PRESENT,
                    1, AppStatusPB.ErrorCode.NOT_FOUND,
                    2, AppStatusPB.ErrorCode.INVALID_ARGUMENT)));
    assertThat(get(flush).stream().map(OperationResponse::hasRowError))
        .containsExactly(false, false, true);
  }

  @Test
  void aSchemaThatDoesNotMatchFailsEveryRowOfTheBatch() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(insert(1));
    session.apply(insert(2));
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    next()
        .call()
        .respond(
            WriteModel.error(
                TabletServerErrorPB.Code.MISMATCHED_SCHEMA,
                AppStatusPB.ErrorCode.INVALID_ARGUMENT,
                "Client provided column text not present in tablet"));
    List<OperationResponse> responses = get(flush);
    assertThat(responses).hasSize(2);
    for (OperationResponse response : responses) {
      assertThat(response.getRowError().getErrorStatus().isInvalidArgument()).isTrue();
      assertThat(response.getRowError().getErrorStatus().toString()).contains("not present");
    }
  }

  @Test
  void aBatchTimesOutAndTheSessionContinues() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_SYNC);
    session.setTimeoutMillis(200);
    OperationResponse late = get(session.apply(insert(1)));
    assertThat(late.getRowError().getErrorStatus().isTimedOut()).isTrue();
    session.setTimeoutMillis(30_000);
    CompletableFuture<OperationResponse> second = session.apply(insert(2));
    Held write = next();
    while (write.rows().equals(List.of("INSERT 1"))) { // if it was sent before its timeout
      write = next();
    }
    assertThat(write.rows()).containsExactly("INSERT 2");
    write.call().respond(DONE);
    assertThat(get(second).hasRowError()).isFalse();
  }

  @Test
  void rowsOfADroppedRangeAreLookedUpAgain() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(insert(10));
    session.apply(insert(60));
    session.apply(insert(150));
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    Held first = next();
    Held second = next();
    boolean lowFirst = first.request().getTabletId().toStringUtf8().equals("low");
    Held low = lowFirst ? first : second;
    (lowFirst ? second : first).call().respond(DONE);
    master.dropTablet("low");
    master.addTablet("lower", key(0), key(50), server);
    low.call()
        .respond(
            WriteModel.error(
                TabletServerErrorPB.Code.TABLET_NOT_FOUND,
                AppStatusPB.ErrorCode.NOT_FOUND,
                "Tablet not found"));
    Held again = next();
    assertThat(again.request().getTabletId().toStringUtf8()).isEqualTo("lower");
    assertThat(again.rows()).containsExactly("INSERT 10");
    again.call().respond(DONE);
    List<OperationResponse> responses = get(flush);
    assertThat(responses.stream().map(OperationResponse::hasRowError))
        .containsExactly(false, true, false);
    assertThat(responses.get(1).getRowError().getErrorStatus().isNotFound()).isTrue();
  }

  @Test
  void largeBatchesAreSplit() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.setMutationBufferSpace(1_000);
    String text = "x".repeat(60_000);
    for (int i = 0; i < 100; i++) {
      Insert insert = table.newInsert();
      insert.getRow().addInt(0, i);
      insert.getRow().addString(1, text);
      session.apply(insert);
    }
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    Held first = next();
    assertThat(first.request().getSerializedSize()).isBetween(4 << 20, 5 << 20);
    first.call().respond(DONE);
    Held second = next();
    second.call().respond(DONE);
    assertThat(first.rows().size() + second.rows().size()).isEqualTo(100);
    assertThat(get(flush)).hasSize(100);
  }

  @Test
  void everyKindOfOperationIsSent() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    List<Operation> operations =
        List.of(
            table.newInsert(),
            table.newInsertIgnore(),
            table.newUpsert(),
            table.newUpsertIgnore(),
            table.newUpdate(),
            table.newUpdateIgnore(),
            table.newDelete(),
            table.newDeleteIgnore());
    for (Operation operation : operations) {
      operation.getRow().addInt(0, 5);
      session.apply(operation);
    }
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    Held write = next();
    assertThat(write.rows())
        .containsExactly(
            OperationType.INSERT + " 5",
            OperationType.INSERT_IGNORE + " 5",
            OperationType.UPSERT + " 5",
            OperationType.UPSERT_IGNORE + " 5",
            OperationType.UPDATE + " 5",
            OperationType.UPDATE_IGNORE + " 5",
            OperationType.DELETE + " 5",
            OperationType.DELETE_IGNORE + " 5");
    write.call().respond(DONE);
    get(flush);
  }

  @Test
  void anInvalidOperationIsRejectedWithoutAnEffect() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    assertThatThrownBy(() -> session.apply(table.newInsert()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Primary key column key is not set");
    assertThatThrownBy(() -> new KuduSession(session).apply(table.newInsert()))
        .isInstanceOf(KuduException.class)
        .hasMessage("Primary key column key is not set");
    Operation operation = insert(1);
    session.apply(operation);
    assertThatThrownBy(() -> session.apply(operation)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> operation.getRow().addString(1, "x"))
        .isInstanceOf(IllegalStateException.class);
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    next().call().respond(DONE);
    assertThat(get(flush)).hasSize(1);
  }

  @Test
  void closingTheClientFlushesItsSessions() throws Exception {
    AsyncKuduSession session = session(FlushMode.AUTO_FLUSH_BACKGROUND);
    session.setFlushInterval(1_000_000);
    session.apply(insert(1));
    CompletableFuture<Void> closing = CompletableFuture.runAsync(client::close);
    Held write = next();
    assertThat(closing).isNotDone();
    write.call().respond(DONE);
    get(closing);
    assertThat(session.isClosed()).isTrue();
    assertThat(session.hasPendingOperations()).isFalse();
  }

  @Test
  void countersOfServersAndClientAreKept() throws Exception {
    AsyncKuduSession session = session(FlushMode.MANUAL_FLUSH);
    session.apply(insert(1));
    session.apply(insert(2));
    CompletableFuture<List<OperationResponse>> flush = session.flush();
    next()
        .call()
        .respond(
            errors(Map.of(0, AppStatusPB.ErrorCode.ALREADY_PRESENT)).toBuilder()
                .setResourceMetrics(ResourceMetricsPB.newBuilder().setSuccessfulInserts(1))
                .build());
    get(flush);
    assertThat(session.getWriteOpMetrics().getMetric("successful_inserts")).isEqualTo(1);
    assertThat(client.getStatistics().getClientStatistic(Statistic.WRITE_OPS)).isEqualTo(1);
    assertThat(client.getStatistics().getClientStatistic(Statistic.OPS_ERRORS)).isEqualTo(1);
    assertThat(client.getStatistics().getClientStatistic(Statistic.WRITE_RPCS)).isEqualTo(1);
    assertThat(client.getStatistics().getClientStatistic(Statistic.BYTES_WRITTEN)).isPositive();
  }

  @Test
  void theErrorCollectorKeepsTheNewest() {
    ErrorCollector collector = new ErrorCollector(2);
    for (int i = 0; i < 3; i++) {
      collector.addError(new RowError(Status.NotFound("row " + i), insert(i), null));
    }
    assertThatThrownBy(() -> collector.resize(1)).isInstanceOf(IllegalArgumentException.class);
    RowErrorsAndOverflowStatus errors = collector.getErrors();
    assertThat(errors.isOverflowed()).isTrue();
    assertThat(errors.getRowErrors()).hasSize(2);
    assertThat(errors.getRowErrors()[0].getErrorStatus().toString()).contains("row 1");
    assertThat(collector.countErrors()).isZero();
    assertThat(collector.getErrors().isOverflowed()).isFalse();
  }
}
