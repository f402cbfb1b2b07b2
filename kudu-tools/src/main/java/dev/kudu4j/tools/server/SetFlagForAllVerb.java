package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.common.ServerRegistrationPB;
import dev.kudu4j.common.proto.master.ListMastersRequestPB;
import dev.kudu4j.common.proto.master.ListMastersResponsePB;
import dev.kudu4j.common.proto.master.ListTabletServersRequestPB;
import dev.kudu4j.common.proto.master.ListTabletServersResponsePB;
import dev.kudu4j.common.proto.master.ServerEntryPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.wire.StatusWire;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import dev.kudu4j.tools.console.ErrorText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Changes a flag on all masters or all tablet servers of a cluster. */
@Command(
    name = "set_flag_for_all",
    description = {
      "Changes a flag on every running server of this kind in a cluster, like set_flag.",
      "The verb continues if a server rejects the change or does not respond."
    },
    footer = {
      "  kudu tserver set_flag_for_all scanner_ttl_ms 30000",
      "  kudu master set_flag_for_all 127.0.0.1:7051 default_num_replicas 1",
      "",
      "Exit code: 0 all servers have changed the flag; 1 some have not."
    })
public final class SetFlagForAllVerb extends ClusterVerb {
  private static final int SOME_FAILED = 1;

  @Parameters(
      paramLabel = "[MASTERS] FLAG VALUE",
      arity = "2..3",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Option(
      names = "--force",
      description =
          "Also changes a flag without the tag runtime. A server may ignore the change,"
              + " or fail because of it.")
  private boolean force;

  private CommandSpec verb;

  @Spec
  void takeNegativeNumbers(CommandSpec spec) {
    verb = spec;
    FlagValue.takeNegativeNumbers(spec);
  }

  @Override
  public Integer call() {
    FlagValue.checkNoOption(verb, arguments.toArray(String[]::new));
    Target target = Target.of(arguments, "FLAG", "VALUE");
    FlagChange change = new FlagChange(target.argument(0), target.argument(1), force, true);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      Found found = ServerKind.of(verb) == ServerKind.MASTER ? masters(calls) : tservers(calls);
      Map<NamedServer, CompletableFuture<SetFlagResponsePB>> answers = new LinkedHashMap<>();
      found.servers().forEach(server -> answers.put(server, change.send(server)));
      int failures = found.unreachable().size();
      for (var answer : answers.entrySet()) {
        failures += report(change, answer.getKey(), answer.getValue()) ? 0 : 1;
      }
      found.unreachable().forEach(this::complain);
      return failures == 0 ? DONE : SOME_FAILED;
    }
  }

  private boolean report(
      FlagChange change, NamedServer server, CompletableFuture<SetFlagResponsePB> answer) {
    try {
      say(change.outcome(server, answer));
      return true;
    } catch (KuduException e) {
      complain(ErrorText.of(e));
      return false;
    }
  }

  private void complain(String failure) {
    err().println("kudu: " + failure);
    err().flush();
  }

  /**
   * The servers of a cluster.
   *
   * @param unreachable messages, one for each server whose address is unknown to the leading master
   */
  private record Found(List<NamedServer> servers, List<String> unreachable) {}

  private static Found tservers(ClusterCalls calls) {
    List<NamedServer> servers = new ArrayList<>();
    for (var entry :
        calls
            .master(
                "ListTabletServers",
                ListTabletServersRequestPB.getDefaultInstance(),
                ListTabletServersResponsePB.parser())
            .getServersList()) {
      servers.add(server(ServerKind.TABLET_SERVER, entry.getRegistration(), calls));
    }
    return new Found(servers, List.of());
  }

  private static Found masters(ClusterCalls calls) {
    List<NamedServer> servers = new ArrayList<>();
    List<String> unreachable = new ArrayList<>();
    for (ServerEntryPB entry :
        calls
            .master(
                "ListMasters",
                ListMastersRequestPB.getDefaultInstance(),
                ListMastersResponsePB.parser())
            .getMastersList()) {
      if (entry.getRegistration().getRpcAddressesCount() > 0) {
        servers.add(server(ServerKind.MASTER, entry.getRegistration(), calls));
      } else {
        unreachable.add("a master: " + ErrorText.of(StatusWire.fromWire(entry.getError())));
      }
    }
    return new Found(servers, unreachable);
  }

  private static NamedServer server(
      ServerKind kind, ServerRegistrationPB registration, ClusterCalls calls) {
    return new NamedServer(kind, ClusterCalls.address(registration.getRpcAddresses(0)), calls);
  }
}
