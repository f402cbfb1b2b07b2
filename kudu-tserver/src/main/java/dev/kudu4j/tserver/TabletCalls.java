package dev.kudu4j.tserver;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.cluster.AlterSchemaRequestPB;
import dev.kudu4j.common.proto.cluster.AlterSchemaResponsePB;
import dev.kudu4j.common.proto.cluster.CompactTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CompactTabletResponsePB;
import dev.kudu4j.common.proto.cluster.CreateTabletRequestPB;
import dev.kudu4j.common.proto.cluster.CreateTabletResponsePB;
import dev.kudu4j.common.proto.cluster.FlushTabletRequestPB;
import dev.kudu4j.common.proto.cluster.FlushTabletResponsePB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesRequestPB;
import dev.kudu4j.common.proto.cluster.VerifyIndexesResponsePB;
import dev.kudu4j.common.proto.common.NodeInstancePB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerRequestPB;
import dev.kudu4j.common.proto.tserver.QuiesceTabletServerResponsePB;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCall;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridClock;
import dev.kudu4j.common.wire.SchemaWire;
import dev.kudu4j.server.maintenance.RequestedCompactions;
import dev.kudu4j.tserver.error.TabletServerError;
import dev.kudu4j.tserver.heartbeat.ReplicaReport;
import dev.kudu4j.tserver.scan.ScannerRegistry;
import dev.kudu4j.tserver.tablets.HostedTablet;
import dev.kudu4j.tserver.tablets.TabletAttributes;
import dev.kudu4j.tserver.tablets.TabletRegistry;
import dev.kudu4j.tserver.verify.IndexVerifications;
import dev.kudu4j.tserver.verify.VerificationProgress;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Calls about tablets as a whole: list, create, alter, delete, flush and compact tablets, verify
 * their indexes, and quiesce the server. Thread-safe.
 */
final class TabletCalls {
  private final NodeInstancePB instance;
  private final TabletRegistry tablets;
  private final ScannerRegistry scanners;
  private final Executor flushes;
  private final RequestedCompactions compactions;
  private final IndexVerifications verifications;
  private final HybridClock clock;
  private volatile boolean quiescing;

  /**
   * @param instance identifies this run of the server
   * @param flushes runs flushes, which take long
   */
  TabletCalls(
      NodeInstancePB instance,
      TabletRegistry tablets,
      ScannerRegistry scanners,
      Executor flushes,
      RequestedCompactions compactions,
      IndexVerifications verifications,
      HybridClock clock) {
    this.instance = instance;
    this.tablets = tablets;
    this.scanners = scanners;
    this.flushes = flushes;
    this.compactions = compactions;
    this.verifications = verifications;
    this.clock = clock;
  }

  void listTablets(ListTabletsRequestPB request, RpcCall call) {
    ListTabletsResponsePB.Builder reply = ListTabletsResponsePB.newBuilder();
    for (HostedTablet hosted : tablets.all()) {
      reply.addStatusAndSchema(describeAlone(hosted, request.getNeedSchemaInfo()));
    }
    call.respond(reply.build());
  }

  /**
   * Describes a replica. A replica that cannot be described is listed as failed, so it does not
   * prevent the list of the others.
   */
  private static ListTabletsResponsePB.StatusAndSchemaPB describeAlone(
      HostedTablet hosted, boolean withSchema) {
    try {
      return describe(hosted, withSchema);
    } catch (RuntimeException e) {
      return ListTabletsResponsePB.StatusAndSchemaPB.newBuilder()
          .setRole(RaftPeerPB.Role.UNKNOWN_ROLE)
          .setTabletStatus(
              TabletStatusPB.newBuilder()
                  .setTabletId(hosted.tabletId())
                  .setTableName("")
                  .setState(TabletStatePB.FAILED)
                  .setLastStatus("Cannot describe the replica: " + e.getMessage())
                  .setTabletDataState(hosted.dataState()))
          .build();
    }
  }

