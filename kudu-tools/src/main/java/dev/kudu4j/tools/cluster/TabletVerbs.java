package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.consensus.LeaderStepDownMode;
import dev.kudu4j.common.proto.consensus.LeaderStepDownRequestPB;
import dev.kudu4j.common.proto.consensus.LeaderStepDownResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.FlagSpelling;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The verbs for tablets. */
@Command(
    name = "tablet",
    description = "Acts on one tablet, or on the tablets of a table.",
    mixinStandardHelpOptions = true,
    preprocessor = FlagSpelling.class,
    synopsisSubcommandLabel = "VERB",
    subcommands = {
      TabletInfoVerb.class,
      TabletVerbs.LeaderStepDown.class,
      ChangeConfigVerbs.class,
      CompactVerb.class,
      UnsafeReplaceTabletVerb.class
    })
public final class TabletVerbs {

  /** Transfers leadership to another replica. */
  @Command(
      name = "leader_step_down",
      description = "Asks the leader of a tablet to transfer leadership to another replica.",
      footer = {
        "  kudu tablet leader_step_down 0123456789abcdef0123456789abcdef",
        "  kudu tablet leader_step_down 127.0.0.1:7051 TABLET --new_leader_uuid=UUID",
        "  kudu table list --tables=TABLE --list_tablets     (tablets, replicas and leaders)"
      })
  static final class LeaderStepDown extends ClusterVerb {
    @Parameters(
        paramLabel = "[MASTERS] TABLET",
        arity = "1..2",
        hideParamSyntax = true,
        description = Target.HELP)
    private List<String> arguments;

    @Option(
        names = "--new_leader_uuid",
        paramLabel = "UUID",
        description = "The server of the new leader; default: any.")
    private String successor;

    @Option(
        names = "--abrupt",
        description = "Steps down without waiting until a successor has the whole log.")
    private boolean abrupt;

    @Override
    public Integer call() {
      Target target = Target.of(arguments, "TABLET");
      String tablet = target.argument(0);
      if (abrupt && successor != null) {
        throw KuduException.invalidArgument("--abrupt cannot be combined with --new_leader_uuid");
      }
      try (ClusterCalls calls = cluster().connect(target.masters())) {
        ServerState leader = TabletLeader.of(tablet, target.masters(), calls);
        if (leader.uuid().equals(successor)) {
          say("Server " + leader.name() + " is the leader of tablet " + tablet + " already");
          return DONE;
        }
        ClusterCalls.get(
            calls.call(
                ServerAddress.of(leader.address()),
                ClusterSurvey.CONSENSUS,
                "LeaderStepDown",
                request(tablet, leader.uuid()),
                LeaderStepDownResponsePB.parser()));
        say("Server " + leader.name() + " steps down as leader of tablet " + tablet);
      }
      return DONE;
    }

    private LeaderStepDownRequestPB request(String tablet, String leader) {
      LeaderStepDownRequestPB.Builder request =
          LeaderStepDownRequestPB.newBuilder()
              .setTabletId(ByteString.copyFromUtf8(tablet))
              .setDestUuid(ByteString.copyFromUtf8(leader))
              .setMode(abrupt ? LeaderStepDownMode.ABRUPT : LeaderStepDownMode.GRACEFUL);
      if (successor != null) {
        request.setNewLeaderUuid(ByteString.copyFromUtf8(successor));
      }
      return request.build();
    }
  }
}
