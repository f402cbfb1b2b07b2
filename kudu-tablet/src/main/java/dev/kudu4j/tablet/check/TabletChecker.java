package dev.kudu4j.tablet.check;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.proto.ColumnFilePB;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Checks a whole tablet on disk, which nobody has open for writing: the superblock, every byte of
 * every file it names, and what must hold between them. Changes nothing; garbage is none of its
 * business.
 *
 * <p>Between files: the superblock's numbers are those of the files; no id is used twice or not yet
 * given out; changes hit rows that exist and are alive, in order of time; what is undone is older
 * than what is done again; no timestamp is above the highest; a key is live in at most one rowset.
 */
public final class TabletChecker {
  private final TabletEnvironment environment;
  private final Problems problems;
  private final List<String> found = new ArrayList<>();

  private TabletChecker(TabletEnvironment environment) {
    this.environment = environment;
    this.problems = new Problems(environment.directory().resolve(SuperblockFile.NAME).toString());
  }

  /**
   * Reads everything and returns what is wrong; empty when the tablet is sound.
   *
   * @throws IOException when a file cannot be read
   */
  public static List<String> check(TabletEnvironment environment) throws IOException {
    TabletChecker checker = new TabletChecker(environment.uncached());
    checker.problems.collect(checker::checkAll);
    checker.found.addAll(checker.problems.list());
    return checker.found;
  }

  /**
   * Reads everything and throws when something is wrong.
   *
   * @throws KuduException CORRUPTION with all that was found
   */
  public static void verify(TabletEnvironment environment) throws IOException {
    Problems.throwIfAny(check(environment));
  }

  private void checkAll() throws IOException {
    SuperblockPB superblock =
        new SuperblockFile(environment.files(), environment.directory()).read();
    checkIds(superblock);
    for (RowSetPB rowSet : superblock.getRowSetsList()) {
      found.addAll(
          BaseDataChecker.check(
              environment, environment.directory().resolve(rowSet.getBaseFile())));
      for (ColumnFilePB file : rowSet.getColumnFilesList()) {
        found.addAll(
            ColumnFileChecker.check(environment, environment.directory().resolve(file.getFile())));
      }
      checkDeltas(rowSet.getUndoFilesList());
      checkDeltas(rowSet.getRedoFilesList());
    }
    if (found.isEmpty()) {
      checkBetweenFiles(superblock);
    }
  }

  private void checkDeltas(List<DeltaFilePB> files) throws IOException {
    for (DeltaFilePB file : files) {
      found.addAll(
          DeltaFileChecker.check(environment, environment.directory().resolve(file.getFile())));
    }
  }

  private void checkIds(SuperblockPB superblock) {
    Set<Long> ids = new HashSet<>();
    Set<String> files = new HashSet<>();
    for (RowSetPB rowSet : superblock.getRowSetsList()) {
      if (!ids.add(rowSet.getId()) || rowSet.getId() >= superblock.getNextId()) {
        problems.add(
            0,
            "rowset id: expected an unused one below %d, found %d",
            superblock.getNextId(),
            rowSet.getId());
      }
      checkOnce(rowSet.getBaseFile(), files);
      rowSet.getColumnFilesList().forEach(file -> checkOnce(file.getFile(), files));
      rowSet.getUndoFilesList().forEach(undo -> checkOnce(undo.getFile(), files));
      rowSet.getRedoFilesList().forEach(redo -> checkOnce(redo.getFile(), files));
    }
  }

  private void checkOnce(String file, Set<String> files) {
    if (!files.add(file)) {
      problems.add(0, "expected each file once, found %s again", file);
    }
  }

  private void checkBetweenFiles(SuperblockPB superblock) throws IOException {
    List<RowSetUnderCheck> rowSets = new ArrayList<>();
    try {
      for (RowSetPB message : superblock.getRowSetsList()) {
        RowSetUnderCheck rowSet = RowSetUnderCheck.open(environment, message, problems);
        rowSets.add(rowSet);
        rowSet.check(superblock.getMaxTimestamp());
      }
      LiveKeyCheck.check(rowSets, problems);
    } finally {
      rowSets.forEach(RowSetUnderCheck::close);
    }
  }
}
