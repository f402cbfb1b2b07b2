package dev.kudu4j.tools.server;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.server.GetFlagsRequestPB;
import dev.kudu4j.common.proto.server.GetFlagsResponsePB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.proto.server.ServerStatusPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.tools.connection.ClusterCalls;
import java.net.InetSocketAddress;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A server at an address, and the calls that every server supports. */
record NamedServer(ServerKind kind, InetSocketAddress address, ClusterCalls calls) {
  private static final String GENERIC = "kudu.server.GenericService";

  /** Calls a method of the generic service, which every server has. */
  <R extends Message> CompletableFuture<R> generic(
      String method, Message request, Parser<R> parser) {
    return calls.call(address, GENERIC, method, request, parser);
  }

  /**
   * Waits for a call to this server.
   *
   * @throws KuduException with the name of the server if it cannot be reached
   */
  <R> R get(CompletableFuture<R> call) {
    try {
      return ClusterCalls.get(call);
    } catch (KuduException e) {
      if (e.code() != StatusCode.NETWORK_ERROR) {
        throw e;
      }
      throw new KuduException(
          StatusCode.NETWORK_ERROR,
          "No %s responds at %s (%s); kudu %s list lists the servers of a cluster"
              .formatted(
                  kind,
                  ClusterCalls.text(address),
                  ClusterCalls.plain(e.getMessage()),
                  kind.mode()),
          e);
    }
  }

  /** The status that the server reports. */
  ServerStatusPB status() {
    return get(generic(
            "GetStatus", GetStatusRequestPB.getDefaultInstance(), GetStatusResponsePB.parser()))
        .getStatus();
  }

  /** The flags of the server, by name. */
  List<GetFlagsResponsePB.Flag> flags(GetFlagsRequestPB request) {
    return get(generic("GetFlags", request, GetFlagsResponsePB.parser())).getFlagsList().stream()
        .sorted(Comparator.comparing(GetFlagsResponsePB.Flag::getName))
        .toList();
  }

  /** The names of all flags. */
  List<String> flagNames() {
    return flags(GetFlagsRequestPB.newBuilder().setAllFlags(true).build()).stream()
        .map(GetFlagsResponsePB.Flag::getName)
        .toList();
  }

  /** The name in messages: {@code tablet server 127.0.0.1:7050}. */
  @Override
  public String toString() {
    return kind + " " + ClusterCalls.text(address);
  }
}
