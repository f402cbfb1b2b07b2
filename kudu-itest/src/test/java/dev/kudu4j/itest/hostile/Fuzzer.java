package dev.kudu4j.itest.hostile;

import static dev.kudu4j.itest.hostile.Forgery.text;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.UnregisterTServerRequestPB;
import dev.kudu4j.common.proto.rpc.RequestHeader;
import dev.kudu4j.common.proto.rpc.RequestIdPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.itest.hostile.RawRpc.Outcome;
import dev.kudu4j.itest.hostile.Seeds.Seed;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.ratis.thirdparty.com.google.protobuf.StringValue;

/**
 * Sends mutated requests of every method to every port, over several connections. Each must be
 * answered, rejected, or close its connection, within its time.
 *
 * <p>Request {@code i} depends only on the seed and {@code i}: {@code -Dhostile.seed=S
 * -Dhostile.first=I -Dhostile.requests=1} repeats it.
 */
final class Fuzzer {
  private static final String WRITTEN = "fuzz written";
  private static final String SHAKEN = "fuzz shaken";
  private static final String ALTERED = "fuzz altered";

  private static final int CONNECTIONS = 4;
  private static final int CALL_MILLIS = 3_000;
  private static final int PATIENCE_MILLIS = 30_000;
  private static final int SHORT_MILLIS = 50;
  private static final int REPORT_EVERY = 10_000;
  private static final int TIDY_EVERY = 400;
  private static final int MAX_FINDINGS = 20;
  private static final int MAX_TEXT = 2_000;

  private final HostileCluster cluster;
  private final long seed;
  private final List<Seed> seeds;
  private final Scene scene;
  private final AtomicLong next;
  private final long end;
  private final Map<Outcome, AtomicLong> outcomes = new EnumMap<>(Outcome.class);
  private final ConcurrentLinkedQueue<String> findings = new ConcurrentLinkedQueue<>();

  /** Creates the tables that requests may damage. */
  Fuzzer(HostileCluster cluster, long seed, long first, long requests) throws KuduException {
    this.cluster = cluster;
    this.seed = seed;
    this.next = new AtomicLong(first);
    this.end = first + requests;
    for (Outcome outcome : Outcome.values()) {
      outcomes.put(outcome, new AtomicLong());
    }
    cluster.createTable(WRITTEN, HostileCluster.TABLET_SERVERS, 1);
    cluster.createTable(SHAKEN, HostileCluster.TABLET_SERVERS, 1);
    cluster.createTable(ALTERED, 1, 1);
    Target server = cluster.leader(WRITTEN, 0);
    scene =
        new Scene(
            cluster.master().uuid(),
            server.uuid(),
            server.instance(),
            cluster.tabletIds(WRITTEN).get(0),
            cluster.tabletIds(SHAKEN).get(0),
            WRITTEN,
            ALTERED);
    seeds = Seeds.of(scene);
  }

  /**
   * Sends all requests.
   *
   * @return descriptions of the violations
   */
  List<String> run() throws Exception {
    System.out.printf("hostile: -Dhostile.seed=%d -Dhostile.first=%d%n", seed, next.get());
    Thread[] workers = new Thread[CONNECTIONS];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = new Thread(this::work, "fuzzer-" + i);
      workers[i].setDaemon(true);
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    tidy(Set.of(HostileCluster.STILL, HostileCluster.BUSY));
    System.out.println("hostile: what became of the requests: " + outcomes);
    return List.copyOf(findings);
  }

  private void work() {
    try (Lines lines = new Lines()) {
      for (long i = next.getAndIncrement(); i < end; i = next.getAndIncrement()) {
        if (findings.size() >= MAX_FINDINGS) {
          return;
        }
        one(i, lines);
        if (i % REPORT_EVERY == REPORT_EVERY - 1) {
          System.out.printf("hostile: %,d requests of %,d%n", i + 1, end);
        }
        if (i % TIDY_EVERY == TIDY_EVERY - 1) {
          tidy(Set.of(HostileCluster.STILL, HostileCluster.BUSY, WRITTEN, SHAKEN, ALTERED));
        }
      }
    } catch (Exception | AssertionError e) {
      findings.add("the fuzzer ended: " + e);
    }
  }

  private void one(long number, Lines lines) {
    Random random = new Random(seed * 1_000_003 + number);
    random.nextInt(); // neighbouring seeds have the same first number
    Mutator mutator = new Mutator(random);
    int port = random.nextInt(20);
    if (port == 0) {
      page(number, random, mutator);
    } else if (port < 3) {
      raft(number, random, mutator);
    } else if (port == 3) {
      negotiation(number, random, mutator);
    } else {
      call(number, random, mutator, lines);
    }
  }

