package dev.kudu4j.tablet.checkpoint;

import dev.kudu4j.tablet.components.DiskRowSet;
import dev.kudu4j.tablet.file.StoredFile;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Totals of what store updates have written and replaced since the tablet was opened.
 *
 * @param rowSetsReplaced removed DiskRowSets
 * @param rowSetsWritten new DiskRowSets
 * @param rowsWritten rows in the base data of the new DiskRowSets
 * @param filesReplaced files that are no longer part of the tablet
 * @param bytesReplaced size of the replaced files
 * @param filesWritten new files
 * @param bytesWritten size of the new files
 */
public record StoreWork(
    long rowSetsReplaced,
    long rowSetsWritten,
    long rowsWritten,
    long filesReplaced,
    long bytesReplaced,
    long filesWritten,
    long bytesWritten) {
  public static final StoreWork NONE = new StoreWork(0, 0, 0, 0, 0, 0, 0);

  /** The work of the update that replaced the rowsets {@code before} with {@code after}. */
  static StoreWork between(List<DiskRowSet> before, List<DiskRowSet> after) {
    Set<Long> oldIds = ids(before);
    Set<Long> newIds = ids(after);
    List<DiskRowSet> written = after.stream().filter(one -> !oldIds.contains(one.id())).toList();
    Set<StoredFile> oldFiles = files(before);
    Set<StoredFile> newFiles = files(after);
    Set<StoredFile> replaced = new HashSet<>(oldFiles);
    replaced.removeAll(newFiles);
    newFiles.removeAll(oldFiles);
    return new StoreWork(
        before.stream().filter(one -> !newIds.contains(one.id())).count(),
        written.size(),
        written.stream().mapToLong(one -> one.base().rowCount()).sum(),
        replaced.size(),
        bytes(replaced),
        newFiles.size(),
        bytes(newFiles));
  }

  private static Set<Long> ids(List<DiskRowSet> rowSets) {
    Set<Long> ids = new HashSet<>();
    rowSets.forEach(rowSet -> ids.add(rowSet.id()));
    return ids;
  }

  private static Set<StoredFile> files(List<DiskRowSet> rowSets) {
    Set<StoredFile> files = new HashSet<>();
    rowSets.forEach(rowSet -> files.addAll(rowSet.files()));
    return files;
  }

  private static long bytes(Collection<StoredFile> files) {
    return files.stream().mapToLong(StoredFile::fileBytes).sum();
  }

  public StoreWork plus(StoreWork other) {
    return new StoreWork(
        rowSetsReplaced + other.rowSetsReplaced,
        rowSetsWritten + other.rowSetsWritten,
        rowsWritten + other.rowsWritten,
        filesReplaced + other.filesReplaced,
        bytesReplaced + other.bytesReplaced,
        filesWritten + other.filesWritten,
        bytesWritten + other.bytesWritten);
  }

  /** The difference between these totals and earlier totals. */
  public StoreWork since(StoreWork earlier) {
    return new StoreWork(
        rowSetsReplaced - earlier.rowSetsReplaced,
        rowSetsWritten - earlier.rowSetsWritten,
        rowsWritten - earlier.rowsWritten,
        filesReplaced - earlier.filesReplaced,
        bytesReplaced - earlier.bytesReplaced,
        filesWritten - earlier.filesWritten,
        bytesWritten - earlier.bytesWritten);
  }
}
