package dev.kudu4j.tools.cluster;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.master.ReplaceTabletRequestPB;
import dev.kudu4j.common.proto.master.ReplaceTabletResponsePB;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.ClusterVerb;
import dev.kudu4j.tools.connection.Target;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Replaces a lost tablet of a table by an empty one. */
@Command(
    name = "unsafe_replace_tablet",
    description = {
      "For a tablet that has permanently lost all of its replicas: replaces it by"
          + " an empty tablet, so the",
      "rest of the table can be used again. The rows of the old tablet are lost; if"
          + " one of its replicas",
      "returns, it is deleted. If one replica is left, see kudu remote_replica",
      "unsafe_change_config."
    },
    footer = {
      " kudu cluster ksck                 (UNAVAILABLE tablets, and the replicas that still run)",
      "  kudu tablet unsafe_replace_tablet 127.0.0.1:7051 TABLET"
    })
final class UnsafeReplaceTabletVerb extends ClusterVerb {
  @Parameters(
      paramLabel = "[MASTERS] TABLET",
      arity = "1..2",
      hideParamSyntax = true,
      description = Target.HELP)
  private List<String> arguments;

  @Override
  public Integer call() {
    Target target = Target.of(arguments, "TABLET");
    String tablet = target.argument(0);
    try (ClusterCalls calls = cluster().connect(target.masters())) {
      ReplaceTabletResponsePB answer =
          calls.master(
              "ReplaceTablet",
              ReplaceTabletRequestPB.newBuilder()
                  .setTabletId(ByteString.copyFromUtf8(tablet))
                  .build(),
              ReplaceTabletResponsePB.parser());
      say(
          "Tablet "
              + tablet
              + " is deleted; the empty tablet "
              + answer.getReplacementTabletId().toStringUtf8()
              + " replaces it");
    }
    return DONE;
  }
}
