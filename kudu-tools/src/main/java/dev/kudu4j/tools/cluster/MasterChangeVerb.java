package dev.kudu4j.tools.cluster;

import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.master.AddMasterRequestPB;
import dev.kudu4j.common.proto.master.AddMasterResponsePB;
import dev.kudu4j.common.proto.master.RemoveMasterRequestPB;
import dev.kudu4j.common.proto.master.RemoveMasterResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Masters;
import dev.kudu4j.tools.connection.Target;
import java.net.InetSocketAddress;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Changes the set of masters of a cluster, by a request to the leading master. */
public abstract class MasterChangeVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "MASTERS MASTER",
      arity = "2",
      hideParamSyntax = true,
      description =
          "MASTERS: those of the cluster; MASTER: HOST:PORT of the master to add or" + " remove.")
  private List<String> arguments;

  abstract void change(ClusterCalls calls, InetSocketAddress master);

  abstract String done(InetSocketAddress master);

  @Override
  public final Integer call() {
    Target target = Target.of(arguments, "MASTER");
    InetSocketAddress master = Masters.of(target.argument(0)).addresses().get(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      change(calls, master);
    }
    say(done(master));
    return DONE;
  }

  private static HostPortPB toWire(InetSocketAddress address) {
    return HostPortPB.newBuilder()
        .setHost(address.getHostString())
        .setPort(address.getPort())
        .build();
  }

  /** Adds a master. */
  @Command(
      name = "add",
      description = {
        "Adds a master to a running cluster. The new master copies the catalog and then votes.",
        "Start it first, on an empty directory, with --master_addresses containing"
            + " all masters and itself. Afterwards, give the new list to every master and"
            + " tablet server at its next start."
      },
      footer = "  kudu master add a:7051,b:7051 c:7051")
  public static final class Add extends MasterChangeVerb {
    @Override
    void change(ClusterCalls calls, InetSocketAddress master) {
      calls.master(
          "AddMaster",
          AddMasterRequestPB.newBuilder().setRpcAddr(toWire(master)).build(),
          AddMasterResponsePB.parser());
    }

    @Override
    String done(InetSocketAddress master) {
      return "Master " + ClusterCalls.text(master) + " is being added; see kudu master list";
    }
  }

  /** Removes a master. */
  @Command(
      name = "remove",
      description = {
        "Removes a master from a running cluster. The master may be down.",
        "Stop it and delete its directory afterwards."
      },
      footer = "  kudu master remove a:7051,b:7051 c:7051 --master_uuid=UUID")
  public static final class Remove extends MasterChangeVerb {
    @Option(
        names = "--master_uuid",
        paramLabel = "UUID",
        description = "UUID of the master, needed if several masters used the address.")
    private String uuid;

    @Override
    void change(ClusterCalls calls, InetSocketAddress master) {
      RemoveMasterRequestPB.Builder request =
          RemoveMasterRequestPB.newBuilder().setRpcAddr(toWire(master));
      if (uuid != null) {
        request.setMasterUuid(uuid);
      }
      calls.master("RemoveMaster", request.build(), RemoveMasterResponsePB.parser());
    }

    @Override
    String done(InetSocketAddress master) {
      return "Master "
          + ClusterCalls.text(master)
          + " was removed; stop it and delete its directory";
    }
  }
}
