package dev.kudu4j.client;

import dev.kudu4j.client.cluster.Cluster;
import dev.kudu4j.client.cluster.Deadline;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends signs of life of a transaction periodically until it is stopped, or the transaction is no
 * longer open. Thread-safe.
 */
final class TransactionKeepAlive {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionKeepAlive.class);

  private final Cluster cluster;
  private final TransactionRequests requests;
  private final long id;
  private final long periodMillis;
  private volatile boolean stopped;

  /**
   * @param intervalMillis after this time without a sign of life the transaction is aborted
   */
  TransactionKeepAlive(
      Cluster cluster, TransactionRequests requests, long id, long intervalMillis) {
    this.cluster = cluster;
    this.requests = requests;
    this.id = id;
    this.periodMillis = Math.max(1, intervalMillis / 2);
  }

  void start() {
    sendAfter(periodMillis);
  }

  private void sendAfter(long millis) {
    cluster.schedule(this::send, millis, TimeUnit.MILLISECONDS);
  }

  void stop() {
    stopped = true;
  }

  /** One that fails is repeated soon: the next one in turn would come too late. */
  private void send() {
    if (stopped) {
      return;
    }
    requests
        .keepAlive(id, Deadline.after(Math.max(1, periodMillis / 2)))
        .whenComplete(
            (done, failure) -> {
              if (failure != null && !stopped) {
                failed(KuduException.of(failure));
              }
              if (!stopped) {
                sendAfter(failure == null ? periodMillis : Math.max(1, periodMillis / 8));
              }
            });
  }

  private void failed(KuduException failure) {
    Status status = failure.getStatus();
    if (status.isTimedOut() || status.isServiceUnavailable() || status.isNetworkError()) {
      LOG.warn("A sign of life of transaction {} did not arrive: {}", id, status);
    } else {
      LOG.debug("Transaction {} needs no more signs of life: {}", id, status);
      stopped = true;
    }
  }
}
