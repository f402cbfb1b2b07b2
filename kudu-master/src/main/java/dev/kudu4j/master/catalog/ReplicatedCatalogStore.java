package dev.kudu4j.master.catalog;

import com.google.protobuf.ByteString;
import dev.kudu4j.common.row.RowOperationsWriter;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.server.replica.TabletReplica;
import dev.kudu4j.server.replica.write.WriteSubmission;
import dev.kudu4j.tablet.Tablet;
import dev.kudu4j.tablet.batch.ColumnBatch;
import dev.kudu4j.tablet.log.RequestResult;
import dev.kudu4j.tablet.scan.ScanSpec;
import dev.kudu4j.tablet.scan.TabletScanner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Stores the catalog in a replicated tablet. A batch is one log entry, and so atomic. A batch that
 * does not fit in one log entry is written as several log entries; a single change is never split.
 *
 * <p>One store serves one term as leader. After the term has ended, another leader may have written
 * since this store was loaded. So each write carries the term, and the log refuses it in any other
 * term: a check before the write would miss a term that ends while the write waits.
 */
public final class ReplicatedCatalogStore implements CatalogStore {
  /**
   * The most bytes of rows in a log entry. The difference to Raft's limit of 1 MB is for the other
   * bytes of the entry.
   */
  private static final int MAX_ENTRY_BYTES = 768 << 10;

  private static final long WRITE_SECONDS = 30;
  private static final long BATCH_BYTES = 1 << 20;
  private static final int SCHEMA_VERSION = 0;

  private record Key(EntryKind kind, String id) {}

  private final Tablet tablet;
  private final TabletReplica replica;
  private final BufferAllocator allocator;
  private final long term;
  private final Map<Key, Integer> partCounts = new HashMap<>();

  /**
   * @param tablet the tablet of {@code replica}
   * @param allocator borrowed; no memory is held between calls
   * @param term the term that all writes of this store belong to
   */
  public ReplicatedCatalogStore(
      Tablet tablet, TabletReplica replica, BufferAllocator allocator, long term) {
    this.tablet = tablet;
    this.replica = replica;
    this.allocator = allocator;
    this.term = term;
  }

  /**
   * Passes all entries to the visitor. First writes a log entry without changes, so that every
   * earlier write of this master has either been applied or never will be.
   */
  @Override
  public void load(EntryVisitor visitor) {
    RowOperationsWriter nothing = new RowOperationsWriter(CatalogRows.LAYOUT);
    CatalogRows.appendNothing(nothing);
    writeRows(nothing);
    scan(visitor);
  }

  /** Reads every entry that this replica has applied. */
  void scan(EntryVisitor visitor) {
    scan(null, Long.MAX_VALUE, visitor);
  }

  /**
   * Reads entries that this replica has applied, in the order of kind and id, until the size of
   * their records reaches {@code maxBytes}.
   *
   * @param after encoded key after which to begin, see {@link CatalogRows#behind}; null to begin at
   *     the first entry
   * @return whether there are further entries
   */
  boolean scan(byte[] after, long maxBytes, EntryVisitor visitor) {
    ScanSpec inOrder =
        new ScanSpec(
            CatalogRows.SCHEMA,
            List.of(),
            tablet.latestSnapshot(),
            -1,
            null,
            null,
            after,
            true,
            false,
            Long.MAX_VALUE);
    JoinedParts entries = new JoinedParts(maxBytes, visitor);
    try (TabletScanner scanner = tablet.scan(inOrder);
        ColumnBatch batch = new ColumnBatch(allocator, CatalogRows.SCHEMA)) {
      boolean more = true;
      while (more && !entries.areEnough()) {
        batch.clear();
        more = scanner.next(batch, BATCH_BYTES);
        CatalogRows.read(batch, entries);
      }
    } catch (IOException e) {
      throw KuduException.ioError(e, "The catalog cannot be read: %s", e.getMessage());
    }
    if (entries.areEnough()) {
      return true;
    }
    entries.emitEntry();
    return false;
  }

  /**
   * Joins the parts of entries, which come in order: an entry is complete when the next one begins.
   */
  private final class JoinedParts implements CatalogRows.RowVisitor {
    private final long maxBytes;
    private final EntryVisitor visitor;
    private final List<ByteString> parts = new ArrayList<>();
    private Key entry;
    private long bytes;

    JoinedParts(long maxBytes, EntryVisitor visitor) {
      this.maxBytes = maxBytes;
      this.visitor = visitor;
    }

    @Override
    public void row(EntryKind kind, String id, int part, byte[] metadata) {
      Key key = new Key(kind, id);
      if (!key.equals(entry)) {
        emitEntry();
        entry = key;
      }
      if (!areEnough()) {
        parts.add(ByteString.copyFrom(metadata));
      }
    }

    void emitEntry() {
      if (!parts.isEmpty()) {
        partCounts.put(entry, parts.size());
        ByteString record = ByteString.copyFrom(parts);
        visitor.entry(entry.kind(), entry.id(), record);
        bytes += record.size();
        parts.clear();
      }
    }

    boolean areEnough() {
      return bytes >= maxBytes;
    }
  }

  @Override
  public void write(List<Change> batch) {
    int from = 0;
    while (from < batch.size()) {
      int to = from + 1;
      int bytes = checkedBytes(batch.get(from));
      while (to < batch.size() && bytes + checkedBytes(batch.get(to)) <= MAX_ENTRY_BYTES) {
        bytes += checkedBytes(batch.get(to++));
      }
      writeEntry(batch.subList(from, to));
      from = to;
    }
  }

  private static int checkedBytes(Change change) {
    int bytes = CatalogRows.bytes(change);
    if (bytes > MAX_ENTRY_BYTES) {
      throw KuduException.notSupported(
          "The record of %s %s has %d bytes, more than the %d that one log entry can hold",
          change.kind(), change.id(), bytes, MAX_ENTRY_BYTES);
    }
    return bytes;
  }

  private void writeEntry(List<Change> changes) {
    RowOperationsWriter rows = new RowOperationsWriter(CatalogRows.LAYOUT);
    for (Change change : changes) {
      int partsBefore = partCounts.getOrDefault(new Key(change.kind(), change.id()), 0);
      CatalogRows.append(change, partsBefore, rows);
    }
    if (rows.rowCount() > 0) {
      writeRows(rows);
    }
    for (Change change : changes) {
      partCounts.put(new Key(change.kind(), change.id()), CatalogRows.partCount(change));
    }
  }

  private void writeRows(RowOperationsWriter rows) {
    checkWritten(await(submission(rows)));
  }

  private WriteSubmission submission(RowOperationsWriter rows) {
    return new WriteSubmission(
        null,
        SCHEMA_VERSION,
        new int[] {0, 1, 2, 3},
        rows.packed(),
        WriteSubmission.NO_DEADLINE,
        term);
  }

  private RequestResult await(WriteSubmission submission) {
    try {
      return replica.write(submission).get(WRITE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw KuduException.serviceUnavailable("Interrupted while the catalog was written");
    } catch (TimeoutException e) {
      throw KuduException.timedOut(
          "The catalog could not be replicated within %d s", WRITE_SECONDS);
    } catch (ExecutionException e) {
      throw KuduException.serviceUnavailable(
          "The catalog could not be replicated: %s", e.getCause().getMessage());
    }
  }

  private static void checkWritten(RequestResult result) {
    if (!result.errors().isEmpty()) {
      throw KuduException.corruption(
          "The catalog's tablet refused rows of the catalog: %s", result.errors().get(0).message());
    }
  }
}
