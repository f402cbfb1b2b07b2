package dev.kudu4j.tools.local;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.proto.common.MemTrackerPB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersRequestPB;
import dev.kudu4j.common.proto.server.DumpMemTrackersResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.tablet.TabletStatePB;
import dev.kudu4j.common.proto.tserver.ListTabletsRequestPB;
import dev.kudu4j.common.proto.tserver.ListTabletsResponsePB;
import dev.kudu4j.embedded.EmbeddedCluster;
import dev.kudu4j.tools.local.ServerCalls.Answer;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The state of all servers of a local cluster, as they report it.
 *
 * @param servers the masters first
 */
record ClusterReport(List<ServerReport> servers) {
  private static final String GENERIC = "kudu.server.GenericService";

  boolean isHealthy() {
    return servers.stream().allMatch(ServerReport::isHealthy);
  }

  /** Queries every server. */
  static ClusterReport of(ClusterShape shape, ServerCalls calls) {
    List<ServerReport> all = new ArrayList<>();
    all.addAll(masters(shape, calls));
    for (int i = 0; i < shape.tabletServers(); i++) {
      all.add(tabletServer(shape, i, calls));
    }
    return new ClusterReport(List.copyOf(all));
  }

  /** The state of each master; followers count as healthy while there is a leader. */
  private static List<ServerReport> masters(ClusterShape shape, ServerCalls calls) {
    List<Answer<ListTabletServersResponsePB>> answers = new ArrayList<>();
    for (int i = 0; i < shape.masters(); i++) {
      answers.add(
          calls.ask(
              address(shape.ports().masterRpc(i)),
              "kudu.master.MasterService",
              "ListTabletServers",
              ListTabletServersRequestPB.getDefaultInstance(),
              ListTabletServersResponsePB.parser()));
    }
    boolean led =
        answers.stream()
            .anyMatch(answer -> answer.message() != null && !answer.message().hasError());
    List<ServerReport> reports = new ArrayList<>();
    for (int i = 0; i < shape.masters(); i++) {
      reports.add(master(shape, i, answers.get(i), led, calls));
    }
    return reports;
  }

  /**
   * @param led whether some master is the leader
   */
  private static ServerReport master(
      ClusterShape shape,
      int index,
      Answer<ListTabletServersResponsePB> response,
      boolean led,
      ServerCalls calls) {
    String state;
    boolean healthy = false;
    ListTabletServersResponsePB answer = response.message();
    if (answer == null) {
      state = response.problem();
    } else if (answer.hasError()) {
      healthy = led && follows(answer.getError());
      state = healthy ? "running, follower" : "starting";
    } else {
      int known = answer.getServersCount();
      healthy = known >= shape.tabletServers();
      state = healthy ? "running" : "has " + known + " of " + shape.tabletServers() + " tservers";
    }
    String name = shape.masters() == 1 ? "master" : "master " + index;
    return report(
        name,
        state,
        healthy,
        -1,
        address(shape.ports().masterRpc(index)),
        answer == null ? null : calls);
  }

  private static boolean follows(MasterErrorPB error) {
    return error.getCode() == MasterErrorPB.Code.NOT_THE_LEADER
        && error.getStatus().getCode() == AppStatusPB.ErrorCode.ILLEGAL_STATE;
  }

  private static ServerReport tabletServer(ClusterShape shape, int index, ServerCalls calls) {
    InetSocketAddress address = address(shape.ports().tabletServerRpc(index));
    Answer<ListTabletsResponsePB> response =
        calls.ask(
            address,
            "kudu.tserver.TabletServerService",
            "ListTablets",
            ListTabletsRequestPB.newBuilder().setNeedSchemaInfo(false).build(),
            ListTabletsResponsePB.parser());
    String name = "tserver " + index;
    ListTabletsResponsePB answer = response.message();
    if (answer == null || answer.hasError()) {
      String state = answer == null ? response.problem() : "starting";
      return report(name, state, false, -1, address, answer == null ? null : calls);
    }
    int tablets = 0;
    int opening = 0;
    int failed = 0;
    for (ListTabletsResponsePB.StatusAndSchemaPB tablet : answer.getStatusAndSchemaList()) {
      TabletStatePB state = tablet.getTabletStatus().getState();
      tablets += isGone(state) ? 0 : 1;
      failed += state == TabletStatePB.FAILED ? 1 : 0;
      opening += isGone(state) || isDecided(state) ? 0 : 1;
    }
    String state =
        failed > 0
            ? failed + " tablets failed"
            : opening > 0 ? "opening " + opening + " tablets" : "running";
    return report(name, state, failed + opening == 0, tablets, address, calls);
  }

  private static boolean isGone(TabletStatePB state) {
    return state == TabletStatePB.SHUTDOWN || state == TabletStatePB.STOPPED;
  }

  private static boolean isDecided(TabletStatePB state) {
    return state == TabletStatePB.RUNNING || state == TabletStatePB.FAILED;
  }

  /**
   * @param calls to ask for the rest; null for a server that does not respond
   */
  private static ServerReport report(
      String name,
      String state,
      boolean healthy,
      int tablets,
      InetSocketAddress address,
      ServerCalls calls) {
    return new ServerReport(
        name,
        state,
        healthy,
        tablets,
        calls != null ? dataBytes(address, calls) : -1,
        text(address.getHostString(), address.getPort()),
        calls != null ? web(address, calls) : "");
  }

  private static long dataBytes(InetSocketAddress address, ServerCalls calls) {
    return calls
        .ask(
            address,
            GENERIC,
            "DumpMemTrackers",
            DumpMemTrackersRequestPB.getDefaultInstance(),
            DumpMemTrackersResponsePB.parser())
        .found()
        .flatMap(
            answer ->
                answer.getRootTracker().getChildTrackersList().stream()
                    .filter(tracker -> tracker.getId().equals("data"))
                    .findFirst())
        .map(MemTrackerPB::getCurrentConsumption)
        .orElse(-1L);
  }

  private static String web(InetSocketAddress address, ServerCalls calls) {
    return calls
        .ask(
            address,
            GENERIC,
            "GetStatus",
            GetStatusRequestPB.getDefaultInstance(),
            GetStatusResponsePB.parser())
        .found()
        .flatMap(answer -> answer.getStatus().getBoundHttpAddressesList().stream().findFirst())
        .map(found -> "http://" + text(found.getHost(), found.getPort()))
        .orElse("");
  }

  private static InetSocketAddress address(int port) {
    return new InetSocketAddress(EmbeddedCluster.HOST, port);
  }

  private static String text(String host, int port) {
    return host + ":" + port;
  }
}
