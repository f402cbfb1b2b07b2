package dev.kudu4j.tools.server;

import dev.kudu4j.common.proto.server.SetFlagRequestPB;
import dev.kudu4j.common.proto.server.SetFlagResponsePB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import dev.kudu4j.tools.connection.SimilarName;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The change of a flag on running servers.
 *
 * @param force whether to change the flag even if it is not meant to be changed at run time
 * @param check whether the server checks the consistency of its flags
 */
record FlagChange(String flag, String value, boolean force, boolean check) {

  /** Sends the request to a server, which may reject it. */
  CompletableFuture<SetFlagResponsePB> send(NamedServer server) {
    SetFlagRequestPB request =
        SetFlagRequestPB.newBuilder()
            .setFlag(flag)
            .setValue(value)
            .setForce(force)
            .setRunConsistencyCheck(check)
            .build();
    return server.generic("SetFlag", request, SetFlagResponsePB.parser());
  }

  /**
   * Waits for the response.
   *
   * @return a message with the flag's new value and, if the server reports it, the previous value
   * @throws KuduException if the server cannot be reached or rejects the change
   */
  String outcome(NamedServer server, CompletableFuture<SetFlagResponsePB> answer) {
    SetFlagResponsePB response = server.get(answer);
    return switch (response.getResult()) {
      case SUCCESS ->
          "--"
              + flag
              + " is now '"
              + value
              + "' on "
              + server
              + (response.hasOldValue()
                  ? "; the previous value is '" + response.getOldValue() + "'"
                  : "");
      case NO_SUCH_FLAG ->
          throw KuduException.notFound("%s", unknown(flag, server, server.flagNames()));
      case NOT_SAFE ->
          throw KuduException.illegalState(
              "%s rejects the change: %s%s",
              server,
              response.getMsg(),
              force ? "" : "; --force sets it anyway, unless it is locked");
      default ->
          throw new KuduException(
              StatusCode.INVALID_ARGUMENT, server + " rejects the change: " + response.getMsg());
    };
  }

  /** The message for a flag that a server does not have. */
  static String unknown(String flag, NamedServer server, List<String> known) {
    return "There is no flag --%s on %s; %skudu %s get_flags %s --all_flags lists the flags"
        .formatted(
            flag,
            server,
            SimilarName.hint(flag, known),
            server.kind().mode(),
            ClusterCalls.text(server.address()));
  }
}