  private static ListTabletsResponsePB.StatusAndSchemaPB describe(
      HostedTablet hosted, boolean withSchema) {
    TabletStatusPB.Builder status =
        TabletStatusPB.newBuilder()
            .setTabletId(hosted.tabletId())
            .setTableName("")
            .setState(hosted.state())
            .setLastStatus(hosted.lastStatus())
            .setTabletDataState(hosted.dataState());
    if (hosted.tombstone() != null) {
      status.setTableName(hosted.tombstone().tableName());
    }
    ListTabletsResponsePB.StatusAndSchemaPB.Builder entry =
        ListTabletsResponsePB.StatusAndSchemaPB.newBuilder().setRole(RaftPeerPB.Role.UNKNOWN_ROLE);
    if (hosted.isOpen()) {
      var descriptor = hosted.tablet().descriptor();
      status
          .setTableName(descriptor.tableName())
          .setPartition(hosted.partitionWire())
          .setEstimatedOnDiskSize(hosted.onDiskBytes());
      if (withSchema) {
        entry
            .setSchema(SchemaWire.toWire(descriptor.schema(), true))
            .setPartitionSchema(hosted.partitionSchemaWire())
            .setSchemaVersion(descriptor.schemaVersion());
      }
      entry.setRole(RaftPeerPB.Role.valueOf(hosted.replica().consensus().role().name()));
    }
    return entry.setTabletStatus(status).build();
  }

