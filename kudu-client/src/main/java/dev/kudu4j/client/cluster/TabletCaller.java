package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Calls tablets.
 *
 * @param requests assigns ids to the calls that must take effect once
 */
record TabletCaller(
    ServerLinkCache links,
    ReplicaChooser chooser,
    RequestTracker requests,
    Timers timers,
    Activity activity) {

  <R extends Message> CompletableFuture<TabletReply<R>> call(
      RemoteTablet tablet,
      ReplicaChoice choice,
      TabletCall<R> call,
      Function<RemoteReplica, Message> request,
      Deadline deadline) {
    return new TabletRequest<>(this, tablet, choice, call, request, deadline).begin();
  }

  <R extends Message> CompletableFuture<TabletReply<R>> callOnce(
      RemoteReplica replica,
      TabletCall<R> call,
      Message request,
      Deadline deadline,
      boolean giveUpWhenSilent) {
    List<Integer> features = call.features();
    RpcCallOptions options =
        new RpcCallOptions(timeoutMillis(deadline), features, Optional.empty());
    CompletableFuture<TabletReply<R>> reply =
        links
            .tabletServer(replica)
            .call(call.service(), call.method(), request, call.parser(), options, giveUpWhenSilent)
            .thenApply(
                response -> {
                  TabletServerErrorPB error = call.error().apply(response.message());
                  if (error.hasCode()) {
                    response.close();
                    throw TabletServerFailure.fromWire(error);
                  }
                  return new TabletReply<>(response, replica);
                });
    activity.began(call.method(), reply);
    return reply;
  }

  static long timeoutMillis(Deadline deadline) {
    return Math.max(1, Math.min(Integer.MAX_VALUE, deadline.millisLeft()));
  }
}
