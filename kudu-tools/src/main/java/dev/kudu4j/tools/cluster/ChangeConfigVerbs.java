package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.consensus.BulkChangeConfigRequestPB;
import dev.kudu4j.common.proto.consensus.ChangeConfigResponsePB;
import dev.kudu4j.common.proto.consensus.ChangeConfigType;
import dev.kudu4j.common.proto.consensus.ConsensusStatePB;
import dev.kudu4j.common.proto.consensus.RaftPeerAttrsPB;
import dev.kudu4j.common.proto.consensus.RaftPeerPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Pause;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.FlagSpelling;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Changes the members of a tablet manually. The verbs send the change to the tablet's leader, with
 * the index of the configuration that the leader has reported. The leader rejects the change if its
 * configuration has changed since then.
 */
@Command(
    name = "change_config",
    description = "Changes which servers have a replica of a tablet, and which replicas vote.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      ChangeConfigVerbs.AddReplica.class,
      ChangeConfigVerbs.RemoveReplica.class,
      ChangeConfigVerbs.ChangeReplicaType.class,
      ChangeConfigVerbs.MoveReplica.class
    },
    footer = {
      "",
      "The master keeps each tablet at the replication factor of its table: after a"
          + " manual change,",
      "the master may add or remove a replica."
    })
final class ChangeConfigVerbs {

  /** Base class of all changes: finds the tablet and its leader, and sends the change. */
  abstract static class Change extends ClusterVerb {
    /** A tablet, its leader with the reported state, and the connection to the cluster. */
    record Tablet(String id, ServerState leader, ClusterCalls calls) {
      ConsensusStatePB state() {
        return leader.consensus().get(id);
      }

      Optional<RaftPeerPB> member(String server) {
        return state().getCommittedConfig().getPeersList().stream()
            .filter(peer -> peer.getPermanentUuid().toStringUtf8().equals(server))
            .findFirst();
      }

      RaftPeerPB requireMember(String server) {
        return member(server)
            .orElseThrow(
                () ->
                    KuduException.notFound(
                        "Server %s has no replica of tablet %s; kudu tablet info lists replicas",
                        server, id));
      }

      void requireNoReplica(String server) {
        if (member(server).isPresent()) {
          throw KuduException.alreadyPresent(
              "Server %s already has a replica of tablet %s", server, id);
        }
      }

      void change(List<BulkChangeConfigRequestPB.ConfigChangeItemPB> items) {
        ClusterCalls.get(
            calls.call(
                ServerAddress.of(leader.address()),
                ClusterSurvey.CONSENSUS,
                "BulkChangeConfig",
                BulkChangeConfigRequestPB.newBuilder()
                    .setTabletId(ByteString.copyFromUtf8(id))
                    .setDestUuid(ByteString.copyFromUtf8(leader.uuid()))
                    .setCasConfigOpidIndex(state().getCommittedConfig().getOpidIndex())
                    .addAllConfigChanges(items)
                    .build(),
                ChangeConfigResponsePB.parser()));
      }
    }

    private final String[] names;
    private CommandSpec verb;

    /**
     * @param names names of the parameters after MASTERS, of which the first is the tablet
     */
    Change(String... names) {
      this.names = names;
    }

    @Spec
    void declare(CommandSpec spec) {
      verb = spec;
      Target.declare(spec, names);
    }

    /** Makes the change; {@code rest} has the arguments after the tablet. */
    abstract void change(Tablet tablet, List<String> rest);

    @Override
    public final Integer call() {
      Target target = Target.declared(verb, names);
      String id = target.argument(0);
      try (ClusterCalls calls = cluster().connect(target.masters())) {
        ServerState leader = TabletLeader.of(id, target.masters(), calls);
        change(new Tablet(id, leader, calls), target.arguments().subList(1, names.length));
      }
      return DONE;
    }