  private void count(long number, Outcome outcome, Supplier<String> what) {
    outcomes.get(outcome).incrementAndGet();
    if (outcome == Outcome.HUNG) {
      findings.add("request " + number + " is neither answered nor refused: " + what.get());
    }
  }

  private static String describe(Seed chosen, Target target, String user, byte[] body) {
    String text;
    try {
      text = chosen.request().getParserForType().parsePartialFrom(body).toString();
    } catch (InvalidProtocolBufferException e) {
      text = body.length + " bytes that are no message";
    }
    String shown = text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text;
    return chosen.name() + " to " + target.name() + " as " + user + ": " + shown;
  }

  // ---- calls

  private void call(long number, Random random, Mutator mutator, Lines lines) {
    Seed chosen = seeds.get(random.nextInt(seeds.size()));
    Target target = target(chosen, random);
    String user = random.nextBoolean() ? HostileCluster.STRANGER : HostileCluster.OPERATOR;
    byte[] body = mutator.mutate(chosen.request());
    try {
      RawRpc line = lines.to(target, user);
      RequestHeader header = header(line, chosen, random);
      int way = random.nextInt(30);
      if (way == 0) {
        brokenFrame(line, RawRpc.frame(header, body), random, mutator);
        lines.close(target, user);
        count(number, Outcome.CLOSED, chosen::name);
        return;
      }
      RawRpc.Reply reply = line.call(way < 4 ? odd(header, random) : header, body, PATIENCE_MILLIS);
      count(number, reply.outcome(), () -> describe(chosen, target, user, body));
      if (reply.outcome() == Outcome.CLOSED || reply.outcome() == Outcome.HUNG) {
        lines.close(target, user);
      }
    } catch (SocketTimeoutException e) {
      lines.close(target, user);
      count(number, Outcome.HUNG, () -> "negotiation with " + target.name() + " as " + user);
    } catch (IOException e) {
      lines.close(target, user);
      count(number, Outcome.CLOSED, chosen::name);
    }
    if (chosen.method().equals("Quiesce")) {
      wake(target);
    }
  }

  private Target target(Seed chosen, Random random) {
    if (chosen.isForMasters()) {
      return cluster.master();
    }
    List<Target> servers = cluster.tabletServers();
    Target any = servers.get(random.nextInt(servers.size()));
    return random.nextInt(4) == 0
        ? any
        : servers.stream()
            .filter(server -> server.uuid().equals(scene.tabletServer()))
            .findAny()
            .orElseThrow();
  }

  private static RequestHeader header(RawRpc line, Seed chosen, Random random) {
    RequestHeader.Builder header = line.call(chosen.service(), chosen.method(), CALL_MILLIS);
    if (chosen.method().equals("Write") || random.nextInt(20) == 0) {
      header.setRequestId(
          RequestIdPB.newBuilder()
              .setClientId("fuzzer-" + random.nextInt(5))
              .setSeqNo(random.nextInt(1_000))
              .setFirstIncompleteSeqNo(random.nextInt(1_000))
              .setAttemptNo(1));
    }
    return header.build();
  }

  /** A header with a value that no client would send. */
  private static RequestHeader odd(RequestHeader header, Random random) {
    RequestHeader.Builder odd = header.toBuilder();
    switch (random.nextInt(8)) {
      case 0 -> odd.setCallId(-1 - random.nextInt(100));
      case 1 -> odd.addRequiredFeatureFlags(random.nextInt());
      case 2 -> odd.addSidecarOffsets(random.nextInt());
      case 3 -> odd.clearRemoteMethod();
      case 4 -> odd.getRemoteMethodBuilder().setServiceName("no\nsuch service");
      case 5 -> odd.getRemoteMethodBuilder().setMethodName("m".repeat(random.nextInt(70_000)));
      case 6 ->
          odd.setRequestId(
              RequestIdPB.newBuilder()
                  .setClientId("i".repeat(random.nextInt(3_000)))
                  .setSeqNo(random.nextLong())
                  .setFirstIncompleteSeqNo(random.nextLong())
                  .setAttemptNo(random.nextLong()));
      default -> {
        for (int i = 0; i < 1_000; i++) {
          odd.addRequiredFeatureFlags(i);
        }
      }
    }
    return odd.build();
  }

