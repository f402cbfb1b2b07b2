package dev.kudu4j.tablet.requestcache;

import dev.kudu4j.common.status.StatusCode;
import dev.kudu4j.common.time.HybridTime;
import dev.kudu4j.tablet.log.RequestId;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.proto.ClientAnswersPB;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results of recent requests by client and sequence.
 *
 * <p>A result is forgotten when the client declares that it no longer waits for the result, when
 * the result is {@link #RESULT_MICROS} older than the client's newest request, or when the cache
 * has too many results. A client is forgotten after {@link #CLIENT_MICROS} without requests. Ages
 * are differences of log timestamps, not of clock readings. While the client is known, a request
 * whose result was forgotten is <em>stale</em>: it is rejected, because applying it might apply it
 * twice.
 *
 * <p>The numbers of clients and results per tablet are bounded by rules that depend only on the
 * log. {@link RequestCacheMemory} bounds the bytes of errors of all tablets of a process.
 *
 * <p>The apply thread writes; any thread reads.
 */
public final class RequestCache {
  static final long RESULT_MICROS = 600_000_000L;
  static final long CLIENT_MICROS = 3_600_000_000L;
  static final int MAX_RESULTS_PER_CLIENT = 4096;
  static final int MAX_CLIENTS = 16384;

  /**
   * The maximum number of results of all clients. Beyond it, the results of the least recently
   * active clients are forgotten first, lowest sequences first.
   */
  static final int MAX_RESULTS = 32768;

  /**
   * Beyond {@link #MAX_RESULTS}, results are forgotten in batches of this size, so that few
   * requests search for the least recently active clients.
   */
  private static final int EVICTION_BATCH = MAX_RESULTS / 8;

  static final StatusCode STALE = StatusCode.RUNTIME_ERROR;

  private final RequestCacheMemory memory;

  /** Least recently active first. */
  private final LinkedHashMap<String, ClientRequests> clients = new LinkedHashMap<>();

  private int resultCount;

  /**
   * @param memory shared by all tablets of the process
   */
  public RequestCache(RequestCacheMemory memory) {
    this.memory = memory;
  }

  /**
   * Restores the content of a superblock.
   *
   * @param memory shared by all tablets of the process
   */
  public static RequestCache of(List<ClientAnswersPB> messages, RequestCacheMemory memory) {
    RequestCache requests = new RequestCache(memory);
    requests.addAll(messages);
    memory.enforce();
    return requests;
  }

  private synchronized void addAll(List<ClientAnswersPB> messages) {
    for (ClientAnswersPB message : messages) {
      ClientRequests client =
          newClient(
              message.getClientId(), message.getFirstIncomplete(), message.getLastTimestamp());
      message
          .getAnswersList()
          .forEach(answer -> client.put(RequestCacheMessages.ofMessage(answer)));
      clients.put(message.getClientId(), client);
      resultCount += client.size();
    }
  }

  private ClientRequests newClient(String clientId, long firstIncomplete, long timestamp) {
    return new ClientRequests(this, memory, clientId, firstIncomplete, timestamp);
  }

  /** The messages for a superblock. */
  public synchronized List<ClientAnswersPB> toMessages() {
    List<ClientAnswersPB> messages = new ArrayList<>(clients.size());
    for (Map.Entry<String, ClientRequests> client : clients.entrySet()) {
      messages.add(RequestCacheMessages.toMessage(client.getKey(), client.getValue()));
    }
    return messages;
  }

  /**
   * The complete result of a request; null if the request is unknown or a piece of it is missing.
   */
  public synchronized @Nullable RequestResult complete(RequestId id) {
    CachedResult answer = peek(id);
    return answer == null || !answer.isComplete() ? null : answer.result();
  }

  /**
   * Registers a request that is about to be applied, and looks up its cached result.
   *
   * @return the result so far if the request's piece was applied before, else null
   */
  public synchronized @Nullable RequestResult arrive(WriteRequest request, long timestamp) {
    RequestId id = request.id();
    assert id != null : "only requests with an id are cached";
    ClientRequests client = clients.remove(id.clientId());
    if (client == null) {
      client = newClient(id.clientId(), Math.min(id.firstIncomplete(), id.sequence()), timestamp);
    }
    clients.put(id.clientId(), client);
    client.recordActivity(timestamp);
    CachedResult answer = client.find(id.sequence());
    resultCount -= client.forgetBelow(Math.min(id.firstIncomplete(), id.sequence()));
    resultCount -=
        client.trim(MAX_RESULTS_PER_CLIENT, timestamp - HybridTime.ofMicros(RESULT_MICROS));
    if (resultCount > MAX_RESULTS) {
      evictEldestResults();
    }
    evictIdleClients(timestamp);
    return answer != null && request.piece() < answer.piecesApplied() ? answer.result() : null;
  }

  /**
   * Whether the request must not be applied, because its result was forgotten. Called after {@link
   * #arrive} returned null.
   */
  public synchronized boolean isStale(RequestId id) {
    ClientRequests client = clients.get(id.clientId());
    assert client != null : "arrive() adds the client";
    return client.isStale(id.sequence());
  }

  /**
   * Whether an earlier piece of the request was not applied, so that this piece must not be
   * applied. Called after {@link #arrive} returned null. The client has abandoned the request, so
   * it does not wait for this piece. If this piece were applied, a retry would treat all earlier
   * pieces as applied too, and the rows of those pieces would be lost.
   */
  public synchronized boolean lacksPieces(WriteRequest request) {
    RequestId id = request.id();
    assert id != null : "only requests with an id are cached";
    CachedResult answer = peek(id);
    return request.piece() > (answer == null ? 0 : answer.piecesApplied());
  }

  /**
   * Caches the result of an applied piece.
   *
   * @return the result of all pieces so far
   */
  public RequestResult remember(WriteRequest request, RequestResult result, int rowCount) {
    RequestResult sum = add(request, result, rowCount);
    if (!sum.errors().isEmpty()) {
      memory.enforce();
    }
    return sum;
  }

  private synchronized RequestResult add(WriteRequest request, RequestResult result, int rowCount) {
    RequestId id = request.id();
    assert id != null : "only requests with an id are cached";
    ClientRequests client = clients.get(id.clientId());
    assert client != null : "arrive() adds the client";
    CachedResult before = client.find(id.sequence());
    if (before == null) {
      before = CachedResult.none(id.sequence(), request.pieces());
      resultCount++;
    }
    CachedResult after = before.plus(request.piece(), result, rowCount);
    client.put(after);
    return after.result();
  }

  private @Nullable CachedResult peek(RequestId id) {
    ClientRequests client = clients.get(id.clientId());
    return client == null ? null : client.find(id.sequence());
  }

  private void evictIdleClients(long timestamp) {
    long oldest = timestamp - HybridTime.ofMicros(CLIENT_MICROS);
    Iterator<ClientRequests> eldestFirst = clients.values().iterator();
    while (eldestFirst.hasNext()) {
      ClientRequests eldest = eldestFirst.next();
      if (eldest.lastTimestamp() >= oldest && clients.size() <= MAX_CLIENTS) {
        return;
      }
      eldestFirst.remove();
      resultCount -= eldest.size();
      eldest.close();
    }
  }

  private void evictEldestResults() {
    Iterator<ClientRequests> eldestFirst = clients.values().iterator();
    while (resultCount > MAX_RESULTS - EVICTION_BATCH && eldestFirst.hasNext()) {
      ClientRequests eldest = eldestFirst.next();
      int max = Math.max(0, eldest.size() - (resultCount - (MAX_RESULTS - EVICTION_BATCH)));
      resultCount -= eldest.trim(max, Long.MIN_VALUE);
    }
  }

  /** Called by {@link RequestCacheMemory#enforce}, whose caller holds no lock. */
  synchronized void dropErrors(RequestCacheMemory.Held held) {
    ClientRequests client = clients.get(held.clientId());
    if (client != null) {
      client.dropErrors(
          held,
          String.format(
              Locale.ROOT,
              "request %d of client %s was applied, but its result is no longer known",
              held.sequence(),
              held.clientId()));
    }
  }

  /** Releases the memory accounting. */
  public synchronized void close() {
    clients.values().forEach(ClientRequests::close);
    clients.clear();
    resultCount = 0;
  }
}
