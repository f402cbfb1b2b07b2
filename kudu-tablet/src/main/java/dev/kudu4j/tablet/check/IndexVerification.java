package dev.kudu4j.tablet.check;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.kudu4j.common.index.IndexDefinition;
import dev.kudu4j.tablet.components.Components;
import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.components.RowSetFiles;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.index.IndexFile;
import dev.kudu4j.tablet.rowset.BaseData;
import dev.kudu4j.tablet.rowset.ColumnFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Compares the index files of an open tablet with its rows. Reads all files from disk, not from the
 * page cache. Indexes of rows in memory are not compared.
 *
 * <p>One thread calls {@link #run}, once; any thread may call the other methods.
 */
public final class IndexVerification {
  private static final int MAX_DESCRIBED = 20;

  private final BooleanSupplier cancelled;

  @GuardedBy("this")
  private final List<IndexDifference> described = new ArrayList<>();

  @GuardedBy("this")
  private int files;

  @GuardedBy("this")
  private int filesCompared;

  @GuardedBy("this")
  private int missingFiles;

  @GuardedBy("this")
  private long entriesCompared;

  @GuardedBy("this")
  private long differences;

  @GuardedBy("this")
  private long cells;

  @GuardedBy("this")
  private long cellsCompared;

  /**
   * What the verification has found so far.
   *
   * @param files index files to compare
   * @param filesCompared of these: compared
   * @param missingFiles index files that are still to be built
   * @param entriesCompared entries of the compared files
   * @param percent the part of the work that is done
   * @param differences the number of differences
   * @param first the first differences
   */
  public record Progress(
      int files,
      int filesCompared,
      int missingFiles,
      long entriesCompared,
      int percent,
      long differences,
      List<IndexDifference> first) {
    public Progress {
      first = List.copyOf(first);
    }
  }

  /**
   * @param cancelled asked often by {@link #run}, which ends soon after it has become true
   */
  public IndexVerification(BooleanSupplier cancelled) {
    this.cancelled = cancelled;
  }

  /** Whether {@link #run} is to end. */
  public boolean isCancelled() {
    return cancelled.getAsBoolean();
  }

  public synchronized Progress progress() {
    int percent = cells == 0 ? 0 : (int) (100 * cellsCompared / cells);
    return new Progress(
        files, filesCompared, missingFiles, entriesCompared, percent, differences, described);
  }

  /**
   * Compares all files. Takes long.
   *
   * @param components pinned by the caller until this returns
   * @param indexes the indexes to verify
   * @throws dev.kudu4j.common.status.KuduException CORRUPTION if the rows cannot be read
   * @throws CancellationException if it was cancelled
   */
  public void run(
      TabletEnvironment environment, Components components, List<IndexDefinition> indexes)
      throws IOException {
    count(components, indexes);
    TabletEnvironment uncached = environment.uncached();
    for (DiskRowSet rowSet : components.rowSets()) {
      List<IndexDefinition> present =
          indexes.stream().filter(index -> rowSet.onDisk().indexFile(index) != null).toList();
      if (!present.isEmpty()) {
        try (OpenRows rows = new OpenRows(uncached, rowSet.onDisk())) {
          for (IndexDefinition index : present) {
            compare(uncached, environment.scans(), rowSet, rows.files(), index);
          }
        }
      }
    }
  }

  private synchronized void count(Components components, List<IndexDefinition> indexes) {
    for (DiskRowSet rowSet : components.rowSets()) {
      for (IndexDefinition index : indexes) {
        IndexFile file = rowSet.onDisk().indexFile(index);
        if (file != null) {
          files++;
          cells += file.entryCount() * file.columns().size();
        } else if (rowSet.onDisk().canHave(index)) {
          missingFiles++;
        }
      }
    }
  }

  /**
   * @param memory parent of the memory of cells
   */
  private void compare(
      TabletEnvironment environment,
      BufferAllocator memory,
      DiskRowSet rowSet,
      RowSetFiles rows,
      IndexDefinition index)
      throws IOException {
    checkCancelled();
    IndexFile known = rowSet.onDisk().indexFile(index);
    assert known != null : "the rowset has a file of the index";
    Path path = known.file();
    List<String> problems = IndexFileChecker.check(environment, path);
    if (!problems.isEmpty()) {
      problems.forEach(problem -> describe(index, rowSet, IndexDifference.WHOLE_FILE, problem));
      addCells(known.entryCount() * known.columns().size());
      addFile(0, problems.size());
      return;
    }
    IndexFile file = IndexFile.open(environment, path);
    try {
      addFile(file.entryCount(), compare(memory, rowSet, rows, index, file));
    } finally {
      file.release();
    }
  }

  private synchronized void addFile(long entries, long found) {
    filesCompared++;
    entriesCompared += entries;
    differences += found;
  }

  private synchronized void addCells(long count) {
    cellsCompared += count;
  }

  private long compare(
      BufferAllocator memory,
      DiskRowSet rowSet,
      RowSetFiles rows,
      IndexDefinition index,
      IndexFile file)
      throws IOException {
    return IndexCheck.check(
        memory,
        rows,
        file,
        new IndexCheck.Listener() {
          @Override
          public void differs(long ordinal, String text) {
            describe(index, rowSet, ordinal, text);
          }

          @Override
          public void compared(int count) {
            addCells(count);
            checkCancelled();
          }
        });
  }

  private synchronized void describe(
      IndexDefinition index, DiskRowSet rowSet, long ordinal, String text) {
    if (described.size() < MAX_DESCRIBED) {
      described.add(new IndexDifference(index.name(), rowSet.id(), ordinal, text));
    }
  }

  private void checkCancelled() {
    if (isCancelled()) {
      throw new CancellationException("The verification of indexes was cancelled");
    }
  }

  /** The base data and rewritten columns of a rowset, opened once more. */
  private static final class OpenRows implements AutoCloseable {
    private final BaseData base;
    private final List<ColumnFile> columns = new ArrayList<>();

    OpenRows(TabletEnvironment environment, RowSetFiles rowSet) throws IOException {
      base = BaseData.open(environment, rowSet.base().file());
      try {
        for (ColumnFile file : rowSet.columnFiles()) {
          columns.add(ColumnFile.open(environment, file.file()));
        }
      } catch (Throwable e) {
        close();
        throw e;
      }
    }

    RowSetFiles files() {
      return new RowSetFiles(base, columns, List.of(), List.of(), List.of());
    }

    @Override
    public void close() {
      columns.forEach(ColumnFile::release);
      base.release();
    }
  }
}
