package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.proto.master.PingRequestPB;
import dev.kudu4j.common.proto.master.PingResponsePB;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** The masters of the cluster, and the one that is known to lead. Thread-safe. */
final class MasterCaller {
  static final MasterCall<PingResponsePB> PING =
      MasterCall.of("Ping", PingResponsePB.parser(), pong -> MasterErrorPB.getDefaultInstance());
  static final PingRequestPB PING_REQUEST = PingRequestPB.getDefaultInstance();

  private final List<ServerLink> links;
  private final Timers timers;
  private final Activity activity;
  private final AtomicReference<LeadingMaster> leader = new AtomicReference<>();
  private final AtomicReference<CompletableFuture<LeadingMaster>> search = new AtomicReference<>();
  private volatile LeadingMaster lastLeader;

  MasterCaller(List<ServerLink> links, Timers timers, Activity activity) {
    this.links = List.copyOf(links);
    this.timers = timers;
    this.activity = activity;
  }

  /** The leader if it is known, else the result of a search, which all callers share. */
  CompletableFuture<LeadingMaster> leader() {
    LeadingMaster known = leader.get();
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    CompletableFuture<LeadingMaster> mine = new CompletableFuture<>();
    CompletableFuture<LeadingMaster> running = search.compareAndExchange(null, mine);
    if (running != null) {
      return running;
    }
    new LeaderSearch(links, timers)
        .begin()
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                leader.set(found);
                lastLeader = found;
              }
              search.set(null);
              if (failure == null) {
                mine.complete(found);
              } else {
                mine.completeExceptionally(failure);
              }
            });
    return mine;
  }

  /** Forgets {@code seen}, which no longer leads; keeps a leader that was found later. */
  void forgetLeader(LeadingMaster seen) {
    leader.compareAndSet(seen, null);
  }

  /** The leader found last, even during a new search; null before a leader is found. */
  LeadingMaster lastLeader() {
    return lastLeader;
  }

  Activity activity() {
    return activity;
  }

  /** Calls the leader, whichever master that is at the time, with retries until the deadline. */
  <R extends Message> CompletableFuture<R> call(
      MasterCall<R> call, Message request, Deadline deadline) {
    return new MasterRequest<>(this, timers, call, request, deadline).begin();
  }
}