  /** Half a frame, a frame of a wrong length, or noise; the connection is closed afterwards. */
  private static void brokenFrame(RawRpc line, byte[] frame, Random random, Mutator mutator)
      throws IOException {
    switch (random.nextInt(4)) {
      case 0 -> line.sendLength(frame.length).send(frame, random.nextInt(frame.length));
      case 1 -> line.sendLength(random.nextInt()).send(frame);
      case 2 -> line.sendFrame(mutator.bytes(frame));
      default -> line.sendLength(random.nextInt(2 * frame.length)).send(frame);
    }
    if (random.nextBoolean()) {
      line.isClosedWithin(SHORT_MILLIS);
    }
  }

  // ---- other ports, and negotiation

  private void negotiation(long number, Random random, Mutator mutator) {
    List<Target> targets = cluster.all();
    Target target = targets.get(random.nextInt(targets.size()));
    List<com.google.protobuf.Message> steps =
        List.of(
            RawRpc.hello(),
            RawRpc.plain(HostileCluster.STRANGER),
            RawRpc.context(HostileCluster.STRANGER));
    int spoiled = random.nextInt(steps.size());
    try (RawRpc line = new RawRpc(target.rpc())) {
      line.send(random.nextInt(10) == 0 ? mutator.bytes(RawRpc.PREAMBLE) : RawRpc.PREAMBLE);
      for (int i = 0; i < steps.size(); i++) {
        byte[] body = i == spoiled ? mutator.mutate(steps.get(i)) : steps.get(i).toByteArray();
        line.sendFrame(RawRpc.frame(RawRpc.header(i < 2 ? -33 : -3), body));
      }
      line.isClosedWithin(SHORT_MILLIS);
      count(number, Outcome.CLOSED, () -> "negotiation");
    } catch (IOException e) {
      count(number, Outcome.CLOSED, () -> "negotiation");
    }
  }

