package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyRequestPB;
import dev.kudu4j.common.proto.consensus.StartTabletCopyResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.tablet.TabletDataState;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tablet.TabletStatusPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletRequestPB;
import dev.kudu4j.common.proto.tserver.DeleteTabletResponsePB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.console.FlagSpelling;
import dev.kudu4j.tools.console.ListColumn;
import dev.kudu4j.tools.console.ListFormat;
import dev.kudu4j.tools.console.ListPrinter;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs for the replicas of one running tablet server, without a master. */
@Command(
    name = "remote_replica",
    description = "Acts on replicas of the given running tablet server, without a master.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      RemoteReplicaVerbs.ListReplicas.class,
      RemoteReplicaDumpVerb.class,
      RemoteReplicaVerbs.Copy.class,
      RemoteReplicaVerbs.Delete.class,
      UnsafeChangeConfigVerb.class
    })
public final class RemoteReplicaVerbs {
  private static final int DEFAULT_PORT = 7050;
  static final String DATA = "kudu.tserver.TabletServerService";
  private static final String ADMIN = "kudu.tserver.TabletServerAdminService";

  private static InetSocketAddress address(String server) {
    HostPort address = HostPort.parse(server, DEFAULT_PORT);
    return InetSocketAddress.createUnresolved(address.host(), address.port());
  }

  static ByteString uuid(ClusterCalls calls, InetSocketAddress server) {
    return ClusterCalls.get(
            calls.call(
                server,
                "kudu.server.GenericService",
                "GetStatus",
                GetStatusRequestPB.getDefaultInstance(),
                GetStatusResponsePB.parser()))
        .getStatus()
        .getNodeInstance()
        .getPermanentUuid();
  }

  private static List<TabletStatusPB> replicas(ClusterCalls calls, InetSocketAddress server) {
    return described(calls, server, false).stream()
        .map(ListTabletsResponsePB.StatusAndSchemaPB::getTabletStatus)
        .sorted(
            Comparator.comparing(TabletStatusPB::getTableName)
                .thenComparing(TabletStatusPB::getTabletId))
        .toList();
  }

  private static List<ListTabletsResponsePB.StatusAndSchemaPB> described(
      ClusterCalls calls, InetSocketAddress server, boolean withSchemas) {
    ListTabletsRequestPB request =
        ListTabletsRequestPB.newBuilder().setNeedSchemaInfo(withSchemas).build();
    return ClusterCalls.get(
            calls.call(server, DATA, "ListTablets", request, ListTabletsResponsePB.parser()))
        .getStatusAndSchemaList();
  }

  /** A running replica, with its schema. */
  static ListTabletsResponsePB.StatusAndSchemaPB demandRunning(
      ClusterCalls calls, InetSocketAddress server, String tablet) {
    return described(calls, server, true).stream()
        .filter(replica -> replica.getTabletStatus().getTabletId().equals(tablet))
        .filter(replica -> replica.getTabletStatus().getState() == TabletStatePB.RUNNING)
        .findFirst()
        .orElseThrow(
            () ->
                KuduException.illegalState(
                    "There is no running replica of tablet %s on %s; kudu remote_replica list %s"
                        + " lists its replicas",
                    tablet, ClusterCalls.text(server), ClusterCalls.text(server)));
  }

  private static Optional<TabletStatusPB> replica(
      ClusterCalls calls, InetSocketAddress server, String tablet) {
    return replicas(calls, server).stream()
        .filter(replica -> replica.getTabletId().equals(tablet))
        .findFirst();
  }

  /** Base class of verbs for the replicas of one server. */
  abstract static class OfServer extends ClusterVerb {
    @Parameters(
        index = "0",
        paramLabel = "TSERVER",
        description = "HOST:PORT of the tablet server.")
    private String server;

    /** The address as the operator wrote it. */
    final String server() {
      return server;
    }

    final InetSocketAddress address() {
      return RemoteReplicaVerbs.address(server);
    }
  }

  /** Base class of verbs for one replica. */
  abstract static class OfReplica extends OfServer {
    @Parameters(index = "1", paramLabel = "TABLET", description = "Id of the tablet.")
    private String tablet;

    final String tablet() {
      return tablet;
    }
  }

  /** Lists replicas. */
  @Command(
      name = "list",
      description =
          "Lists the replicas of a tablet server, including tombstones and copies in"
              + " progress.",
      footer = {
        "  kudu remote_replica list 127.0.0.1:7050",
        "  kudu remote_replica list 127.0.0.1:7050 --table_name=people --format=json"
      })
  static final class ListReplicas extends OfServer {
    @Option(
        names = "--table_name",
        paramLabel = "NAME",
        description = "Only replicas of this table.")
    private String table;

    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        defaultValue = "pretty",
        description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}.")
    private ListFormat format;

    private static final List<ListColumn> COLUMNS =
        List.of(
            ListColumn.text("tablet"),
            ListColumn.text("table"),
            ListColumn.text("state"),
            ListColumn.text("data"),
            ListColumn.number("bytes"),
            ListColumn.text("status"));