    static BulkChangeConfigRequestPB.ConfigChangeItemPB item(
        ChangeConfigType type, RaftPeerPB.Builder peer) {
      return BulkChangeConfigRequestPB.ConfigChangeItemPB.newBuilder()
          .setType(type)
          .setPeer(peer)
          .build();
    }

    static RaftPeerPB.MemberType memberType(String text) {
      return switch (text.toUpperCase(Locale.ROOT)) {
        case "VOTER" -> RaftPeerPB.MemberType.VOTER;
        case "NON_VOTER" -> RaftPeerPB.MemberType.NON_VOTER;
        default ->
            throw KuduException.invalidArgument(
                "The type of a replica is VOTER or NON_VOTER, not '%s'", text);
      };
    }

    /** A new member, with the address under which its server has registered with the master. */
    static RaftPeerPB.Builder newMember(
        String server, RaftPeerPB.MemberType type, ClusterCalls calls) {
      return RaftPeerPB.newBuilder()
          .setPermanentUuid(ByteString.copyFromUtf8(server))
          .setMemberType(type)
          .setLastKnownAddr(address(server, calls));
    }

    private static HostPortPB address(String server, ClusterCalls calls) {
      return ClusterSurvey.registered(calls).stream()
          .filter(entry -> entry.getInstanceId().getPermanentUuid().toStringUtf8().equals(server))
          .filter(entry -> entry.getRegistration().getRpcAddressesCount() > 0)
          .findFirst()
          .orElseThrow(
              () ->
                  KuduException.notFound(
                      "The master does not know a tablet server %s; kudu tserver list lists them",
                      server))
          .getRegistration()
          .getRpcAddresses(0);
    }
  }

  /** Adds a replica. */
  @Command(
      name = "add_replica",
      description = "Adds a replica, which copies the tablet from its leader.",
      footer = "  kudu tablet change_config add_replica TABLET SERVER_UUID NON_VOTER")
  static final class AddReplica extends Change {
    AddReplica() {
      super("TABLET", "SERVER_UUID", "VOTER|NON_VOTER");
    }

    @Override
    void change(Tablet tablet, List<String> rest) {
      String server = rest.get(0);
      tablet.requireNoReplica(server);
      RaftPeerPB.Builder member = newMember(server, memberType(rest.get(1)), tablet.calls());
      tablet.change(List.of(item(ChangeConfigType.ADD_PEER, member)));
      say("Tablet " + tablet.id() + " has a new member: " + server);
    }
  }

  /** Removes a replica. */
  @Command(
      name = "remove_replica",
      description =
          "Removes a replica from the members of a tablet; the master then deletes the"
              + " replica.",
      footer = "  kudu tablet change_config remove_replica TABLET SERVER_UUID")
  static final class RemoveReplica extends Change {
    RemoveReplica() {
      super("TABLET", "SERVER_UUID");
    }

    @Override
    void change(Tablet tablet, List<String> rest) {
      RaftPeerPB member = tablet.requireMember(rest.get(0));
      tablet.change(
          List.of(
              item(
                  ChangeConfigType.REMOVE_PEER,
                  RaftPeerPB.newBuilder().setPermanentUuid(member.getPermanentUuid()))));
      say("Tablet " + tablet.id() + " has lost a member: " + rest.get(0));
    }
  }

  /** Makes a replica a voter or a non-voter. */
  @Command(
      name = "change_replica_type",
      description = "Makes a replica a voter or a non-voter.",
      footer = "  kudu tablet change_config change_replica_type TABLET SERVER_UUID VOTER")
  static final class ChangeReplicaType extends Change {
    ChangeReplicaType() {
      super("TABLET", "SERVER_UUID", "VOTER|NON_VOTER");
    }

    @Override
    void change(Tablet tablet, List<String> rest) {
      RaftPeerPB member = tablet.requireMember(rest.get(0));
      RaftPeerPB.MemberType type = memberType(rest.get(1));
      tablet.change(
          List.of(
              item(
                  ChangeConfigType.MODIFY_PEER,
                  RaftPeerPB.newBuilder()
                      .setPermanentUuid(member.getPermanentUuid())
                      .setMemberType(type))));
      say("Member " + rest.get(0) + " of tablet " + tablet.id() + " is a " + type + " now");
    }
  }

