package dev.kudu4j.client;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.kudu4j.client.cluster.Deadline;
import dev.kudu4j.common.proto.transactions.BeginTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.CommitTransactionResponsePB;
import dev.kudu4j.common.proto.transactions.GetTransactionStateResponsePB;
import dev.kudu4j.common.proto.transactions.TxnStatePB;
import dev.kudu4j.common.proto.transactions.TxnTokenPB;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A handle of a transaction: rows of any tables that become visible together at one timestamp, or
 * not at all. On servers of Kudu4j a transaction may insert, upsert, update and delete; on those of
 * Apache Kudu, insert only.
 *
 * <pre>{@code
 * try (KuduTransaction transaction = client.newTransaction()) {
 *   KuduSession session = transaction.newKuduSession();
 *   session.apply(insert);
 *   session.flush();
 *   if (session.countPendingErrors() == 0) {
 *     transaction.commit();
 *   } else {
 *     transaction.rollback();
 *   }
 * }
 * }</pre>
 *
 * <p>Flush the sessions before the commit: rows that arrive later are refused. Until the commit,
 * nobody sees the rows, the transaction itself included.
 *
 * <p>Other processes can write in the same transaction: {@link #serialize} makes a token of the
 * handle. A handle that {@link KuduClient#newTransaction} returned sends signs of life until the
 * transaction ends or the handle is closed; without them the servers abort the transaction. Closing
 * a handle does not end the transaction.
 *
 * <p>Thread-safe.
 */
public class KuduTransaction implements AutoCloseable {
  private static final int FIRST_POLL_MILLIS = 1;
  private static final int LONGEST_POLL_MILLIS = 100;
  private static final int COMMIT_WAIT_MILLIS = 1_000;

  /** How a handle is serialised. */
  public static class SerializationOptions {
    private boolean enableKeepalive;

    /** Whether the handle of the token sends signs of life; false by default. */
    public boolean isKeepaliveEnabled() {
      return enableKeepalive;
    }

    /**
     * Sets whether the handle of the token sends signs of life. Not needed while the handle that
     * began the transaction does.
     */
    public SerializationOptions setEnableKeepalive(boolean enabled) {
      this.enableKeepalive = enabled;
      return this;
    }
  }

  private final AsyncKuduClient client;
  private final TransactionRequests requests;
  private final long id;
  private final int keepaliveMillis;
  private final TransactionKeepAlive keepAlive;
  private volatile boolean open = true;

  private KuduTransaction(
      AsyncKuduClient client, long id, int keepaliveMillis, boolean keepsAlive) {
    this.client = client;
    this.requests = new TransactionRequests(client.cluster());
    this.id = id;
    this.keepaliveMillis = keepaliveMillis;
    this.keepAlive = new TransactionKeepAlive(client.cluster(), requests, id, keepaliveMillis);
    if (keepsAlive && keepaliveMillis > 0) {
      keepAlive.start();
    }
  }

  static KuduTransaction begin(AsyncKuduClient client) throws KuduException {
    BeginTransactionResponsePB begun =
        join(new TransactionRequests(client.cluster()).begin(client.adminDeadline()));
    return new KuduTransaction(client, begun.getTxnId(), begun.getKeepaliveMillis(), true);
  }

  /**
   * A handle of the transaction of a token. It works with the published client's tokens too.
   *
   * @throws IOException if these are not the bytes of a token
   */
  public static KuduTransaction deserialize(byte[] token, AsyncKuduClient client)
      throws IOException {
    TxnTokenPB parsed;
    try {
      parsed = TxnTokenPB.parseFrom(token);
    } catch (InvalidProtocolBufferException e) {
      throw new IOException("These are not the bytes of a transaction: " + e.getMessage(), e);
    }
    if (!parsed.hasTxnId()) {
      throw new IOException("The token names no transaction");
    }
    return new KuduTransaction(
        client, parsed.getTxnId(), parsed.getKeepaliveMillis(), parsed.getEnableKeepalive());
  }

  /** A token whose handle sends no signs of life. */
  public byte[] serialize() throws IOException {
    return serialize(new SerializationOptions());
  }

  /** A token, with which another process can write in the transaction, and end it. */
  public byte[] serialize(SerializationOptions options) throws IOException {
    return TxnTokenPB.newBuilder()
        .setTxnId(id)
        .setKeepaliveMillis(keepaliveMillis)
        .setEnableKeepalive(options.isKeepaliveEnabled())
        .build()
        .toByteArray();
  }

  /** A session whose rows belong to the transaction. */
  public KuduSession newKuduSession() {
    return new KuduSession(newAsyncKuduSession());
  }

  /** A session whose rows belong to the transaction. */
  public AsyncKuduSession newAsyncKuduSession() {
    checkOpen();
    return client.newSession(id);
  }

  private void checkOpen() {
    if (!open) {
      throw new IllegalStateException("transaction is not open for this handle");
    }
  }

  /**
   * Commits, and waits until all rows are visible.
   *
   * @throws KuduException ABORTED if the servers aborted the transaction; ILLEGAL_STATE if it had
   *     ended before
   * @throws IllegalStateException if this handle has ended it
   */
  public void commit() throws KuduException {
    checkOpen();
    commit(client.adminDeadline());
  }

  private void commit(Deadline deadline) throws KuduException {
    CommitTransactionResponsePB response = begin(COMMIT_WAIT_MILLIS, deadline);
    if (response.hasCommitTimestamp()) {
      client.updateLastPropagatedTimestamp(response.getCommitTimestamp());
    } else {
      await(deadline);
    }
  }

  private void await(Deadline deadline) throws KuduException {
    int pause = FIRST_POLL_MILLIS;
    while (!isCommitComplete(deadline)) {
      join(client.cluster().after(pause));
      pause = Math.min(LONGEST_POLL_MILLIS, pause + 1 + pause / 8);
    }
  }

  /** Like {@link #commit}, but also for a handle that has begun to commit. */
  void commitOrAwait() throws KuduException {
    Deadline deadline = client.adminDeadline();
    if (open) {
      commit(deadline);
    } else {
      await(deadline);
    }
  }

  /** The state at the servers. */
  TxnStatePB state() throws KuduException {
    return join(requests.state(id, client.adminDeadline())).getState();
  }

  int keepaliveMillis() {
    return keepaliveMillis;
  }

  boolean isOpen() {
    return open;
  }

  long id() {
    return id;
  }

  /**
   * Begins to commit, and does not wait. From then on nothing but a failure of servers prevents the
   * commit; {@link #isCommitComplete} tells when it is done.
   */
  public void startCommit() throws KuduException {
    checkOpen();
    begin(0, client.adminDeadline());
  }

  private CommitTransactionResponsePB begin(int waitMillis, Deadline deadline)
      throws KuduException {
    CommitTransactionResponsePB begun = join(requests.commit(id, waitMillis, deadline));
    ended();
    return begun;
  }

  private void ended() {
    keepAlive.stop();
    open = false;
  }

  /**
   * Whether a commit that has begun is complete.
   *
   * @throws KuduException ILLEGAL_STATE if no commit has begun, ABORTED if the transaction is
   *     aborted
   */
  public boolean isCommitComplete() throws KuduException {
    return isCommitComplete(client.adminDeadline());
  }

  private boolean isCommitComplete(Deadline deadline) throws KuduException {
    GetTransactionStateResponsePB response = join(requests.state(id, deadline));
    if (response.hasCommitTimestamp()) {
      client.updateLastPropagatedTimestamp(response.getCommitTimestamp());
    }
    return switch (response.getState()) {
      case COMMITTED -> true;
      case COMMIT_IN_PROGRESS, FINALIZE_IN_PROGRESS -> false;
      case OPEN ->
          throw new NonRecoverableException(Status.IllegalState("transaction is still open"));
      case ABORT_IN_PROGRESS ->
          throw new NonRecoverableException(Status.Aborted("transaction is being aborted"));
      case ABORTED -> throw new NonRecoverableException(Status.Aborted("transaction was aborted"));
      case UNKNOWN ->
          throw new NonRecoverableException(
              Status.NotSupported("The state of the transaction is unknown to this client"));
    };
  }

  /**
   * Rolls back: nobody will ever see the rows. Does not wait until they are removed.
   *
   * @throws KuduException ILLEGAL_STATE if the transaction is committed
   * @throws IllegalStateException if this handle has ended it
   */
  public void rollback() throws KuduException {
    checkOpen();
    join(requests.abort(id, client.adminDeadline()));
    ended();
  }

  private static <T> T join(CompletableFuture<T> future) throws KuduException {
    try {
      return future.get();
    } catch (InterruptedException | ExecutionException e) {
      throw KuduException.of(e);
    }
  }

  /** Stops the signs of life. May be called more than once. */
  @Override
  public void close() {
    keepAlive.stop();
  }
}