    @Override
    public Integer call() {
      try (ClusterCalls calls = cluster().withoutMasters();
          ListPrinter list = format.open(COLUMNS, out())) {
        for (TabletStatusPB replica : replicas(calls, address())) {
          if (table == null || table.equals(replica.getTableName())) {
            list.row(
                List.of(
                    replica.getTabletId(),
                    replica.getTableName(),
                    replica.getState().name(),
                    replica.getTabletDataState().name().replace("TABLET_DATA_", ""),
                    replica.getEstimatedOnDiskSize(),
                    replica.getLastStatus()));
          }
        }
      }
      return DONE;
    }
  }

  /** Copies a replica. */
  @Command(
      name = "copy",
      description = {
        "Copies a replica from one tablet server to another one, which must have no"
            + " replica of the tablet,",
        "a tombstone or a failed replica; waits for the end of the copy. The members"
            + " of the tablet do not change."
      },
      footer = "  kudu remote_replica copy TABLET 127.0.0.1:7050 127.0.0.1:7060")
  static final class Copy extends ClusterVerb {
    private static final long PAUSE_MILLIS = 200;

    @Parameters(index = "0", paramLabel = "TABLET", description = "Id of the tablet.")
    private String tablet;

    @Parameters(index = "1", paramLabel = "SOURCE", description = "HOST:PORT of a tablet server.")
    private String source;

    @Parameters(
        index = "2",
        paramLabel = "TARGET",
        description = "HOST:PORT of another tablet server.")
    private String target;

    @Option(
        names = "--force_copy",
        description =
            "Also replaces a tombstone, even if the source may lack data of the deleted"
                + " replica.")
    private boolean force;

    @Override
    public Integer call() {
      InetSocketAddress from = address(source);
      InetSocketAddress to = address(target);
      try (ClusterCalls calls = cluster().withoutMasters()) {
        demandRunning(calls, from, tablet);
        ClusterCalls.get(
            calls.call(
                to,
                ClusterSurvey.CONSENSUS,
                "StartTabletCopy",
                request(calls, from, to),
                StartTabletCopyResponsePB.parser()));
        awaitReplica(calls, to);
      }
      say("Tablet " + tablet + " was copied from " + source + " to " + target);
      return DONE;
    }

    private StartTabletCopyRequestPB request(
        ClusterCalls calls, InetSocketAddress from, InetSocketAddress to) {
      StartTabletCopyRequestPB.Builder request =
          StartTabletCopyRequestPB.newBuilder()
              .setTabletId(ByteString.copyFromUtf8(tablet))
              .setDestUuid(uuid(calls, to))
              .setCopyPeerUuid(uuid(calls, from))
              .setCopyPeerAddr(
                  HostPortPB.newBuilder().setHost(from.getHostString()).setPort(from.getPort()));
      if (force) {
        request.setCallerTerm(Long.MAX_VALUE);
      }
      return request.build();
    }

    private void awaitReplica(ClusterCalls calls, InetSocketAddress to) {
      while (true) {
        TabletStatusPB status =
            replica(calls, to, tablet)
                .orElseThrow(
                    () ->
                        KuduException.notFound(
                            "The copy of tablet %s to %s was abandoned; see the log of the server",
                            tablet, target));
        if (status.getTabletDataState() == TabletDataState.TABLET_DATA_TOMBSTONED) {
          throw KuduException.illegalState(
              "The copy of tablet %s to %s was abandoned; see the log of the server. The"
                  + " same command resumes it",
              tablet, target);
        }
        if (status.getState() == TabletStatePB.RUNNING) {
          return;
        }
        Pause.millis(PAUSE_MILLIS);
      }
    }
  }

  /** Deletes a replica. */
  @Command(
      name = "delete",
      description = {
        "Stops a replica and deletes its data, except for a tombstone. The members of"
            + " the tablet do not",
        "change: its leader, if there is one, still considers the replica a member."
      },
      footer = "  kudu remote_replica delete 127.0.0.1:7050 TABLET 'disk is failing'")
  static final class Delete extends OfReplica {
    @Parameters(index = "2", paramLabel = "REASON", description = "Recorded in the tombstone.")
    private String reason;

    @Override
    public Integer call() {
      InetSocketAddress address = address();
      try (ClusterCalls calls = cluster().withoutMasters()) {
        DeleteTabletRequestPB request =
            DeleteTabletRequestPB.newBuilder()
                .setDestUuid(uuid(calls, address))
                .setTabletId(ByteString.copyFromUtf8(tablet()))
                .setReason(reason)
                .setDeleteType(TabletDataState.TABLET_DATA_TOMBSTONED)
                .build();
        ClusterCalls.get(
            calls.call(address, ADMIN, "DeleteTablet", request, DeleteTabletResponsePB.parser()));
      }
      say("Tablet " + tablet() + " on " + server() + " is now a tombstone");
      return DONE;
    }
  }
}
