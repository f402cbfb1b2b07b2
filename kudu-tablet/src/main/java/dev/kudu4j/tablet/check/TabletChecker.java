package dev.kudu4j.tablet.check;

import dev.kudu4j.common.schema.Schema;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.ReadableFile;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.NamedFile;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import dev.kudu4j.tablet.superblock.SuperblockMessages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a whole tablet on disk that is not open for writing: the superblock, every byte of every
 * referenced file, and the invariants between them. Modifies nothing and ignores files that the
 * superblock does not reference.
 *
 * <p>Invariants between files: the superblock's numbers match the files; every rowset id is unique
 * and below the superblock's next id; no file is listed twice; columns have the schema's types;
 * changes apply to existing live rows in time order; UNDO changes are older than REDO changes; no
 * timestamp exceeds the highest timestamp in the superblock; a key is live in at most one rowset;
 * indexes have exactly the cells of their columns, in order.
 */
public final class TabletChecker {
  private final TabletEnvironment environment;
  private final CheckListener watcher;
  private final Problems problems;
  private String tableName = "";

  private TabletChecker(TabletEnvironment environment, CheckListener watcher) {
    this.environment = environment;
    this.watcher = watcher;
    this.problems = newProblems();
  }

  /** Creates a list for problems of the superblock or of a rowset's entry in the superblock. */
  private Problems newProblems() {
    return new Problems(environment.directory().resolve(SuperblockFile.NAME).toString());
  }

  /**
   * Reads everything and returns all problems; empty if there are none.
   *
   * @throws IOException if a file cannot be read
   */
  public static List<String> check(TabletEnvironment environment) throws IOException {
    return report(environment, CheckListener.NONE).allProblems();
  }

  /**
   * Reads everything and returns a report by rowset.
   *
   * @throws IOException if a file cannot be read
   */
  public static TabletReport report(TabletEnvironment environment, CheckListener watcher)
      throws IOException {
    return new TabletChecker(environment.uncached(), watcher).checkAll();
  }

  /**
   * Reads everything and throws if there is a problem.
   *
   * @throws KuduException CORRUPTION with all problems
   */
  public static void verify(TabletEnvironment environment) throws IOException {
    Problems.throwIfAny(check(environment));
  }

  private TabletReport checkAll() throws IOException {
    List<CheckedRowSet> rowSets = new ArrayList<>();
    problems.collect(
        () -> {
          SuperblockPB superblock =
              new SuperblockFile(environment.files(), environment.directory()).read();
          tableName = superblock.getTableName();
          checkIds(superblock);
          for (RowSetPB rowSet : superblock.getRowSetsList()) {
            rowSets.add(checkFiles(rowSet));
          }
          checkStaged(superblock);
          if (rowSets.stream().allMatch(rowSet -> rowSet.fileProblems.isEmpty())) {
            checkBetweenFiles(superblock, rowSets);
          }
        });
    return new TabletReport(
        tableName, rowSets.stream().map(CheckedRowSet::report).toList(), problems.list());
  }

  /** A rowset whose files have been checked individually, before the checks across files. */
  private record CheckedRowSet(
      RowSetPB message, long bytes, List<String> fileProblems, Problems betweenFiles) {
    RowSetReport report() {
      List<String> all = new ArrayList<>(fileProblems);
      all.addAll(betweenFiles.list());
      List<NamedFile> files = NamedFile.of(message);
      return new RowSetReport(
          message.getId(),
          files.size(),
          message.getRowCount(),
          message.getLiveRowCount(),
          files.stream()
              .filter(
                  file -> file.role() == NamedFile.Role.UNDO || file.role() == NamedFile.Role.REDO)
              .mapToLong(NamedFile::count)
              .sum(),
          bytes,
          all);
    }
  }

  private CheckedRowSet checkFiles(RowSetPB rowSet) throws IOException {
    List<String> found = new ArrayList<>();
    long bytes = 0;
    for (NamedFile file : NamedFile.of(rowSet)) {
      Path path = environment.directory().resolve(file.name());
      if (!environment.files().exists(path)) {
        found.add(
            "%s: %s: the superblock references it, but it does not exist"
                .formatted(path, file.role()));
        continue;
      }
      found.addAll(
          switch (file.role()) {
            case BASE -> BaseDataChecker.check(environment, path);
            case COLUMNS -> ColumnFileChecker.check(environment, path);
            case INDEX -> IndexFileChecker.check(environment, path);
            case UNDO, REDO -> DeltaFileChecker.check(environment, path);
            case STAGED -> throw new IllegalStateException("Not a file of a rowset: " + path);
          });
      long size = size(path);
      bytes += size;
      watcher.checked(path, size);
    }
    return new CheckedRowSet(rowSet, bytes, found, newProblems());
  }

  private void checkStaged(SuperblockPB superblock) throws IOException {
    for (NamedFile file : NamedFile.staged(superblock)) {
      Path path = environment.directory().resolve(file.name());
      if (environment.files().exists(path)) {
        StagedFileChecker.check(environment, path).forEach(problems::add);
        watcher.checked(path, size(path));
      } else {
        problems.add("%s: the superblock references it, but it does not exist".formatted(path));
      }
    }
  }

  private long size(Path path) throws IOException {
    try (ReadableFile file = environment.files().open(path)) {
      return file.size();
    }
  }

  private void checkIds(SuperblockPB superblock) {
    Set<Long> ids = new HashSet<>();
    Set<String> files = new HashSet<>();
    for (RowSetPB rowSet : superblock.getRowSetsList()) {
      if (!ids.add(rowSet.getId()) || rowSet.getId() >= superblock.getNextId()) {
        problems.add(
            0,
            "rowset id: expected an unused id below %d, found %d",
            superblock.getNextId(),
            rowSet.getId());
      }
    }
    for (NamedFile file : NamedFile.of(superblock)) {
      if (!files.add(file.name())) {
        problems.add(0, "expected each file once, found %s again", file.name());
      }
    }
  }

  private void checkBetweenFiles(SuperblockPB superblock, List<CheckedRowSet> checked)
      throws IOException {
    Schema schema = SuperblockMessages.descriptor(superblock).schema();
    List<RowSetChecker> rowSets = new ArrayList<>();
    try {
      for (CheckedRowSet each : checked) {
        RowSetChecker rowSet =
            RowSetChecker.open(environment, each.message, schema, each.betweenFiles);
        rowSets.add(rowSet);
        rowSet.check(superblock.getMaxTimestamp());
      }
      LiveKeyCheck.check(rowSets, problems);
    } finally {
      rowSets.forEach(RowSetChecker::close);
    }
  }
}
