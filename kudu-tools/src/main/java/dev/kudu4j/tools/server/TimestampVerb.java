package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.server.ServerClockRequestPB;
import dev.kudu4j.common.proto.server.ServerClockResponsePB;
import picocli.CommandLine.Command;

/** Prints the hybrid time of a server. */
@Command(
    name = "timestamp",
    description =
        "Prints the current hybrid time of a server: microseconds since 1970, times 4096.",
    footer = "  ${PARENT-COMMAND-FULL-NAME} timestamp 127.0.0.1")
public final class TimestampVerb extends ServerVerb {
  @Override
  int act(NamedServer named) {
    ServerClockResponsePB clock =
        named.get(
            named.generic(
                "ServerClock",
                ServerClockRequestPB.getDefaultInstance(),
                ServerClockResponsePB.parser()));
    say(Long.toUnsignedString(clock.getTimestamp()));
    return DONE;
  }
}
