package dev.kudu4j.client.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.partition.Partition;
import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB.Role;
import dev.kudu4j.common.proto.master.ConnectToMasterRequestPB;
import dev.kudu4j.common.proto.master.ConnectToMasterResponsePB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationRequestPB;
import dev.kudu4j.common.proto.master.GetMasterRegistrationResponsePB;
import dev.kudu4j.common.proto.master.GetTableLocationsRequestPB;
import dev.kudu4j.common.proto.master.GetTableLocationsResponsePB;
import dev.kudu4j.common.proto.master.ListTablesRequestPB;
import dev.kudu4j.common.proto.master.ListTablesResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import dev.kudu4j.common.proto.master.TSInfoPB;
import dev.kudu4j.common.proto.master.TabletLocationsPB;
import dev.kudu4j.common.rpc.RpcService;
import dev.kudu4j.common.wire.PartitionWire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;

/**
 * A master that knows the tablets of one table. A test decides whether it leads, and the errors
 * that it returns.
 */
public final class FakeMaster extends FakeServer {
  private final boolean old;
  private final List<FakeTablet> tablets = new ArrayList<>();
  private final Queue<MasterErrorPB> errors = new ArrayDeque<>();
  private volatile boolean leads = true;
  private volatile int ttlMillis = 300_000;
  private volatile int lastLimit;

  /**
   * A tablet and the servers that have a replica; the first one leads, unless {@code hasLeader} is
   * false.
   */
  public record FakeTablet(
      String id, Partition partition, boolean hasLeader, List<FakeTabletServer> servers) {}

  private FakeMaster(boolean old) {
    this.old = old;
  }

  public static FakeMaster open() {
    return (FakeMaster) new FakeMaster(false).start();
  }

  /** Opens a master of a version that does not have ConnectToMaster. */
  public static FakeMaster openOld() {
    return (FakeMaster) new FakeMaster(true).start();
  }

  public FakeMaster leads(boolean value) {
    leads = value;
    return this;
  }

  public void ttlMillis(int millis) {
    ttlMillis = millis;
  }

  /** The next response is this error, unless the request asks for the leading master. */
  public synchronized void errNext(
      MasterErrorPB.Code code, AppStatusPB.ErrorCode status, String text) {
    errors.add(
        MasterErrorPB.newBuilder()
            .setCode(code)
            .setStatus(AppStatusPB.newBuilder().setCode(status).setMessage(text))
            .build());
  }

  public synchronized void addTablet(
      String id, byte[] start, byte[] end, FakeTabletServer... servers) {
    addTablet(id, start, end, true, servers);
  }

  public synchronized void addTablet(
      String id, byte[] start, byte[] end, boolean hasLeader, FakeTabletServer... servers) {
    add(new FakeTablet(id, new Partition(new int[0], start, end), hasLeader, List.of(servers)));
  }

  /** A tablet with hash buckets. */
  public synchronized void addTablet(String id, Partition partition, FakeTabletServer... servers) {
    add(new FakeTablet(id, partition, true, List.of(servers)));
  }

  private void add(FakeTablet added) {
    tablets.removeIf(tablet -> tablet.id().equals(added.id()));
    tablets.add(added);
    tablets.sort(Comparator.comparing(FakeTablet::partition));
  }

  public synchronized void dropTablet(String id) {
    tablets.removeIf(tablet -> tablet.id().equals(id));
  }

  /** The maximum number of tablets that the last request for locations asked for. */
  public int lastLimit() {
    return lastLimit;
  }

