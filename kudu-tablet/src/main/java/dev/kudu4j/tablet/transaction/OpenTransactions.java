package dev.kudu4j.tablet.transaction;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.tablet.file.StoredFile;
import dev.kudu4j.tablet.log.WriteRequest;
import dev.kudu4j.tablet.proto.StagedTransactionPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The transactions of a tablet that have not ended, the keys that they hold, and the files of their
 * rows. The caller holds the tablet's writer lock, unless a method says otherwise.
 */
public final class OpenTransactions implements AutoCloseable {
  /** Ids of this many transactions that ended are remembered. */
  static final int MAX_ENDED = 4096;

  private final BufferAllocator allocator;
  private final TreeMap<Long, OpenTransaction> open = new TreeMap<>();
  private final LinkedHashSet<Long> ended = new LinkedHashSet<>();
  private final HeldKeys keys;

  /** The files that the superblock references, by name, oldest first; each is retained once. */
  private final Map<String, StagedFile> files = new LinkedHashMap<>();

  private volatile List<OpenTransaction> current = List.of();

  public OpenTransactions(BufferAllocator allocator) {
    this.allocator = allocator;
    this.keys = new HeldKeys(allocator);
  }

  /**
   * The transactions of a superblock, without their keys, which the caller holds again.
   *
   * @param opened the files that the superblock references, oldest first; the result takes over
   *     their references
   */
  public static OpenTransactions of(
      SuperblockPB superblock, Map<String, StagedFile> opened, BufferAllocator allocator) {
    OpenTransactions transactions = new OpenTransactions(allocator);
    transactions.ended.addAll(superblock.getEndedTransactionsList());
    for (StagedTransactionPB message : superblock.getStagedTransactionsList()) {
      transactions
          .getOrBegin(message.getId())
          .prepare(message.getCommitTimestamp(), message.getCoordinatorTerm());
    }
    transactions.files.putAll(opened);
    for (StagedFile file : opened.values()) {
      for (StagedFile.Request request : file.requests()) {
        OpenTransaction transaction = transactions.open.get(request.transaction());
        if (transaction != null) {
          transaction.add(
              StagedRows.inFile(
                  request.transaction(),
                  request.rowCount(),
                  request.effective(),
                  request.schema(),
                  file,
                  request.location()));
        }
      }
    }
    return transactions;
  }

  /** The open transactions by id. Any thread. */
  public List<OpenTransaction> list() {
    return current;
  }

  /**
   * Bytes of staged rows in memory, which a checkpoint writes to a file; without held keys. Any
   * thread.
   */
  public long memoryBytes() {
    return current.stream().mapToLong(OpenTransaction::memoryBytes).sum();
  }

  /** Whether a transaction is prepared. Any thread. */
  public boolean arePrepared() {
    return current.stream().anyMatch(OpenTransaction::isPrepared);
  }

  /** The transaction; null if it is not open here. */
  public @Nullable OpenTransaction find(long id) {
    return open.get(id);
  }

  /** The transaction, which begins if it is not open here. */
  public OpenTransaction getOrBegin(long id) {
    OpenTransaction known = open.get(id);
    if (known == null) {
      known = new OpenTransaction(id, allocator);
      open.put(id, known);
      current = List.copyOf(open.values());
    }
    return known;
  }

  /** Whether it is known that the transaction has ended here. */
  public boolean hasEnded(long id) {
    return ended.contains(id);
  }

  // ---- keys

  public boolean holdKeys() {
    return keys.count() > 0;
  }

  /** The transaction that holds a key, or {@link WriteRequest#NO_TRANSACTION}. */
  public long holder(byte[] key, int offset, int length) {
    long record = keys.find(key, offset, length);
    return record == HeldKeys.NONE ? WriteRequest.NO_TRANSACTION : HeldKeys.transaction(record);
  }

  /** Whether the row of a held key exists for the transaction that holds it. */
  public boolean rowExists(byte[] key, int offset, int length) {
    return HeldKeys.exists(keys.find(key, offset, length));
  }

