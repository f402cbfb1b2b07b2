package dev.kudu4j.server.peer;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.proto.replication.LeaderWordPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasRequestPB;
import dev.kudu4j.common.proto.replication.UpdateReplicasResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.server.flags.HostPort;
import dev.kudu4j.server.rpc.PeerAddresses;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of status messages with one other server. At most one message is unanswered; reports
 * that become due in the meantime are sent with the next message. Used only by the thread of the
 * {@link PeerExchange}.
 */
final class PeerStatusChannel {
  /** Composes messages and handles responses, on the exchange's thread. */
  interface StatusMessages {
    /** A message with the status of each of these tablets that this server leads. */
    UpdateReplicasRequestPB.Builder message(Set<String> tablets);

    /**
     * The other server has confirmed that it was in the term {@code term} after this server's clock
     * had shown {@code time}.
     */
    void confirmed(String serverUuid, String tabletId, long term, long time);

    /** The other server's replica has failed, or was evicted. */
    void failed(String serverUuid, String tabletId, long term);

    /** Receives the time of the other server's clock. */
    void clockSeen(long time);
  }

  private static final Logger LOG = LoggerFactory.getLogger(PeerStatusChannel.class);
  private static final int TIMEOUT_MILLIS = 2_000;

  private final String uuid;
  private final StatusMessages messages;
  private final PeerAddresses addresses;
  private final RpcClient client;
  private final Executor thread;
  private final Set<String> due = new LinkedHashSet<>();
  private boolean reached;
  private boolean underWay;

  PeerStatusChannel(
      String uuid,
      StatusMessages messages,
      PeerAddresses addresses,
      RpcClient client,
      Executor thread) {
    this.uuid = uuid;
    this.messages = messages;
    this.addresses = addresses;
    this.client = client;
    this.thread = thread;
  }

  /** Adds a report on the tablet to the next message. */
  void due(String tabletId) {
    due.add(tabletId);
  }

  /**
   * Sends the due reports, unless a message is unanswered. If no report is due, sends an empty
   * message to a server that has not been reached yet.
   */
  void send() {
    HostPort address = underWay ? null : addresses.find(uuid).orElse(null);
    if (address == null || (due.isEmpty() && reached)) {
      return;
    }
    UpdateReplicasRequestPB request =
        messages.message(due).setDestUuid(ByteString.copyFromUtf8(uuid)).build();
    due.clear();
    underWay = true;
    client
        .call(
            address.unresolved(),
            PeerService.NAME,
            "UpdateReplicas",
            request,
            UpdateReplicasResponsePB.parser(),
            RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS))
        .whenComplete(
            (response, failure) ->
                thread.execute(() -> answered(address, request, response, failure)));
  }

  private void answered(
      HostPort address,
      UpdateReplicasRequestPB request,
      RpcResponse<UpdateReplicasResponsePB> response,
      Throwable failure) {
    underWay = false;
    if (response == null) {
      LOG.debug("Server {} does not answer at {}", uuid, address, failure);
      reached = false;
      addresses.failed(uuid, address);
      return; // the next tick sends again
    }
    try (response) {
      handleResponse(address, request, response.message());
    }
    if (!due.isEmpty()) {
      send();
    }
  }

  private void handleResponse(
      HostPort address, UpdateReplicasRequestPB request, UpdateReplicasResponsePB answer) {
    if (!answer.getUuid().toStringUtf8().equals(uuid)) {
      reached = false;
      addresses.failed(uuid, address);
      return;
    }
    reached = true;
    if (answer.hasClock()) {
      messages.clockSeen(answer.getClock());
    }
    for (int position : answer.getConfirmedList()) {
      if (position < request.getWordsCount()) {
        LeaderWordPB word = request.getWords(position);
        messages.confirmed(
            uuid, word.getTabletId().toStringUtf8(), word.getTerm(), request.getClock());
      }
    }
    for (int position : answer.getFailedList()) {
      if (position < request.getWordsCount()) {
        LeaderWordPB word = request.getWords(position);
        messages.failed(uuid, word.getTabletId().toStringUtf8(), word.getTerm());
      }
    }
  }
}