  @Override
  RpcService service() {
    RpcService.Builder service = RpcService.builder(ServerLinkCache.MASTER_SERVICE);
    service.features(1, 2, 3);
    if (!old) {
      add(
          service,
          "ConnectToMaster",
          ConnectToMasterRequestPB.parser(),
          (request, call) -> call.respond(introduction()));
    }
    add(
        service,
        "GetMasterRegistration",
        GetMasterRegistrationRequestPB.parser(),
        (request, call) -> call.respond(registration()));
    add(
        service,
        "Ping",
        PingRequestPB.parser(),
        (request, call) -> call.respond(PingResponsePB.getDefaultInstance()));
    add(
        service,
        "ListTables",
        ListTablesRequestPB.parser(),
        (request, call) -> call.respond(list()));
    add(
        service,
        "GetTableLocations",
        GetTableLocationsRequestPB.parser(),
        (request, call) -> call.respond(locate(request)));
    return service.build();
  }

  private ConnectToMasterResponsePB introduction() {
    return ConnectToMasterResponsePB.newBuilder()
        .setRole(leads ? Role.LEADER : Role.FOLLOWER)
        .setClusterId("the cluster")
        .build();
  }

  private GetMasterRegistrationResponsePB registration() {
    return GetMasterRegistrationResponsePB.newBuilder()
        .setInstanceId(
            NodeInstancePB.newBuilder()
                .setPermanentUuid(ByteString.copyFromUtf8("m"))
                .setInstanceSeqno(1))
        .setRole(leads ? Role.LEADER : Role.FOLLOWER)
        .build();
  }

  private synchronized MasterErrorPB nextError() {
    if (!errors.isEmpty()) {
      return errors.remove();
    }
    if (leads) {
      return null;
    }
    return MasterErrorPB.newBuilder()
        .setCode(MasterErrorPB.Code.NOT_THE_LEADER)
        .setStatus(
            AppStatusPB.newBuilder()
                .setCode(AppStatusPB.ErrorCode.ILLEGAL_STATE)
                .setMessage("not the leader"))
        .build();
  }

  private ListTablesResponsePB list() {
    MasterErrorPB error = nextError();
    return error == null
        ? ListTablesResponsePB.getDefaultInstance()
        : ListTablesResponsePB.newBuilder().setError(error).build();
  }

  /**
   * Returns locations according to the protocol: from the tablet that contains the key, or from the
   * tablet before the gap that contains it.
   */
  synchronized GetTableLocationsResponsePB locate(GetTableLocationsRequestPB request) {
    MasterErrorPB error = nextError();
    GetTableLocationsResponsePB.Builder answer = GetTableLocationsResponsePB.newBuilder();
    if (error != null) {
      return answer.setError(error).build();
    }
    lastLimit = request.getMaxReturnedLocations();
    byte[] key = request.getPartitionKeyStart().toByteArray();
    int first = 0;
    while (first + 1 < tablets.size()
        && Arrays.compareUnsigned(tablets.get(first + 1).partition().start(), key) <= 0) {
      first++;
    }
    int end = (int) Math.min(tablets.size(), (long) first + request.getMaxReturnedLocations());
    tablets.subList(first, end).forEach(tablet -> add(tablet, answer));
    return answer.setTtlMillis(ttlMillis).build();
  }

  private static void add(FakeTablet tablet, GetTableLocationsResponsePB.Builder answer) {
    TabletLocationsPB.Builder location =
        answer
            .addTabletLocationsBuilder()
            .setTabletId(ByteString.copyFromUtf8(tablet.id()))
            .setPartition(PartitionWire.toWire(tablet.partition()));
    for (FakeTabletServer server : tablet.servers()) {
      boolean leader = tablet.hasLeader() && server == tablet.servers().get(0);
      location.addInternedReplicas(
          TabletLocationsPB.InternedReplicaPB.newBuilder()
              .setTsInfoIdx(answer.getTsInfosCount())
              .setRole(leader ? Role.LEADER : Role.FOLLOWER));
      answer.addTsInfos(
          TSInfoPB.newBuilder()
              .setPermanentUuid(ByteString.copyFromUtf8(server.uuid()))
              .addRpcAddresses(
                  HostPortPB.newBuilder()
                      .setHost(server.address().host())
                      .setPort(server.address().port())));
    }
  }
}
