package dev.kudu4j.tools.server;

import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Base class of verbs for one given server. The verb's parent determines whether the server is a
 * master or a tablet server.
 */
abstract class ServerVerb extends ClusterVerb {
  @Spec private CommandSpec verb;

  @Parameters(
      index = "0",
      paramLabel = "SERVER",
      description =
          "HOST:PORT of the server. The default port is 7051 for a master, 7050 for a"
              + " tablet server.")
  private String server;

  @Override
  public final Integer call() {
    ServerKind kind = ServerKind.of(verb);
    try (ClusterCalls calls = cluster().withoutMasters()) {
      return act(new NamedServer(kind, kind.address(server), calls));
    }
  }

  /** Runs the verb; returns the exit code. */
  abstract int act(NamedServer named);
}
