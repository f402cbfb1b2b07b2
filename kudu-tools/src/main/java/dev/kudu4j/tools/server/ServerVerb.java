package dev.kudu4j.tools.server;

import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * A verb about one server, which is named. Whether it is a master or a tablet server, the mode says
 * that the verb stands in.
 */
abstract class ServerVerb extends ClusterVerb {
  @Spec private CommandSpec verb;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description =
          "HOST:PORT of the server. The port may be left out: 7051 of a master, 7050 of a tablet"
              + " server.")
  private String server;

  @Override
  public final Integer call() {
    ServerKind kind = ServerKind.of(verb);
    try (ClusterCalls calls = cluster().withoutMasters()) {
      return act(new NamedServer(kind, kind.address(server), calls));
    }
  }

  /** Does it; returns the exit code. */
  abstract int act(NamedServer named);
}
