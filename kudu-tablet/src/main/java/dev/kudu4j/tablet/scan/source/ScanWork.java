package dev.kudu4j.tablet.scan.source;

import dev.kudu4j.tablet.file.BlockReads;
import dev.kudu4j.tablet.scan.index.IndexChoices;

/**
 * Counts what a scan of a tablet has read, skipped and answered from statistics so far. The sources
 * of the scan add to it for each rowset, block and page, never for each row. Not thread-safe.
 *
 * <pre>
 *   rowsets = outside + without keys + counted + the rest, which were read
 *   pages   = of the columns that were opened, in each rowset: a scan opens a column when it first
 *             needs its statistics or a cell of it. They were read, excluded or behind for a
 *             filter, or not needed because none of their rows was left
 *   rows    = visited in blocks + counted from statistics
 * </pre>
 */
public final class ScanWork {
  private final BlockReads reads = new BlockReads();
  private final IndexChoices indexChoices = new IndexChoices();
  private long rowSets;
  private long rowSetsOutside;
  private long rowSetsWithoutKeys;
  private long rowSetsCounted;
  private long rowSetsIndexed;
  private long rowsIndexed;
  private long memRowSets;
  private long pages;
  private long pagesExcluded;
  private long pagesBehind;
  private long pagesCertain;
  private long deltaFiles;
  private long deltaFilesRead;
  private long changes;
  private long rowsVisited;
  private long rowsCounted;
  private long rowsMatched;
  private long cellsDecoded;

  /** The tablet has this number of DiskRowSets. */
  void addRowSets(int count) {
    rowSets += count;
  }

  void addOutside(int count) {
    rowSetsOutside += count;
  }

  void addWithoutKeys() {
    rowSetsWithoutKeys++;
  }

  void addCounted() {
    rowSetsCounted++;
  }

  void addIndexed(long rows) {
    rowSetsIndexed++;
    rowsIndexed += rows;
  }

  /** An index found these rows of a MemRowSet. */
  void addFoundInMemory(int rows) {
    rowsIndexed += rows;
  }

  void addMemRowSet() {
    memRowSets++;
  }

  void addPages(int count) {
    pages += count;
  }

  void addExcluded() {
    pagesExcluded++;
  }

  void addBehind() {
    pagesBehind++;
  }

  void addCertain() {
    pagesCertain++;
  }

  void addDeltaFiles(int count) {
    deltaFiles += count;
  }

  void addDeltaFileRead() {
    deltaFilesRead++;
  }

  void addChanges(long count) {
    changes += count;
  }

  void addVisited(int rows) {
    rowsVisited += rows;
  }

  void addCountedRows(int rows) {
    rowsCounted += rows;
  }

  void addMatched(long rows) {
    rowsMatched += rows;
  }

  void addDecoded(int cells) {
    cellsDecoded += cells;
  }

  /** Blocks and cells that the readers of files have read. */
  public BlockReads reads() {
    return reads;
  }

  /** What indexes would have cost, and which were used. */
  public IndexChoices indexChoices() {
    return indexChoices;
  }

  /** The DiskRowSets of the tablet. */
  public long rowSets() {
    return rowSets;
  }

  /** DiskRowSets that key bounds or insert timestamps exclude. */
  public long rowSetsOutside() {
    return rowSetsOutside;
  }

  /** DiskRowSets that have none of the given keys, according to Bloom filters and key indexes. */
  public long rowSetsWithoutKeys() {
    return rowSetsWithoutKeys;
  }

  /** DiskRowSets of which no cell was needed: statistics answer the scan. */
  public long rowSetsCounted() {
    return rowSetsCounted;
  }

  /** DiskRowSets in which an index found the rows to read. */
  public long rowSetsIndexed() {
    return rowSetsIndexed;
  }

  /** The rows that indexes found: those that may match. */
  public long rowsIndexed() {
    return rowsIndexed;
  }

  /** MemRowSets that were read. */
  public long memRowSets() {
    return memRowSets;
  }

  /** Pages of the columns that were opened, in each DiskRowSet: for statistics or for a cell. */
  public long pages() {
    return pages;
  }

  /** Pages of filtered columns whose statistics show that no cell matches. */
  public long pagesExcluded() {
    return pagesExcluded;
  }

  /** Pages that come after the first rows found so far in the order of the scan. */
  public long pagesBehind() {
    return pagesBehind;
  }

  /** Pages of filtered columns whose statistics show that all cells match. */
  public long pagesCertain() {
    return pagesCertain;
  }

  /** Number of delta files in the DiskRowSets that the scan did not skip entirely. */
  public long deltaFiles() {
    return deltaFiles;
  }

  /** Delta files that may have changes for the snapshot and the columns. */
  public long deltaFilesRead() {
    return deltaFilesRead;
  }

  /** Changes of rows that were visited, in files and in memory. */
  public long changes() {
    return changes;
  }

  /** Rows of the blocks that were read or filtered, deleted rows included. */
  public long rowsVisited() {
    return rowsVisited;
  }

  /** Rows that statistics have counted. */
  public long rowsCounted() {
    return rowsCounted;
  }

  /** Rows that are visible and satisfy all filters. */
  public long rowsMatched() {
    return rowsMatched;
  }

  /** Cells that were decoded from pages or copied from rows in memory. */
  public long cellsDecoded() {
    return cellsDecoded + reads.decodedCells();
  }
}
