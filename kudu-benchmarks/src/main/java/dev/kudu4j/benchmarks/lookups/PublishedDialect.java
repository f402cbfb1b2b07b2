package dev.kudu4j.benchmarks.lookups;

import dev.kudu4j.benchmarks.lookups.proto.PublishedCreateTabletAnswerPB;
import dev.kudu4j.benchmarks.lookups.proto.PublishedCreateTabletPB;
import dev.kudu4j.benchmarks.lookups.proto.PublishedHeartbeatAnswerPB;
import dev.kudu4j.benchmarks.lookups.proto.PublishedHeartbeatPB;
import dev.kudu4j.benchmarks.lookups.proto.PublishedReplicaPB;
import dev.kudu4j.benchmarks.lookups.proto.PublishedReportPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.rpc.Access;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcService;
import java.net.InetSocketAddress;
import java.util.function.Consumer;

/**
 * The protocol of Apache Kudu. Statistics of replicas are left out, since their format differs from
 * Kudu4j's.
 */
final class PublishedDialect implements HeartbeatDialect {
  private static final int REPLACEMENT_BEFORE_EVICTION = 1;

  @Override
  public boolean send(RpcClient client, InetSocketAddress master, Beat beat) {
    PublishedReportPB.Builder report =
        PublishedReportPB.newBuilder()
            .setIncremental(!beat.full())
            .setSequence((int) beat.sequence());
    for (Replica replica : beat.replicas()) {
      report.addUpdated(
          PublishedReplicaPB.newBuilder()
              .setTabletId(replica.tabletId())
              .setState(TabletStatePB.RUNNING)
              .setDataState(TabletDataState.TABLET_DATA_READY)
              .setConsensusState(replica.consensusState())
              .setSchemaVersion(replica.schemaVersion()));
    }
    PublishedHeartbeatPB.Builder heartbeat =
        PublishedHeartbeatPB.newBuilder()
            .setSender(PublishedHeartbeatPB.SenderPB.newBuilder().setInstance(beat.instance()))
            .setReport(report)
            .setLiveTablets(beat.liveTablets())
            .setReplacement(
                PublishedHeartbeatPB.ReplacementPB.newBuilder()
                    .setScheme(REPLACEMENT_BEFORE_EVICTION));
    beat.registration().ifPresent(heartbeat::setRegistration);
    PublishedHeartbeatAnswerPB answer =
        HeartbeatDialect.call(
            client, master, heartbeat.build(), PublishedHeartbeatAnswerPB.parser());
    return answer.getNeedsRegistration() || answer.getNeedsFullReport();
  }

  @Override
  public RpcService adminService(Consumer<Replica> created) {
    return RpcService.builder(ADMIN_SERVICE)
        .method(
            "CreateTablet",
            Access.SERVICE,
            PublishedCreateTabletPB.parser(),
            (request, call) -> {
              created.accept(new Replica(request.getTabletId(), request.getConfig(), 0));
              call.respond(PublishedCreateTabletAnswerPB.getDefaultInstance());
            })
        .build();
  }
}
