package dev.kudu4j.tools.fs;

import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.tablet.env.TabletEnvironment;
import dev.kudu4j.tablet.file.FileKind;
import dev.kudu4j.tablet.file.SealedFile;
import dev.kudu4j.tablet.proto.DeltaFilePB;
import dev.kudu4j.tablet.proto.RowSetPB;
import dev.kudu4j.tablet.proto.SuperblockPB;
import dev.kudu4j.tablet.superblock.SuperblockFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Lists files by what superblocks say of them. A file that is broken or missing is listed as such.
 */
final class Inventory {
  private static final String BROKEN = "broken";

  private final OfflineFiles offline;
  private final List<FileEntry> entries = new ArrayList<>();

  Inventory(OfflineFiles offline) {
    this.offline = offline;
  }

  List<FileEntry> entries() {
    return entries;
  }

  void addTablet(Path directory) throws IOException {
    TabletEnvironment environment = offline.environment(directory);
    String id = directory.getFileName().toString();
    Map<String, Path> present = new HashMap<>();
    for (Path file : ServerDirectories.children(directory)) {
      present.put(file.getFileName().toString(), file);
    }
    Path superblockPath = present.remove(SuperblockFile.NAME);
    long superblockBytes = superblockPath == null ? 0 : Files.size(superblockPath);
    SuperblockPB superblock;
    try {
      superblock = new SuperblockFile(environment.files(), directory).read();
    } catch (KuduException e) {
      entries.add(
          new FileEntry(id, "", SuperblockFile.NAME, "superblock", BROKEN, -1, superblockBytes));
      addRest(id, "", present, "unknown");
      return;
    }
    String table = superblock.getTableName();
    long live = superblock.getRowSetsList().stream().mapToLong(RowSetPB::getLiveRowCount).sum();
    entries.add(
        new FileEntry(id, table, SuperblockFile.NAME, "superblock", "1", live, superblockBytes));
    for (RowSetPB rowSet : superblock.getRowSetsList()) {
      String base = rowSet.getBaseFile();
      present.remove(base);
      addData(environment, id, table, base, FileKind.BASE_DATA, rowSet.getRowCount());
      for (DeltaFilePB redo : rowSet.getRedoFilesList()) {
        present.remove(redo.getFile());
        addData(environment, id, table, redo.getFile(), FileKind.DELTA, redo.getCount());
      }
    }
    addRest(id, table, present, "garbage");
  }

  private void addData(
      TabletEnvironment environment, String id, String table, String name, FileKind kind, long rows)
      throws IOException {
    Path path = environment.directory().resolve(name);
    boolean exists = Files.isRegularFile(path);
    String format = exists ? format(environment, path, kind) : "missing";
    long bytes = exists ? Files.size(path) : 0;
    entries.add(new FileEntry(id, table, name, kind.toString(), format, rows, bytes));
  }

  private static String format(TabletEnvironment environment, Path path, FileKind kind)
      throws IOException {
    try (SealedFile file = SealedFile.open(environment, environment.allocator(), path, kind)) {
      return Integer.toString(file.version());
    } catch (KuduException e) {
      return BROKEN;
    }
  }

  private void addRest(String id, String table, Map<String, Path> files, String kind)
      throws IOException {
    for (String name : files.keySet().stream().sorted().toList()) {
      entries.add(new FileEntry(id, table, name, kind, "", -1, Files.size(files.get(name))));
    }
  }

  void addRaftLog(Path directory) throws IOException {
    String group = directory.getFileName().toString();
    for (Path file : ServerDirectories.children(directory.resolve("current"))) {
      entries.add(
          new FileEntry(
              group.replace("-", ""),
              "",
              file.getFileName().toString(),
              "Raft log",
              "",
              -1,
              bytes(file)));
    }
  }

  private static long bytes(Path file) throws IOException {
    try (Stream<Path> all = Files.walk(file)) {
      return all.filter(Files::isRegularFile).mapToLong(each -> each.toFile().length()).sum();
    }
  }
}