  /** Moves a replica. */
  @Command(
      name = "move_replica",
      description = {
        "Moves a replica to another server and waits until the move is complete: the"
            + " new replica is copied",
        "and becomes a voter, then the old one is removed. The tablet must be healthy."
      },
      footer = "  kudu tablet change_config move_replica TABLET FROM_UUID TO_UUID")
  static final class MoveReplica extends Change {
    private static final long LOOK_MILLIS = 500;

    @Option(
        names = "--move_timeout_sec",
        paramLabel = "SECONDS",
        defaultValue = "3600",
        description = "Maximum time to wait for the move; default ${DEFAULT-VALUE}.")
    private long timeoutSeconds;

    MoveReplica() {
      super("TABLET", "FROM_UUID", "TO_UUID");
    }

    /**
     * Asks the leader to mark the old member for replacement and to add the new member. Waits until
     * the leader has made the new member a voter, and the master has removed the old member.
     */
    @Override
    void change(Tablet tablet, List<String> rest) {
      RaftPeerPB leaving = tablet.requireMember(rest.get(0));
      tablet.requireNoReplica(rest.get(1));
      requireHealthy(tablet);
      tablet.change(
          List.of(
              item(
                  ChangeConfigType.ADD_PEER,
                  newMember(rest.get(1), RaftPeerPB.MemberType.NON_VOTER, tablet.calls())
                      .setAttrs(RaftPeerAttrsPB.newBuilder().setPromote(true))),
              item(
                  ChangeConfigType.MODIFY_PEER,
                  RaftPeerPB.newBuilder()
                      .setPermanentUuid(leaving.getPermanentUuid())
                      .setAttrs(RaftPeerAttrsPB.newBuilder().setReplace(true)))));
      say(
          "Tablet "
              + tablet.id()
              + " is moving from "
              + rest.get(0)
              + " to "
              + rest.get(1)
              + " ...");
      awaitMove(tablet, rest.get(0), rest.get(1));
      say("Tablet " + tablet.id() + " was moved");
    }

    private static void requireHealthy(Tablet tablet) {
      ClusterSurvey survey = ClusterSurvey.of(tablet.calls(), name -> true);
      for (TableState table : survey.tables()) {
        for (TableState.TabletState state : table.tablets()) {
          if (state.id().equals(tablet.id())) {
            TabletVerdict verdict = TabletVerdict.of(table, state, survey.tabletServers());
            if (verdict.health() != TabletHealth.HEALTHY) {
              throw KuduException.illegalState(
                  "Tablet %s is %s: %s; only a healthy tablet can be moved",
                  tablet.id(), verdict.health().words(), verdict.reason());
            }
          }
        }
      }
    }

    private void awaitMove(Tablet tablet, String from, String to) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
      while (!hasMoved(tablet, from, to)) {
        if (System.nanoTime() - deadline > 0) {
          throw KuduException.timedOut(
              "Tablet %s was not moved from %s to %s within %d s; the move may still"
                  + " complete, see kudu cluster ksck --tables=%s",
              tablet.id(), from, to, timeoutSeconds, tablet.id());
        }
        Pause.millis(LOOK_MILLIS);
      }
    }

    private static boolean hasMoved(Tablet before, String from, String to) {
      try {
        ClusterCalls calls = before.calls();
        ServerState leader = TabletLeader.of(before.id(), calls.masters(), calls);
        Tablet now = new Tablet(before.id(), leader, calls);
        boolean votes =
            now.member(to)
                .filter(member -> member.getMemberType() == RaftPeerPB.MemberType.VOTER)
                .isPresent();
        return votes && now.member(from).isEmpty();
      } catch (KuduException e) {
        if (e.code() == StatusCode.ILLEGAL_STATE) {
          return false; // an election is in progress
        }
        throw e;
      }
    }
  }
}