  void createTablet(CreateTabletRequestPB request, RpcCall call) {
    try {
      checkDestination(request.getDestUuid());
      checkRun(request);
      if (clock.isTrusted(request.getTimestamp())) { // no row will be below it
        clock.update(request.getTimestamp());
      }
      HostedTablet created = tablets.create(request);
      call.respond(
          CreateTabletResponsePB.newBuilder().setReplica(ReplicaReport.of(created)).build());
    } catch (IOException | RuntimeException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(CreateTabletResponsePB.newBuilder().setError(error).build()));
    }
  }

  void alterSchema(AlterSchemaRequestPB request, RpcCall call) {
    try {
      checkDestination(request.getDestUuid());
      HostedTablet hosted = tablets.running(request.getTabletId());
      if (hosted.tablet().descriptor().schemaVersion() >= request.getSchemaVersion()) {
        answerAlter(call, hosted, null);
        return;
      }
      long startNanos = System.nanoTime();
      hosted
          .replica()
          .alterSchema(
              SchemaWire.fromWire(request.getSchema()),
              request.getSchemaVersion(),
              request.getTableName(),
              TabletAttributes.changedBy(request))
          .whenComplete(
              (done, failure) -> {
                hosted.writeTimes().altered(System.nanoTime() - startNanos);
                answerAlter(call, hosted, failure);
                tablets.altered(hosted);
              });
    } catch (RuntimeException e) {
      rejectAlter(call, e);
    }
  }

  private void answerAlter(RpcCall call, HostedTablet hosted, @Nullable Throwable failure) {
    if (failure == null) {
      call.respond(
          AlterSchemaResponsePB.newBuilder()
              .setTimestamp(clock.now())
              .setReplica(ReplicaReport.of(hosted))
              .build());
    } else {
      rejectAlter(call, failure);
    }
  }

  private static void rejectAlter(RpcCall call, Throwable failure) {
    TabletServerError.answer(
        call,
        failure,
        error -> call.respond(AlterSchemaResponsePB.newBuilder().setError(error).build()));
  }

  void deleteTablet(DeleteTabletRequestPB request, RpcCall call) {
    try {
      checkDestination(request.getDestUuid());
      String tabletId = request.getTabletId().toStringUtf8();
      checkConfiguration(request);
      scanners.removeAll(tabletId);
      boolean wasHere =
          request.getDeleteType() == TabletDataState.TABLET_DATA_DELETED
              ? tablets.delete(tabletId)
              : tablets.tombstone(tabletId, request.getReason());
      if (!wasHere) {
        tablets.requireTablet(request.getTabletId());
      }
      call.respond(DeleteTabletResponsePB.getDefaultInstance());
    } catch (IOException | RuntimeException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(DeleteTabletResponsePB.newBuilder().setError(error).build()));
    }
  }

  /**
   * Rejects the deletion if the configuration of the replica is later than the one in the request.
   */
  private void checkConfiguration(DeleteTabletRequestPB request) {
    HostedTablet hosted = tablets.find(request.getTabletId().toStringUtf8());
    if (hosted == null || !hosted.isRunning() || !request.hasCasConfigOpidIndexLessOrEqual()) {
      return;
    }
    long here = hosted.replica().consensus().configurationIndex();
    if (here > request.getCasConfigOpidIndexLessOrEqual()) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.CAS_FAILED,
          StatusCode.ILLEGAL_STATE,
          "The replica of tablet %s has configuration %d, later than %d in the delete request"
              .formatted(hosted.tabletId(), here, request.getCasConfigOpidIndexLessOrEqual()));
    }
  }

  void flushTablet(FlushTabletRequestPB request, RpcCall call) {
    flushes.execute(
        () -> {
          try {
            int flushed =
                request.hasTabletId() ? flush(tablets.running(request.getTabletId())) : flushAll();
            call.respond(FlushTabletResponsePB.newBuilder().setFlushed(flushed).build());
          } catch (IOException | RuntimeException e) {
            TabletServerError.answer(
                call,
                e,
                error -> call.respond(FlushTabletResponsePB.newBuilder().setError(error).build()));
          }
        });
  }

  void compactTablet(CompactTabletRequestPB request, RpcCall call) {
    try {
      checkDestination(request.getDestUuid());
      call.respond(CompactionReply.of(compaction(request)));
    } catch (RuntimeException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(CompactTabletResponsePB.newBuilder().setError(error).build()));
    }
  }

  private RequestedCompactions.Progress compaction(CompactTabletRequestPB request) {
    if (!request.getOnlyAsk()) {
      return compactions.request(tablets.running(request.getTabletId()).maintained());
    }
    String tabletId = tablets.requireTablet(request.getTabletId()).tabletId();
    return compactions
        .find(tabletId)
        .orElseThrow(
            () ->
                KuduException.notFound(
                    "This server has no recent request to compact tablet %s; requests are lost when"
                        + " the server restarts",
                    tabletId));
  }

  void verifyIndexes(VerifyIndexesRequestPB request, RpcCall call) {
    try {
      checkDestination(request.getDestUuid());
      call.respond(VerificationReply.of(verification(request)));
    } catch (RuntimeException e) {
      TabletServerError.answer(
          call,
          e,
          error -> call.respond(VerifyIndexesResponsePB.newBuilder().setError(error).build()));
    }
  }

  private VerificationProgress verification(VerifyIndexesRequestPB request) {
    if (!request.getOnlyAsk()) {
      return verifications.request(tablets.running(request.getTabletId()), request.getIndex());
    }
    String tabletId = tablets.requireTablet(request.getTabletId()).tabletId();
    return verifications.find(tabletId, request.getIndex());
  }

  private static int flush(HostedTablet hosted) throws IOException {
    hosted.maintained().flushNow("on request");
    return 1;
  }

  /**
   * Flushes all running replicas. Ignores the failure of a replica that stops during its flush
   * because it is being deleted.
   */
  private int flushAll() throws IOException {
    int flushed = 0;
    for (HostedTablet hosted : tablets.all()) {
      if (!hosted.isRunning()) {
        continue;
      }
      try {
        flushed += flush(hosted);
      } catch (IOException | KuduException e) {
        if (hosted.isRunning()) {
          throw e;
        }
      }
    }
    return flushed;
  }

  /**
   * Starts or ends quiescing. A request without {@code quiesce} changes nothing; the response
   * always contains the state.
   */
  void quiesce(QuiesceTabletServerRequestPB request, RpcCall call) {
    if (request.hasQuiesce()) {
      quiescing = request.getQuiesce();
    }
    QuiesceTabletServerResponsePB.Builder reply =
        QuiesceTabletServerResponsePB.newBuilder().setIsQuiescing(quiescing);
    if (request.getReturnStats()) {
      reply
          .setNumActiveScanners(scanners.count())
          .setNumLeaders(
              (int)
                  tablets.all().stream()
                      .filter(hosted -> hosted.isOpen() && hosted.replica().isLeader())
                      .count());
    }
    call.respond(reply.build());
  }

  /** Whether new scanners are rejected and leadership is to move to other servers. */
  boolean isQuiescing() {
    return quiescing;
  }

  /**
   * Rejects a request that was sent to an earlier run of the server: the tablet in the request may
   * have been deleted since then.
   */
  private void checkRun(CreateTabletRequestPB request) {
    if (request.hasDestInstanceSeqno()
        && request.getDestInstanceSeqno() != instance.getInstanceSeqno()) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.WRONG_SERVER_UUID,
          StatusCode.ILLEGAL_STATE,
          "Tablet server "
              + instance.getPermanentUuid().toStringUtf8()
              + " has restarted since the request to create tablet "
              + request.getTabletId().toStringUtf8());
    }
  }

  private void checkDestination(ByteString uuid) {
    if (!uuid.isEmpty() && !uuid.equals(instance.getPermanentUuid())) {
      throw new TabletServerError(
          TabletServerErrorPB.Code.WRONG_SERVER_UUID,
          StatusCode.INVALID_ARGUMENT,
          "Wrong destination UUID requested. Local UUID: "
              + instance.getPermanentUuid().toStringUtf8()
              + ". Requested UUID: "
              + uuid.toStringUtf8());
    }
  }
}
