package dev.kudu4j.benchmarks.lookups;

import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.ReportedTabletPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatRequestPB;
import dev.kudu4j.common.proto.cluster.TSHeartbeatResponsePB;
import dev.kudu4j.common.proto.cluster.TabletReportPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * The protocol of Kudu4j. Each report has a different number of rows, so that the master treats a
 * replica as changed.
 */
final class OurDialect implements HeartbeatDialect {
  @Override
  public boolean send(RpcClient client, InetSocketAddress master, Beat beat) {
    TabletReportPB.Builder report =
        TabletReportPB.newBuilder().setIncremental(!beat.full()).setSequence(beat.sequence());
    beat.replicas()
        .forEach(replica -> report.addUpdated(reported(replica).setLiveRowCount(beat.sequence())));
    TSHeartbeatRequestPB.Builder heartbeat =
        TSHeartbeatRequestPB.newBuilder()
            .setInstance(beat.instance())
            .setTabletReport(report)
            .setLiveTabletCount(beat.liveTablets());
    beat.registration().ifPresent(heartbeat::setRegistration);
    TSHeartbeatResponsePB answer =
        HeartbeatDialect.call(client, master, heartbeat.build(), TSHeartbeatResponsePB.parser());
    return answer.getNeedsRegistration();
  }

  private static ReportedTabletPB.Builder reported(Replica replica) {
    return ReportedTabletPB.newBuilder()
        .setTabletId(replica.tabletId())
        .setState(TabletStatePB.RUNNING)
        .setDataState(TabletDataState.TABLET_DATA_READY)
        .setConsensusState(replica.consensusState())
        .setSchemaVersion(replica.schemaVersion())
        .setOnDiskSize(0)
        .setLiveRowCount(0);
  }

  @Override
  public RpcService adminService(Consumer<Replica> created) {
    return RpcService.builder(ADMIN_SERVICE)
        .method(
            "CreateTablet",
            Access.SERVICE,
            CreateTabletRequestPB.parser(),
            (request, call) -> {
              Replica replica =
                  new Replica(
                      request.getTabletId(), request.getConfig(), request.getSchemaVersion());
              created.accept(replica);
              call.respond(
                  CreateTabletResponsePB.newBuilder().setReplica(reported(replica)).build());
            })
        .build();
  }
}
