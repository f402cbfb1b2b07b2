package dev.kudu4j.tablet.answers;

import dev.kudu4j.tablet.log.RowErrorList;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The answers of one client, by sequence, accounted for. The lock is that of {@link
 * RememberedRequests}.
 */
final class ClientAnswers {
  /** A client and its place in the maps, about. */
  private static final int CLIENT_BYTES = 300;

  /** An answer and its place in the map, about, without its errors. */
  private static final int ANSWER_BYTES = 200;

  private final RememberedRequests owner;
  private final AnswerMemory memory;
  private final String clientId;
  private final TreeMap<Long, Answer> bySequence = new TreeMap<>();

  /** Of answers whose errors take much; null as long as there is none. */
  private Map<Long, AnswerMemory.Held> large;

  private long firstIncomplete;
  private long lastTimestamp;

  ClientAnswers(
      RememberedRequests owner,
      AnswerMemory memory,
      String clientId,
      long firstIncomplete,
      long lastTimestamp) {
    this.owner = owner;
    this.memory = memory;
    this.clientId = clientId;
    this.firstIncomplete = firstIncomplete;
    this.lastTimestamp = lastTimestamp;
    memory.add(clientBytes());
  }

  private long clientBytes() {
    return CLIENT_BYTES + 2L * clientId.length();
  }

  /** Requests below are answered, given up or forgotten: none of them is applied any more. */
  long firstIncomplete() {
    return firstIncomplete;
  }

  long lastTimestamp() {
    return lastTimestamp;
  }

  Iterable<Answer> answers() {
    return bySequence.values();
  }

  int size() {
    return bySequence.size();
  }

  Answer find(long sequence) {
    return bySequence.get(sequence);
  }

  boolean isStale(long sequence) {
    return sequence < firstIncomplete && !bySequence.containsKey(sequence);
  }

  void put(Answer answer) {
    if (bySequence.put(answer.sequence(), answer) == null) {
      memory.add(ANSWER_BYTES);
    } else {
      releaseErrors(answer.sequence());
    }
    if (!answer.result().errors().isEmpty()) {
      holdErrors(answer);
    }
  }

  private void holdErrors(Answer answer) {
    long bytes = RowErrorList.of(answer.result().errors()).bytes();
    if (bytes < AnswerMemory.SMALL_BYTES) {
      return;
    }
    if (large == null) {
      large = new HashMap<>();
    }
    AnswerMemory.Held held = new AnswerMemory.Held(owner, clientId, answer.sequence(), bytes);
    large.put(answer.sequence(), held);
    memory.hold(held);
  }

  private void releaseErrors(long sequence) {
    AnswerMemory.Held held = large == null ? null : large.remove(sequence);
    if (held != null) {
      memory.release(held);
    }
  }

  /** Puts others in the place of an answer's errors, unless these are gone already. */
  void giveUpErrors(AnswerMemory.Held held, String message) {
    if (large == null || !large.remove(held.sequence(), held)) {
      return;
    }
    Answer answer = bySequence.get(held.sequence());
    bySequence.put(
        held.sequence(),
        answer.withoutErrors(
            RowErrorList.ofAll(answer.rowCount(), RememberedRequests.STALE, message)));
  }

  void heardAt(long timestamp) {
    lastTimestamp = Math.max(lastTimestamp, timestamp);
  }

  /** Returns how many answers were forgotten. */
  int forgetBelow(long sequence) {
    if (sequence <= firstIncomplete) {
      return 0;
    }
    firstIncomplete = sequence;
    NavigableMap<Long, Answer> below = bySequence.headMap(sequence, false);
    int forgotten = below.size();
    if (large != null) {
      below.keySet().forEach(this::releaseErrors);
    }
    below.clear();
    memory.add(-(long) forgotten * ANSWER_BYTES);
    return forgotten;
  }

  /** Forgets the lowest sequences while they are too many, or too old; returns how many. */
  int trim(int mostAnswers, long oldestTimestamp) {
    int forgotten = 0;
    while (!bySequence.isEmpty()) {
      Map.Entry<Long, Answer> lowest = bySequence.firstEntry();
      boolean old = lowest.getValue().result().timestamp() < oldestTimestamp;
      if (!old && bySequence.size() <= mostAnswers) {
        return forgotten;
      }
      forgotten += forgetBelow(lowest.getKey() + 1);
    }
    return forgotten;
  }

  /** Gives back what the client takes. It is no longer used. */
  void close() {
    if (large != null) {
      large.values().forEach(memory::release);
      large = null;
    }
    memory.add(-(clientBytes() + (long) bySequence.size() * ANSWER_BYTES));
    bySequence.clear();
  }
}