  private void raft(long number, Random random, Mutator mutator) {
    List<Target> members = cluster.tabletServers();
    int at = random.nextInt(members.size());
    Target target = random.nextInt(10) == 0 ? cluster.master() : members.get(at);
    String from = members.get((at + 1) % members.size()).uuid();
    byte[] hello =
        StringValue.of(RawRaft.greeting(from, target, random.nextBoolean() ? "DATA" : "CONTROL"))
            .toByteArray();
    try (RawRaft raft = new RawRaft(target.raft())) {
      raft.send(RawRaft.HELLO, random.nextInt(8) == 0 ? mutator.bytes(hello) : hello);
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        int kind = random.nextInt(9) == 0 ? random.nextInt(256) : 2 + random.nextInt(5);
        raft.send(kind, mutator.form(raftMessage(kind, from, target)));
      }
      if (random.nextInt(10) == 0) {
        raft.sendLength(random.nextInt());
      }
      raft.answer(SHORT_MILLIS);
      count(number, Outcome.ANSWERED, () -> "Raft");
    } catch (SocketTimeoutException e) {
      count(number, Outcome.REFUSED, () -> "Raft");
    } catch (IOException e) {
      count(number, Outcome.CLOSED, () -> "Raft");
    }
  }

  private byte[] raftMessage(int kind, String from, Target target) {
    return switch (kind) {
      case RawRaft.VOTE -> RawRaft.vote(from, target, scene.shaken(), 7, true).toByteArray();
      case RawRaft.APPEND -> RawRaft.append(from, target, scene.shaken(), 7).toByteArray();
      default -> RawRaft.header(from, target, scene.shaken());
    };
  }

  private void page(long number, Random random, Mutator mutator) {
    List<Target> targets = cluster.all();
    Target target = targets.get(random.nextInt(targets.size()));
    String request = mutator.text(RawHttp.get(Pages.any(random, scene)));
    try (RawHttp http = new RawHttp(target.web())) {
      http.sendText(request);
      if (random.nextInt(4) == 0 || !request.endsWith("\r\n\r\n")) {
        count(number, Outcome.CLOSED, () -> "page"); // half sent, then closed
        return;
      }
      http.answer(PATIENCE_MILLIS);
      count(number, Outcome.ANSWERED, () -> "page");
    } catch (SocketTimeoutException e) {
      boolean mayWait = !request.contains("Connection: close\r\n");
      count(number, mayWait ? Outcome.ANSWERED : Outcome.HUNG, () -> "page " + request);
    } catch (IOException e) {
      count(number, Outcome.CLOSED, () -> "page");
    }
  }

  // ---- effects of valid requests

  private static void wake(Target target) {
    try (RawRpc operator = RawRpc.operator(target.rpc())) {
      operator.call(
          PathAttacks.ADMIN,
          "Quiesce",
          QuiesceTabletServerRequestPB.newBuilder().setQuiesce(false).build().toByteArray(),
          PATIENCE_MILLIS);
    } catch (IOException e) {
      throw new AssertionError(target.name() + " takes no connection", e);
    }
  }

  /** Removes tables, replicas and servers that requests have created, as an operator would. */
  private synchronized void tidy(Set<String> keep) throws Exception {
    KuduClient client = cluster.client();
    Set<String> tablets = new HashSet<>();
    for (String table : client.getTablesList().getTablesList()) {
      if (keep.contains(table)) {
        tablets.addAll(cluster.tabletIds(table));
      } else {
        client.deleteTable(table);
      }
    }
    for (Target target : cluster.tabletServers()) {
      removeReplicasBut(tablets, target);
      wake(target);
    }
    forgetStrangers();
  }

  private static void removeReplicasBut(Set<String> keep, Target target) throws IOException {
    try (RawRpc operator = RawRpc.operator(target.rpc())) {
      ListTabletsResponsePB list =
          operator.ask(
              HostileCluster.TABLET_SERVICE,
              "ListTablets",
              ListTabletsRequestPB.getDefaultInstance(),
              ListTabletsResponsePB.parser());
      for (var tablet : list.getStatusAndSchemaList()) {
        String id = tablet.getTabletStatus().getTabletId();
        if (!keep.contains(id)) {
          DeleteTabletRequestPB request =
              DeleteTabletRequestPB.newBuilder()
                  .setTabletId(text(id))
                  .setDestUuid(target.uuidBytes())
                  .setDeleteType(TabletDataState.TABLET_DATA_DELETED)
                  .build();
          operator.call(PathAttacks.ADMIN, "DeleteTablet", request.toByteArray(), PATIENCE_MILLIS);
        }
      }
    }
  }

  private void forgetStrangers() throws IOException {
    Set<ByteString> known = new HashSet<>();
    cluster.tabletServers().forEach(target -> known.add(target.uuidBytes()));
    try (RawRpc operator = RawRpc.operator(cluster.master().rpc())) {
      ListTabletServersResponsePB list =
          operator.ask(
              RegistrationAttacks.MASTER,
              "ListTabletServers",
              ListTabletServersRequestPB.getDefaultInstance(),
              ListTabletServersResponsePB.parser());
      for (var server : list.getServersList()) {
        ByteString uuid = server.getInstanceId().getPermanentUuid();
        if (!known.contains(uuid)) {
          UnregisterTServerRequestPB request =
              UnregisterTServerRequestPB.newBuilder()
                  .setUuid(uuid.toStringUtf8())
                  .setForceUnregisterLiveTserver(true)
                  .build();
          operator.call(
              RegistrationAttacks.MASTER,
              "UnregisterTServer",
              request.toByteArray(),
              PATIENCE_MILLIS);
        }
      }
    }
  }

  /** The connections of one worker, each used until a request costs it. */
  private static final class Lines implements AutoCloseable {
    private final Map<String, RawRpc> open = new HashMap<>();

    RawRpc to(Target target, String user) throws IOException {
      String name = user + "@" + target.name();
      RawRpc line = open.get(name);
      if (line == null) {
        line = RawRpc.as(user, target.rpc());
        open.put(name, line);
      }
      return line;
    }

    void close(Target target, String user) {
      RawRpc line = open.remove(user + "@" + target.name());
      if (line != null) {
        line.close();
      }
    }

    @Override
    public void close() {
      open.values().forEach(RawRpc::close);
    }
  }

  /** Paths of pages, with their parameters. */
  private static final class Pages {
    private static final String[] PATHS = {
      "/",
      "/tables",
      "/table?id=",
      "/tablet-servers",
      "/tablets",
      "/tablet?id=",
      "/rpcz",
      "/varz",
      "/stacks",
      "/mem-trackers",
      "/page-cache",
      "/maintenance-manager",
      "/scans",
      "/tablet-copies",
      "/metrics",
      "/metrics_prometheus",
      "/metrics?metrics=a&types=b",
      "/healthz",
      "/../../etc/passwd",
      "/%2e%2e/%00"
    };

    static String any(Random random, Scene scene) {
      String path = PATHS[random.nextInt(PATHS.length)];
      return path.endsWith("=") ? path + scene.read() : path;
    }
  }
}