  /**
   * Holds a key that no other transaction holds.
   *
   * @param exists whether the row exists from now on for the transaction
   */
  public void hold(
      OpenTransaction transaction, byte[] key, int offset, int length, boolean exists) {
    long record = keys.find(key, offset, length);
    if (record == HeldKeys.NONE) {
      transaction.lastKey =
          keys.add(
              transaction.id(),
              transaction.arena,
              transaction.lastKey,
              key,
              offset,
              length,
              exists);
      transaction.addKey();
    } else {
      assert HeldKeys.transaction(record) == transaction.id() : "another transaction holds the key";
      HeldKeys.setExists(record, exists);
    }
  }

  // ---- rows

  /**
   * Stages the rows of a request that have succeeded.
   *
   * @param effective the rows that have succeeded and change something
   * @param schema of the tablet now
   */
  public void stage(
      OpenTransaction transaction,
      WriteRequest request,
      int rowCount,
      BitSet effective,
      Schema schema) {
    transaction.add(StagedRows.copyOf(request, rowCount, effective, schema, allocator));
  }

  /** Ends a transaction: drops its rows and releases its keys. */
  public void end(long id) {
    ended.remove(id);
    ended.add(id);
    while (ended.size() > MAX_ENDED) {
      ended.remove(ended.iterator().next());
    }
    OpenTransaction transaction = open.remove(id);
    if (transaction != null) {
      keys.release(transaction.lastKey);
      transaction.release();
      current = List.copyOf(open.values());
    }
  }

  // ---- checkpoints

  /** The state for a checkpoint; the caller releases it. */
  public FrozenTransactions freeze() {
    List<StagedTransactionPB> messages = new ArrayList<>();
    List<FrozenRows> inMemory = new ArrayList<>();
    Set<StagedFile> used = new LinkedHashSet<>();
    for (OpenTransaction transaction : open.values()) {
      messages.add(
          StagedTransactionPB.newBuilder()
              .setId(transaction.id())
              .setCommitTimestamp(transaction.commitTimestamp())
              .setCoordinatorTerm(transaction.coordinatorTerm())
              .build());
      for (StagedRows rows : transaction.rows()) {
        ArrowBuf content = rows.retainContent();
        if (content != null) {
          inMemory.add(new FrozenRows(rows, content));
        } else {
          used.add(rows.file());
        }
      }
    }
    List<String> names =
        files.entrySet().stream()
            .filter(file -> used.contains(file.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    return new FrozenTransactions(messages, List.copyOf(ended), names, inMemory);
  }

  /**
   * Called when the superblock references a file with rows that were frozen. From now on those of
   * open transactions are read from the file, which is retained.
   */
  public void spilled(FrozenTransactions frozen, StagedFile file) {
    file.retain();
    files.put(file.file().getFileName().toString(), file);
    List<StagedFile.Request> written = file.requests();
    for (int i = 0; i < written.size(); i++) {
      StagedRows rows = frozen.inMemory().get(i).rows();
      if (open.containsKey(rows.transaction())) {
        rows.moveTo(file, written.get(i).location());
      }
    }
    open.values().forEach(OpenTransaction::countBytes);
  }

  /**
   * Forgets the files that the superblock no longer references, and returns them; the caller
   * releases them.
   */
  public List<StagedFile> forgetFilesExcept(Collection<String> named) {
    List<StagedFile> forgotten = new ArrayList<>();
    files
        .entrySet()
        .removeIf(
            file -> {
              boolean gone = !named.contains(file.getKey());
              if (gone) {
                forgotten.add(file.getValue());
              }
              return gone;
            });
    return forgotten;
  }

  /** The files that the superblock references. The caller updates the tablet's files or waits. */
  public Collection<StagedFile> files() {
    return files.values();
  }

  /** Releases all memory and all files. */
  @Override
  public void close() {
    open.values().forEach(OpenTransaction::release);
    open.clear();
    current = List.of();
    keys.close();
    files.values().forEach(StoredFile::release);
    files.clear();
  }
}
