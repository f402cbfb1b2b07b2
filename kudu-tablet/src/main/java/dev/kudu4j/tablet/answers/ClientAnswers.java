package dev.kudu4j.tablet.answers;

import java.util.Map;
import java.util.TreeMap;

/** The answers of one client, by sequence. The lock is that of {@link RememberedRequests}. */
final class ClientAnswers {
  private final TreeMap<Long, Answer> bySequence = new TreeMap<>();
  private long firstIncomplete;
  private long lastTimestamp;

  ClientAnswers(long firstIncomplete, long lastTimestamp) {
    this.firstIncomplete = firstIncomplete;
    this.lastTimestamp = lastTimestamp;
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

  Answer find(long sequence) {
    return bySequence.get(sequence);
  }

  boolean isStale(long sequence) {
    return sequence < firstIncomplete && !bySequence.containsKey(sequence);
  }

  void put(Answer answer) {
    bySequence.put(answer.sequence(), answer);
  }

  void heardAt(long timestamp) {
    lastTimestamp = Math.max(lastTimestamp, timestamp);
  }

  void forgetBelow(long sequence) {
    if (sequence > firstIncomplete) {
      firstIncomplete = sequence;
      bySequence.headMap(sequence).clear();
    }
  }

  /** Forgets the lowest sequences while they are too many, or too old. */
  void trim(int mostAnswers, long oldestTimestamp) {
    while (!bySequence.isEmpty()) {
      Map.Entry<Long, Answer> lowest = bySequence.firstEntry();
      boolean old = lowest.getValue().result().timestamp() < oldestTimestamp;
      if (!old && bySequence.size() <= mostAnswers) {
        return;
      }
      forgetBelow(lowest.getKey() + 1);
    }
  }
}
