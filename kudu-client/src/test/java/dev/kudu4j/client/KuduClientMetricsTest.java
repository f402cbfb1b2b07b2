package dev.kudu4j.client;

import static dev.kudu4j.common.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.cluster.FakeMaster;
import dev.kudu4j.client.cluster.FakeTabletServer;
import dev.kudu4j.client.scan.FakeScans;
import dev.kudu4j.common.Patience;
import dev.kudu4j.common.partition.PartitionSchema;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.proto.tserver.WriteRequestPB;
import dev.kudu4j.common.proto.tserver.WriteResponsePB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.schema.ColumnSchema;
import dev.kudu4j.common.schema.DataType;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
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

/** Meters of a client whose one server holds every write until the test answers it. */
@Timeout(120)
class KuduClientMetricsTest {
  private static final WriteResponsePB DONE = WriteResponsePB.getDefaultInstance();

  private final BlockingQueue<RpcCall> writes = new LinkedBlockingQueue<>();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final FakeScans scans = new FakeScans(1).tablet("all", 0, 25);
  private FakeMaster master;
  private FakeTabletServer server;
  private AsyncKuduClient client;
  private KuduTable table;
  private KuduClientMetrics metrics;

  @BeforeEach
  void open() {
    master = FakeMaster.open();
    server = FakeTabletServer.open("the-server", this::write).scans(scans);
    master.addTablet("all", new byte[0], new byte[0], server);
    client = new AsyncKuduClient.AsyncKuduClientBuilder(master.address().toString()).build();
    table =
        new KuduTable(
            client,
            "table-id",
            "numbers",
            dev.kudu4j.Schema.of(
                new dev.kudu4j.common.schema.Schema(
                    List.of(ColumnSchema.builder("k", DataType.INT32).id(0).key(true).build()))),
            new PartitionSchema(List.of(), List.of(0), List.of()),
            new KuduTable.Properties(1, Map.of(), "", ""));
    metrics = new KuduClientMetrics(client, List.of(Tag.of("cluster", "test")));
    metrics.bindTo(registry);
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
    master.close();
  }

  private void write(WriteRequestPB request, RpcCall call) {
    writes.add(call);
  }

  private RpcCall nextWrite() throws InterruptedException {
    RpcCall call = writes.poll(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(call).as("a write that should come").isNotNull();
    return call;
  }

  private double gauge(String name) {
    return registry.get("kudu.client." + name).tag("cluster", "test").gauge().value();
  }

  private double count(String name) {
    return registry.get("kudu.client." + name).functionCounter().count();
  }

  private Timer requests(String method, String outcome) {
    return registry
        .find("kudu.client.requests")
        .tags("method", method, "outcome", outcome, "cluster", "test")
        .timer();
  }

  private Operation insert(int key) {
    Insert insert = table.newInsert();
    insert.getRow().addInt(0, key);
    return insert;
  }

  @Test
  void operationsArePendingUntilTheirResponse() throws Exception {
    AsyncKuduSession session = client.newSession();
    session.setFlushMode(FlushMode.MANUAL_FLUSH);
    session.apply(insert(1));
    session.apply(insert(2));
    assertThat(gauge("sessions.open")).isEqualTo(1);
    assertThat(gauge("operations.pending")).isEqualTo(2);

    CompletableFuture<List<OperationResponse>> flushed = session.flush();
    RpcCall write = nextWrite();
    assertThat(gauge("operations.pending")).isEqualTo(2);
    assertThat(gauge("operations.buffered")).isPositive();
    await("the request for the location ends, a moment after its response is used")
        .until(() -> gauge("requests.active") == 1);
    assertThat(requests("Write", "ok")).isNull();

    write.respond(DONE);
    flushed.get(Patience.SECONDS, TimeUnit.SECONDS);
    await("the request ends").until(() -> gauge("requests.active") == 0);
    assertThat(gauge("operations.pending")).isZero();
    assertThat(gauge("operations.buffered")).isZero();
    assertThat(requests("Write", "ok").count()).isEqualTo(1);
    assertThat(requests("Write", "ok").totalTime(TimeUnit.NANOSECONDS)).isPositive();
    assertThat(gauge("connections")).isEqualTo(2); // the master's and the server's
    assertThat(gauge("locations.cached")).isEqualTo(1);
    assertThat(count("network.sent")).isPositive();
    assertThat(count("network.received")).isPositive();
  }

  @Test
  void aRetriedRequestCountsOnce() throws Exception {
    AsyncKuduSession session = client.newSession();
    server.refuseNext(2);
    CompletableFuture<OperationResponse> answer = session.apply(insert(1));
    nextWrite().respond(DONE);
    answer.get(Patience.SECONDS, TimeUnit.SECONDS);
    assertThat(registry.get("kudu.client.retries").tag("method", "Write").counter().count())
        .isEqualTo(2);
    await("the request ends").until(() -> gauge("requests.active") == 0);
    assertThat(requests("Write", "ok").count()).isEqualTo(1);
  }

  @Test
  void theOutcomeOfAFailedRequestIsItsStatusCode() throws Exception {
    CompletableFuture<OperationResponse> answer = client.newSession().apply(insert(1));
    nextWrite()
        .respond(
            WriteModel.error(
                TabletServerErrorPB.Code.MISMATCHED_SCHEMA,
                AppStatusPB.ErrorCode.INVALID_ARGUMENT,
                "another schema"));
    assertThat(answer.get(Patience.SECONDS, TimeUnit.SECONDS).hasRowError()).isTrue();
    await("the request ends").until(() -> gauge("requests.active") == 0);
    assertThat(requests("Write", "invalid_argument").count()).isEqualTo(1);
    assertThat(requests("Write", "ok")).isNull();
  }

  @Test
  void aScannerIsOpenUntilItIsReadOrClosed() throws Exception {
    KuduScanner read = client.syncClient().newScannerBuilder(table).build();
    KuduScanner left = client.syncClient().newScannerBuilder(table).build();
    read.nextRows();
    left.nextRows();
    assertThat(gauge("scanners.open")).isEqualTo(scans.openScanners()).isPositive();
    while (read.hasMoreRows()) {
      read.nextRows();
    }
    left.close();
    assertThat(gauge("scanners.open")).isZero();
    double asked =
        registry
            .get("kudu.client.locations.lookups")
            .tag("answered.by", "master")
            .functionCounter()
            .count();
    double known =
        registry
            .get("kudu.client.locations.lookups")
            .tag("answered.by", "cache")
            .functionCounter()
            .count();
    assertThat(asked).isEqualTo(1);
    assertThat(known).isEqualTo(1);
  }

  @Test
  void aClosedBindingDoesNotCount() throws Exception {
    metrics.close();
    CompletableFuture<OperationResponse> answer = client.newSession().apply(insert(1));
    nextWrite().respond(DONE);
    answer.get(Patience.SECONDS, TimeUnit.SECONDS);
    await("the request ends").until(() -> gauge("requests.active") == 0);
    assertThat(requests("Write", "ok")).isNull();
  }
}
