package dev.kudu4j.benchmarks.ycsb.ours;

import dev.kudu4j.benchmarks.ycsb.BindingOptions;
import dev.kudu4j.client.Insert;
import dev.kudu4j.client.KuduClient;
import dev.kudu4j.client.KuduException;
import dev.kudu4j.client.KuduSession;
import dev.kudu4j.client.Operation;
import dev.kudu4j.client.OperationResponse;
import dev.kudu4j.client.SessionConfiguration.FlushMode;
import dev.kudu4j.client.Upsert;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * A YCSB database over Kudu's protocol. YCSB creates one instance for each thread. The instances in
 * a process share a client, and each has its own session.
 *
 * <p>Properties are those of {@link BindingOptions}. The first {@link #init} creates the table if
 * it does not exist: a STRING column {@code key}, which is the primary key, and one nullable STRING
 * column per field.
 *
 * <p>A write waits for its acknowledgement. With {@code kudu_sync_ops=false} writes are batched
 * instead: they return {@link Status#BATCHED_OK} until the batch is full, and the write that fills
 * the batch sends it and returns the result of the whole batch. A read or scan first sends the
 * batch of its own thread.
 */
public final class KuduDb extends DB {
  private static final long BATCH_BYTES = 32L << 20;

  private BindingOptions options;
  private KuduClient client;
  private KuduSession session;
  private UserTable table;
  private int gathered;

  @Override
  public void init() throws DBException {
    try {
      options = BindingOptions.of(getProperties());
      client = SharedClient.acquire(options.masters());
      table = UserTable.openOrCreate(client, options);
      session = client.newSession();
      session.setFlushMode(options.syncOps() ? FlushMode.AUTO_FLUSH_SYNC : FlushMode.MANUAL_FLUSH);
      session.setMutationBufferSpace(options.batchOps(), BATCH_BYTES);
    } catch (KuduException | IllegalArgumentException e) {
      throw new DBException(e);
    }
  }

  /**
   * Sends the batch and closes the session; the last instance in the process closes the client,
   * too.
   */
  @Override
  public void cleanup() throws DBException {
    try {
      Status status = sendGathered();
      session.close();
      SharedClient.release(options.masters());
      if (!status.isOk()) {
        throw new DBException("The last batch of writes was rejected: " + status);
      }
    } catch (KuduException e) {
      throw new DBException(e);
    }
  }

  @Override
  public Status read(
      String tableName, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try {
      Status sent = sendGathered();
      return sent.isOk() ? table(tableName).read(key, fields, result) : sent;
    } catch (KuduException e) {
      return Answers.of(e.getStatus());
    }
  }

  @Override
  public Status scan(
      String tableName,
      String startKey,
      int recordCount,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    try {
      Status sent = sendGathered();
      return sent.isOk() ? table(tableName).scan(startKey, recordCount, fields, result) : sent;
    } catch (KuduException e) {
      return Answers.of(e.getStatus());
    }
  }

  @Override
  public Status update(String tableName, String key, Map<String, ByteIterator> values) {
    return write(tableName, key, values, UserTable::newUpdate);
  }

  @Override
  public Status insert(String tableName, String key, Map<String, ByteIterator> values) {
    return write(
        tableName,
        key,
        values,
        options.insertIsUpsert() ? UserTable::newUpsert : UserTable::newInsert);
  }

  @Override
  public Status delete(String tableName, String key) {
    return write(tableName, key, Map.of(), UserTable::newDelete);
  }

  /** Creates a write without values: {@link Insert}, {@link Upsert} and so on. */
  private interface Kind {
    Operation of(UserTable table);
  }

  private Status write(String tableName, String key, Map<String, ByteIterator> values, Kind kind) {
    try {
      UserTable target = table(tableName);
      Operation operation = kind.of(target);
      target.fill(operation.getRow(), key, values);
      OperationResponse answer = session.apply(operation);
      if (options.syncOps()) {
        return answer.hasRowError() ? Answers.of(answer.getRowError().getErrorStatus()) : Status.OK;
      }
      gathered++;
      return gathered < options.batchOps() ? Status.BATCHED_OK : sendGathered();
    } catch (KuduException e) {
      return Answers.of(e.getStatus());
    }
  }

  private Status sendGathered() throws KuduException {
    if (gathered == 0) {
      return Status.OK;
    }
    gathered = 0;
    List<OperationResponse> answers = session.flush();
    for (OperationResponse answer : answers) {
      if (answer.hasRowError()) {
        return Answers.of(answer.getRowError().getErrorStatus());
      }
    }
    return Status.OK;
  }

  /** Returns the table that a YCSB call names, which is nearly always the one in the properties. */
  private UserTable table(String name) throws KuduException {
    if (!table.name().equals(name)) {
      table = UserTable.open(client, options, name);
    }
    return table;
  }
}
